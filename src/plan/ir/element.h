#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// One stored element in float64. Not for complex types.
double read_element(const std::byte* bytes, plan::DType dtype);
/// Many, that lie `step` bytes apart.
void read_elements(const std::byte* bytes, int64_t step, plan::DType dtype, std::span<double> out);

}  // namespace tritonsmith::plan
