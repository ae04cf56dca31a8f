#pragma once

#include <c10/core/ScalarType.h>
#include <c10/util/ArrayRef.h>

#include <string>

#include "plan/ir/plan.h"

namespace tritonsmith::run {

at::ScalarType to_torch(plan::DType dtype);
/// @throws StepError(unsupported_operation) for dtypes that plans do not have (quantised, sub-byte).
plan::DType from_torch(at::ScalarType type);
/// "[2, 3] f32"
std::string shape_text(c10::IntArrayRef shape, at::ScalarType type);

}  // namespace tritonsmith::run
