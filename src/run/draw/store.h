#pragma once

#include <cstddef>

#include "plan/ir/plan.h"

namespace tritonsmith::run {

/// Writes a number as one element: floating types round to nearest, integers drop the fraction. False (and
/// nothing written) for 8-bit floats and complex numbers.
bool store(std::byte* out, plan::DType dtype, double value);
/// Between types that store() takes; the same bytes where both are one.
bool convert(const std::byte* from, plan::DType from_dtype, std::byte* to, plan::DType to_dtype);
/// Whether convert() does it.
bool convertible(plan::DType from, plan::DType to);

}  // namespace tritonsmith::run
