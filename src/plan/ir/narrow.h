#pragma once

#include <cstdint>

#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// Value of one element of a floating dtype, exactly. `bytes` holds element_size(dtype) bytes, little-endian.
/// Formats: IEEE 754 binary16/32/64, bfloat16, and the four fp8 of the OCP specification and its fnuz
/// variants.
double read_floating(const uint8_t* bytes, DType dtype);

}  // namespace tritonsmith::plan
