#pragma once

#include <ATen/core/Tensor.h>

#include "plan/ir/plan.h"
#include "run/worker/memory/memory.h"

namespace tritonsmith::run {

/// Published kernels of narrow types round to that type inside of some operators: attention's queries
/// once they are scaled, and its probabilities before they are multiplied by v; what a norm normalises before
/// its weight, and their product before its bias.
bool rounds_inside(const plan::AtenStep& step);

/// Of such a step, executed on the float64 values in `memory`: the root of the sum of squares of what half a
/// unit (of the type that `rounded` is) of each such number changes in an element of the first result.
at::Tensor inner_rounding(const plan::AtenStep& step, plan::DType rounded, Memory& memory);

}  // namespace tritonsmith::run
