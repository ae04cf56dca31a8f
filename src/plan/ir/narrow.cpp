#include "plan/ir/narrow.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace tritonsmith::plan {
namespace {

enum class Special : uint8_t {
    ieee,      ///< exponent of all ones: infinities and NaN
    nan_only,  ///< e4m3fn: only exponent and mantissa of all ones is NaN, no infinity
    fnuz       ///< only the pattern of negative zero is NaN
};

double decode(uint32_t bits, int exponent_bits, int mantissa_bits, int bias, Special special) {
    uint32_t sign = bits >> (exponent_bits + mantissa_bits) & 1;
    uint32_t exponent = bits >> mantissa_bits & ((1u << exponent_bits) - 1);
    uint32_t mantissa = bits & ((1u << mantissa_bits) - 1);
    uint32_t top = (1u << exponent_bits) - 1, full = (1u << mantissa_bits) - 1;
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    if (special == Special::fnuz && sign && exponent == 0 && mantissa == 0) return kNan;
    if (special == Special::nan_only && exponent == top && mantissa == full) return kNan;
    double value;
    if (special == Special::ieee && exponent == top)
        value = mantissa ? kNan : std::numeric_limits<double>::infinity();
    else if (exponent == 0)
        value = std::ldexp(mantissa, 1 - bias - mantissa_bits);
    else
        value =
            std::ldexp(mantissa + (1u << mantissa_bits), static_cast<int>(exponent) - bias - mantissa_bits);
    return sign ? -value : value;
}

template <typename Type>
Type load(const uint8_t* bytes) {
    Type value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

}  // namespace

double read_floating(const uint8_t* bytes, DType dtype) {
    switch (dtype) {
        case DType::f64:
            return load<double>(bytes);
        case DType::f32:
            return load<float>(bytes);
        case DType::f16:
            return decode(load<uint16_t>(bytes), 5, 10, 15, Special::ieee);
        case DType::bf16:
            return decode(load<uint16_t>(bytes), 8, 7, 127, Special::ieee);
        case DType::f8e5m2:
            return decode(*bytes, 5, 2, 15, Special::ieee);
        case DType::f8e4m3fn:
            return decode(*bytes, 4, 3, 7, Special::nan_only);
        case DType::f8e5m2fnuz:
            return decode(*bytes, 5, 2, 16, Special::fnuz);
        case DType::f8e4m3fnuz:
            return decode(*bytes, 4, 3, 8, Special::fnuz);
        default:
            return std::numeric_limits<double>::quiet_NaN();
    }
}

}  // namespace tritonsmith::plan
