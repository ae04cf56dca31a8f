#pragma once

#include <string>

#include "endpoint/chat.h"

namespace tritonsmith::generate {

/// One answer of a model with its verdict, or a program that the forge wrote. (round, sample) identifies it:
/// a sample of a later round continues the conversation of the same sample.
struct Attempt {
    int round = 1, sample = 0;  ///< from 1, from 0; round 0: no model's, but the forge's
    endpoint::Answer answer;
    std::string code;  ///< the program; empty: none
    Json verdict;      ///< as `verify --json` prints it; null: not judged yet

    bool judged() const { return !verdict.is_null(); }
    bool accepted() const { return judged() && verdict.value("status", "") == "accepted"; }
    std::string reason() const;  ///< "accepted", or a code of docs/reasons.md
    double speedup() const;      ///< 0 if nothing was timed
};

/// Extracts the program of the answer. An answer without one gets its verdict here: `no_code`, or
/// `answer_cut` if it was cut off at max_tokens.
void read_answer(Attempt& attempt);

/// The feedback about a rejected attempt for the model.
std::string feedback_for_model(const Attempt& attempt);

}  // namespace tritonsmith::generate
