#pragma once

#include <cstdint>

#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

/// The bit pattern of `value` in a floating type: rounded to nearest, ties to even, as LLVM's APFloat does
/// when MLIR reads a literal. Beyond the range: infinity, or NaN where the type has no infinity.
uint64_t float_bits(Scalar type, double value);

}  // namespace tritonsmith::ttir
