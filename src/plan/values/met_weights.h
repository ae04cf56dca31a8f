#pragma once

#include <vector>

#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// Weights that inputs of whole numbers are compared with: thresholds and special values that are buffers.
/// Whoever redraws one that holds whole numbers takes the next ones: an input meets them as it meets those of
/// the constructor, and seldom another number near them. One for each of plan.weights; none that places are
/// computed from.
std::vector<bool> met_weights(const Plan& plan);

}  // namespace tritonsmith::plan
