#pragma once

#include <ATen/core/Tensor.h>
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

/// Truths as the bytes that they are stored as, anything else as it is. PyTorch's copies and casts make 1 of
/// every byte but 0, while its sums and logic take the byte: one other than 0 and 1 is no answer.
at::Tensor with_bytes_of_truths(const at::Tensor& tensor);

}  // namespace tritonsmith::run
