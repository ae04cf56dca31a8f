#pragma once

#include "numerics/spacing.h"
#include "plan/ir/plan.h"

namespace tritonsmith::numerics {

/// Of a type that is not floating: float32's, in which kernels compute.
Format format(plan::DType dtype);

/// Floating or complex.
bool inexact(plan::DType dtype);

/// Stored in fewer bits than sums are made in.
bool narrow(plan::DType dtype);

}  // namespace tritonsmith::numerics
