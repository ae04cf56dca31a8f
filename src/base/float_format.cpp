#include "base/float_format.h"

#include <algorithm>
#include <cmath>

namespace tritonsmith {

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
    if (code > format.largest_bits())
        return format.special == S::ieee ? sign | infinity : format.special == S::nan_only ? sign | nan : nan;
    if (code == 0 && format.special == S::fnuz) return 0;
    return static_cast<uint32_t>(sign | code);
}

}  // namespace tritonsmith
