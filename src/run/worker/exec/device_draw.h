#pragma once

#include <ATen/core/Tensor.h>

#include "run/draw/draw.h"

namespace tritonsmith::run {

/// Fills a contiguous tensor on its own device, with torch's generator of that device seeded by the key: the
/// same values again on the same kind of device, but not those that `fill` (draw.h) makes on the CPU.
/// Floating values are drawn in float32, then the variant is applied (its pattern by the same formulas), then
/// they are rounded, as there.
/// @throws InputError for complex and 8-bit floats, StepError unsupported_operation
void device_draw(const at::Tensor& tensor, const Draw& draw);

}  // namespace tritonsmith::run
