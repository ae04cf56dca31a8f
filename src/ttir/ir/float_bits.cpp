#include "ttir/ir/float_bits.h"

#include <bit>
#include <cmath>

#include "base/float_format.h"

namespace tritonsmith::ttir {
namespace {

FloatFormat format_of(Scalar type) {
    switch (type) {
        case Scalar::f8e4m3fn:
            return kE4m3fn;
        case Scalar::f8e4m3b11fnuz:
            return kE4m3b11fnuz;
        case Scalar::f8e5m2:
            return kE5m2;
        case Scalar::f8e4m3fnuz:
            return kE4m3fnuz;
        case Scalar::f8e5m2fnuz:
            return kE5m2fnuz;
        case Scalar::bf16:
            return kBfloat16;
        case Scalar::f16:
            return kBinary16;
        default:
            return kBinary32;
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
    return encode(format_of(type), value);
}

}  // namespace tritonsmith::ttir
