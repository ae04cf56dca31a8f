#pragma once

#include <vector>

#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// Numbers that a reference looks for among the elements of one of its inputs: the label that a loss ignores
/// (where it says which), a padding token or a sentinel that it compares with by == or !=, and a threshold,
/// which reals seldom meet.
struct NamedValues {
    size_t input = 0;             ///< its ordinal
    std::vector<double> values;   ///< rising; the input's dtype holds each
    std::vector<size_t> weights;  ///< of reals: weights that are such thresholds, or bounds of bins
};
/// Inputs are followed through copies, casts and views.
std::vector<NamedValues> named_values(const Plan& reference);

}  // namespace tritonsmith::plan
