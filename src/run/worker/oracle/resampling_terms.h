#pragma once

#include <ATen/core/Tensor.h>

#include "plan/ir/plan.h"
#include "run/worker/memory/memory.h"

namespace tritonsmith::run {

/// Samples at places that a tensor holds: grid_sample.
bool samples_by_grid(const plan::AtenStep& step);

/// Of such a step, executed on the float64 values in `memory`: the samples of |x| at the same places, and
/// what the rounding of a place in float32 moves them by. [the result's shape]
at::Tensor resampling_terms(const plan::AtenStep& step, Memory& memory);

}  // namespace tritonsmith::run
