#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

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

    constexpr int bits() const { return 1 + exponent + mantissa; }
    /// Of the numbers next to one.
    constexpr double spacing() const { return power_of_two(-mantissa); }
    /// The smallest number above zero.
    constexpr double subnormal() const { return power_of_two(1 - bias - mantissa); }
    /// The pattern of the largest finite number.
    constexpr uint32_t largest_bits() const {
        const uint32_t all = (uint32_t{1} << (exponent + mantissa)) - 1;
        return special == Special::ieee       ? all - (uint32_t{1} << mantissa)
               : special == Special::nan_only ? all - 1
                                              : all;
    }

    /// 2^power, for -1022 <= power <= 1023: the scales of all these formats are normal numbers of float64.
    static constexpr double power_of_two(int power) {
        return std::bit_cast<double>(static_cast<uint64_t>(power + 1023) << 52);
    }
};

inline constexpr FloatFormat kBinary32{8, 23, 127}, kBinary16{5, 10, 15}, kBfloat16{8, 7, 127};
inline constexpr FloatFormat kE5m2{5, 2, 15}, kE5m2fnuz{5, 2, 16, FloatFormat::Special::fnuz};
inline constexpr FloatFormat kE4m3fn{4, 3, 7, FloatFormat::Special::nan_only},
    kE4m3fnuz{4, 3, 8, FloatFormat::Special::fnuz}, kE4m3b11fnuz{4, 3, 11, FloatFormat::Special::fnuz};

/// The value of a bit pattern, exactly. In line and without branches but for `format`: loops over elements of
/// a known format are vectorised.
constexpr double decode(FloatFormat format, uint32_t bits) {
    using S = FloatFormat::Special;
    const uint32_t sign = bits >> (format.exponent + format.mantissa) & 1;
    const uint32_t exponent = bits >> format.mantissa & ((uint32_t{1} << format.exponent) - 1);
    const uint32_t mantissa = bits & ((uint32_t{1} << format.mantissa) - 1);
    const uint32_t top = (uint32_t{1} << format.exponent) - 1, full = (uint32_t{1} << format.mantissa) - 1;
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    const int scale = static_cast<int>(std::max(exponent, uint32_t{1})) - format.bias - format.mantissa;
    const auto digits = static_cast<int>(mantissa + (exponent == 0 ? 0 : uint32_t{1} << format.mantissa));
    double value = digits * FloatFormat::power_of_two(scale);
    if (format.special == S::ieee && exponent == top)
        value = mantissa ? kNan : std::numeric_limits<double>::infinity();
    if (format.special == S::nan_only && exponent == top && mantissa == full) value = kNan;
    if (format.special == S::fnuz && sign && exponent == 0 && mantissa == 0) return kNan;
    return sign ? -value : value;
}

/// The largest finite number.
constexpr double largest_number(FloatFormat format) {
    return decode(format, format.largest_bits());
}

/// The bit pattern of `value`: rounded to nearest, ties to even. Beyond the range: infinity, or NaN where the
/// format has no infinity.
uint32_t encode(FloatFormat format, double value);

}  // namespace tritonsmith
