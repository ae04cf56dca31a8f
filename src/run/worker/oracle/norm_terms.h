#pragma once

#include <ATen/core/Tensor.h>

#include "plan/ir/plan.h"
#include "run/worker/memory/memory.h"

namespace tritonsmith::run {

/// Subtracts a mean: layer, group and batch normalisation.
bool centres(const plan::AtenStep& step);

/// Of such a step, executed on the float64 values in `memory`: (|x| + |mean|) · rstd · |weight| + |bias|, in
/// the shape of the first result. What rounding errors of x - mean are relative to, however small the
/// difference is: rows of equal elements, and inputs far from zero.
at::Tensor norm_terms(const plan::AtenStep& step, Memory& memory);

}  // namespace tritonsmith::run
