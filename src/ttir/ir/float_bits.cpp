#include "ttir/ir/float_bits.h"

#include <bit>
#include <cmath>

namespace tritonsmith::ttir {
namespace {

/// OCP 8-bit floating point formats and their "fnuz" variants (LLVM's APFloat semantics of the same names).
struct Format {
    int exponent, mantissa, bias;
    enum class Special {
        ieee,
        nan_only,
        unsigned_zero
    } special;  ///< fn: no infinity; fnuz: NaN is negative zero
};

Format format_of(Scalar type) {
    using S = Format::Special;
    switch (type) {
        case Scalar::f8e4m3fn:
            return {4, 3, 7, S::nan_only};
        case Scalar::f8e4m3b11fnuz:
            return {4, 3, 11, S::unsigned_zero};
        case Scalar::f8e5m2:
            return {5, 2, 15, S::ieee};
        case Scalar::f8e4m3fnuz:
            return {4, 3, 8, S::unsigned_zero};
        case Scalar::f8e5m2fnuz:
            return {5, 2, 16, S::unsigned_zero};
        case Scalar::bf16:
            return {8, 7, 127, S::ieee};
        case Scalar::f16:
            return {5, 10, 15, S::ieee};
        default:
            return {8, 23, 127, S::ieee};
    }
}

/// Powers of two without a sign: the exponent alone, 0xFF is NaN.
uint64_t e8m0_bits(double value) {
    if (std::isnan(value) || value <= 0) return 0xFF;
    int exponent = 0;
    double fraction = std::frexp(value, &exponent);  // in [0.5, 1)
    int64_t biased = exponent - 1 + 127 + (fraction > 0.75 ? 1 : 0);
    return biased < 0 ? 0 : biased > 254 ? 0xFF : static_cast<uint64_t>(biased);
}

}  // namespace

uint64_t float_bits(Scalar type, double value) {
    if (type == Scalar::f64) return std::bit_cast<uint64_t>(value);
    if (type == Scalar::f32) return std::bit_cast<uint32_t>(static_cast<float>(value));
    if (type == Scalar::f8e8m0fnu) return e8m0_bits(value);
    Format format = format_of(type);
    using S = Format::Special;
    uint64_t sign = std::signbit(value) ? uint64_t{1} << (format.exponent + format.mantissa) : 0;
    uint64_t top = (uint64_t{1} << format.exponent) - 1;
    uint64_t infinity = top << format.mantissa;
    uint64_t nan = format.special == S::ieee       ? infinity | (uint64_t{1} << (format.mantissa - 1))
                   : format.special == S::nan_only ? infinity | ((uint64_t{1} << format.mantissa) - 1)
                                                   : uint64_t{1} << (format.exponent + format.mantissa);
    if (format.special == S::unsigned_zero) {
        if (std::isnan(value) || std::isinf(value)) return nan;
    } else if (std::isnan(value)) {
        return sign | nan;
    } else if (std::isinf(value)) {
        return sign | (format.special == S::ieee ? infinity : nan);
    }
    if (value == 0) return format.special == S::unsigned_zero ? 0 : sign;
    int exponent = 0;
    std::frexp(value, &exponent);
    int lowest = 1 - format.bias;                                  // exponent of the smallest normal number
    int scale = std::max(exponent - 1, lowest) - format.mantissa;  // exponent of the last bit kept
    double steps = std::nearbyint(std::ldexp(std::fabs(value), -scale));
    // The code counts steps: mantissa overflow carries into the exponent by itself.
    uint64_t code = static_cast<uint64_t>(steps);
    if (exponent - 1 >= lowest) code += static_cast<uint64_t>(exponent - 1 - lowest) << format.mantissa;
    uint64_t largest = format.special == S::ieee       ? infinity - 1
                       : format.special == S::nan_only ? nan - 1
                                                       : infinity | ((uint64_t{1} << format.mantissa) - 1);
    if (code > largest)
        return format.special == S::ieee ? sign | infinity : format.special == S::nan_only ? sign | nan : nan;
    if (code == 0 && format.special == S::unsigned_zero) return 0;
    return sign | code;
}

}  // namespace tritonsmith::ttir
