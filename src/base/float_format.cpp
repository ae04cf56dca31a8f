#include "base/float_format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tritonsmith {

double decode(FloatFormat format, uint32_t bits) {
    using S = FloatFormat::Special;
    uint32_t sign = bits >> (format.exponent + format.mantissa) & 1;
    uint32_t exponent = bits >> format.mantissa & ((1u << format.exponent) - 1);
    uint32_t mantissa = bits & ((1u << format.mantissa) - 1);
    uint32_t top = (1u << format.exponent) - 1, full = (1u << format.mantissa) - 1;
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    if (format.special == S::fnuz && sign && exponent == 0 && mantissa == 0) return kNan;
    if (format.special == S::nan_only && exponent == top && mantissa == full) return kNan;
    double value;
    if (format.special == S::ieee && exponent == top)
        value = mantissa ? kNan : std::numeric_limits<double>::infinity();
    else if (exponent == 0)
        value = std::ldexp(mantissa, 1 - format.bias - format.mantissa);
    else
        value = std::ldexp(mantissa + (1u << format.mantissa),
                           static_cast<int>(exponent) - format.bias - format.mantissa);
    return sign ? -value : value;
}

uint32_t encode(FloatFormat format, double value) {
    using S = FloatFormat::Special;
    uint32_t sign = std::signbit(value) ? uint32_t{1} << (format.exponent + format.mantissa) : 0;
    const uint32_t top = (uint32_t{1} << format.exponent) - 1;
    const uint32_t infinity = top << format.mantissa;
    uint32_t nan = format.special == S::ieee       ? infinity | (uint32_t{1} << (format.mantissa - 1))
                   : format.special == S::nan_only ? infinity | ((uint32_t{1} << format.mantissa) - 1)
                                                   : uint32_t{1} << (format.exponent + format.mantissa);
    if (format.special == S::fnuz) {
        if (std::isnan(value) || std::isinf(value)) return nan;
    } else if (std::isnan(value)) {
        return sign | nan;
    } else if (std::isinf(value)) {
        return sign | (format.special == S::ieee ? infinity : nan);
    }
    if (value == 0) return format.special == S::fnuz ? 0 : sign;
    int exponent = 0;
    std::frexp(value, &exponent);
    int lowest = 1 - format.bias;                                  // exponent of the smallest normal number
    int scale = std::max(exponent - 1, lowest) - format.mantissa;  // exponent of the last bit kept
    double steps = std::nearbyint(std::ldexp(std::fabs(value), -scale));
    // The code counts steps: mantissa overflow carries into the exponent by itself.
    uint64_t code = static_cast<uint64_t>(steps);
    if (exponent - 1 >= lowest) code += static_cast<uint64_t>(exponent - 1 - lowest) << format.mantissa;
    uint32_t largest = format.special == S::ieee       ? infinity - 1
                       : format.special == S::nan_only ? nan - 1
                                                       : infinity | ((uint32_t{1} << format.mantissa) - 1);
    if (code > largest)
        return format.special == S::ieee ? sign | infinity : format.special == S::nan_only ? sign | nan : nan;
    if (code == 0 && format.special == S::fnuz) return 0;
    return static_cast<uint32_t>(sign | code);
}

}  // namespace tritonsmith
