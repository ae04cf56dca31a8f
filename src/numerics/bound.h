#pragma once

#include <cstdint>

#include "numerics/element_bound.h"
#include "numerics/format.h"
#include "numerics/precision.h"
#include "numerics/tolerance.h"

namespace tritonsmith::numerics {

/// Of an output of this dtype. @param longest_reduction K: terms of the longest sum behind an element
Bound bound_of(plan::DType dtype, int64_t longest_reduction, double rms, const Tolerance& tolerance,
               Precision precision, bool wide);

}  // namespace tritonsmith::numerics
