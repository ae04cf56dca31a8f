#pragma once

#include <ATen/core/Tensor.h>

#include "plan/ir/plan.h"

namespace tritonsmith::run {

/// As `poison` (poison.h) for memory of any device, without waiting for it. @param bytes contiguous, of dtype
/// u8, its first byte at a multiple of 8
void device_poison(const at::Tensor& bytes, plan::DType dtype, uint64_t seed);

}  // namespace tritonsmith::run
