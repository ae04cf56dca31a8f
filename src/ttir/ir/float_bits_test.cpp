#include "ttir/ir/float_bits.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tritonsmith::ttir {
namespace {

struct Known {
    Scalar type;
    double value;
    uint64_t bits;
};

// Values from the OCP 8-bit formats' specification and IEEE 754.
TEST(FloatBits, KnownPatterns) {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
    for (const Known& known : std::vector<Known>{
             {Scalar::f64, -0.0, uint64_t{1} << 63},
             {Scalar::f32, 0.1, 0x3DCCCCCD},
             {Scalar::f16, 0.0, 0},
             {Scalar::f16, 1.0, 0x3C00},
             {Scalar::f16, 65504, 0x7BFF},
             {Scalar::f16, 65520, 0x7C00},
             {Scalar::f16, 0x1p-24, 1},
             {Scalar::f16, 0x1p-25, 0},
             {Scalar::f16, -2.0, 0xC000},
             {Scalar::f16, 0x1.8p-25, 1},
             {Scalar::f16, 0x1p-14, 0x400},
             {Scalar::bf16, 1.0, 0x3F80},
             {Scalar::bf16, 1.00390625, 0x3F80},
             {Scalar::bf16, 1.01171875, 0x3F82},
             {Scalar::f16, inf, 0x7C00},
             {Scalar::f16, nan, 0x7E00},
             {Scalar::f8e4m3fn, 448, 0x7E},
             {Scalar::f8e4m3fn, 1e6, 0x7F},
             {Scalar::f8e4m3fn, -448, 0xFE},
             {Scalar::f8e4m3fn, 1.0, 0x38},
             {Scalar::f8e5m2, 57344, 0x7B},
             {Scalar::f8e5m2, 1e6, 0x7C},
             {Scalar::f8e5m2, nan, 0x7E},
             {Scalar::f8e4m3fnuz, 240, 0x7F},
             {Scalar::f8e4m3fnuz, -0.0, 0},
             {Scalar::f8e4m3fnuz, inf, 0x80},
             {Scalar::f8e5m2fnuz, 1.0, 0x40},
             {Scalar::f8e8m0fnu, 1.0, 127},
             {Scalar::f8e8m0fnu, 2.0, 128},
             {Scalar::f8e8m0fnu, nan, 0xFF},
         }) {
        EXPECT_EQ(float_bits(known.type, known.value), known.bits)
            << static_cast<int>(known.type) << " " << known.value;
    }
}

/// Every finite pattern of a format decodes to a value that encodes to the same pattern; half-way values go
/// to even.
TEST(FloatBits, EveryPatternComesBack) {
    struct Format {
        Scalar type;
        int exponent, mantissa, bias;
        uint64_t largest;
    };
    for (const Format& f : std::vector<Format>{{Scalar::f8e4m3fn, 4, 3, 7, 0x7E},
                                               {Scalar::f8e5m2, 5, 2, 15, 0x7B},
                                               {Scalar::f8e4m3fnuz, 4, 3, 8, 0x7F},
                                               {Scalar::f8e5m2fnuz, 5, 2, 16, 0x7F},
                                               {Scalar::f8e4m3b11fnuz, 4, 3, 11, 0x7F},
                                               {Scalar::f16, 5, 10, 15, 0x7BFF},
                                               {Scalar::bf16, 8, 7, 127, 0x7F7F}}) {
        auto decode = [&](uint64_t code) {
            double mantissa = static_cast<double>(code & ((uint64_t{1} << f.mantissa) - 1));
            int exponent = static_cast<int>(code >> f.mantissa);
            if (exponent == 0) return std::ldexp(mantissa, 1 - f.bias - f.mantissa);
            return std::ldexp(mantissa + std::ldexp(1.0, f.mantissa), exponent - f.bias - f.mantissa);
        };
        uint64_t sign = uint64_t{1} << (f.exponent + f.mantissa);
        for (uint64_t code = 0; code <= f.largest; ++code) {
            ASSERT_EQ(float_bits(f.type, decode(code)), code);
            if (code) {
                ASSERT_EQ(float_bits(f.type, -decode(code)), code | sign);
            }
            if (code == f.largest) break;
            double middle = (decode(code) + decode(code + 1)) / 2;
            ASSERT_EQ(float_bits(f.type, middle), code % 2 ? code + 1 : code);
            ASSERT_EQ(float_bits(f.type, std::nextafter(middle, 1e300)), code + 1);
        }
    }
}

}  // namespace
}  // namespace tritonsmith::ttir
