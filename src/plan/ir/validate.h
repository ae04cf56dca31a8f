#pragma once

#include <optional>

#include "base/error.h"
#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// Checks everything that later code relies on: ids in range, every tensor inside its buffer (128-bit
/// arithmetic), shapes and strides not negative, sizes bounded, constants complete, draws in order, one
/// public kernel name each, grids in CUDA's range, compile options known and in range
/// (`compile_option_forbidden`), buffers not used after free or before they exist, addresses not overlapping.
/// Returns the first thing wrong: reason `plan_invalid` or `compile_option_forbidden`.
std::optional<Finding> validate(const Plan& plan);

}  // namespace tritonsmith::plan
