#pragma once

#include <cstdint>

namespace tritonsmith {

/// A binary floating-point format of at most 32 bits: IEEE 754's, bfloat16, the 8-bit ones of the OCP
/// specification and their "fnuz" variants (LLVM's APFloat semantics of the same names).
struct FloatFormat {
    enum class Special : uint8_t {
        ieee,      ///< exponent of all ones: infinities and NaN
        nan_only,  ///< fn: only exponent and mantissa of all ones is NaN, no infinity
        fnuz       ///< only the pattern of negative zero is NaN
    };
    int exponent, mantissa, bias;
    Special special = Special::ieee;
};

inline constexpr FloatFormat kBinary32{8, 23, 127}, kBinary16{5, 10, 15}, kBfloat16{8, 7, 127};
inline constexpr FloatFormat kE5m2{5, 2, 15}, kE5m2fnuz{5, 2, 16, FloatFormat::Special::fnuz};
inline constexpr FloatFormat kE4m3fn{4, 3, 7, FloatFormat::Special::nan_only},
    kE4m3fnuz{4, 3, 8, FloatFormat::Special::fnuz}, kE4m3b11fnuz{4, 3, 11, FloatFormat::Special::fnuz};

/// The value of a bit pattern, exactly.
double decode(FloatFormat format, uint32_t bits);

/// The bit pattern of `value`: rounded to nearest, ties to even. Beyond the range: infinity, or NaN where the
/// format has no infinity.
uint32_t encode(FloatFormat format, double value);

}  // namespace tritonsmith
