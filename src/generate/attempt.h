#pragma once

#include <string>

#include "endpoint/chat.h"

namespace tritonsmith::generate {

/// One answer of a model and what became of it. Its place is (round, sample): samples of later rounds go on
/// with the conversation of the same sample.
struct Attempt {
    int round = 1, sample = 0;  ///< from 1, from 0
    endpoint::Answer answer;
    std::string code;  ///< the program in it; empty: none
    Json verdict;      ///< as `verify --json` prints it; null: not judged yet

    bool judged() const { return !verdict.is_null(); }
    bool accepted() const { return judged() && verdict.value("status", "") == "accepted"; }
    std::string reason()
        const;               ///< "accepted", or the code of docs/reasons.md, or one of ours (docs/engine.md)
    double speedup() const;  ///< 0 where nothing was timed
};

/// Takes the program out of the answer. An answer without one gets its verdict here: `no_code`, or
/// `answer_cut` where it was cut off at its greatest length.
void read_answer(Attempt& attempt);

/// What the model is told of a rejected attempt.
std::string feedback_for_model(const Attempt& attempt);

}  // namespace tritonsmith::generate
