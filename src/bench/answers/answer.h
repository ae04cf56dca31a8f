#pragma once

#include <string>

namespace tritonsmith::bench {

/// One answer to one problem. (problem, sample) identifies it within a run.
struct Answer {
    std::string problem;
    int sample = 0;      ///< from 0
    std::string code;    ///< the program; empty: there is none
    std::string origin;  ///< file and line, or who wrote it
    std::string reason;  ///< where there is no program: no_code or answer_cut
    std::string message;
    std::string text = {};  ///< the model's whole answer; "" where only a program was given
};

}  // namespace tritonsmith::bench
