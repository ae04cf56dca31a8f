#pragma once

#include <vector>

#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// An output that names places of largest or smallest elements (argmax, argmin, max and min along a
/// dimension), or of elements in order (topk, sort, kthvalue …), and what it compares. Found where the
/// compared tensor still holds that at the call's end.
struct ArgScores {
    size_t output = 0;  ///< among tensors_in(Plan::output)
    Tensor scores;
    int64_t dimension = 0;  ///< of `scores`; -1: places count through all of it
    bool open = false;      ///< in order: of equal elements any may come first
};
std::vector<ArgScores> arg_scores(const Plan& plan);
/// Their buffers are not freed.
void keep_scores(Plan& plan);

}  // namespace tritonsmith::plan
