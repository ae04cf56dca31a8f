#pragma once

#include <ATen/core/Tensor.h>

#include "plan/ir/plan.h"
#include "run/worker/memory/memory.h"

namespace tritonsmith::run {

/// Kernels split the long sums of a product of matrices over several programs, and may store the parts in the
/// type of the result: each part rounds, and so does the whole where something is added to it. Parts are as
/// large as the sum of magnitudes where terms have one sign there, and may cancel each other.
/// @return of mm, addmm, bmm and baddbmm, executed on the float64 values in `memory`, the sum of squares of
/// those numbers for each element of the result; undefined: the step is none of them
at::Tensor squares_of_parts(const plan::AtenStep& step, Memory& memory);

}  // namespace tritonsmith::run
