#include "base/float_format.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tritonsmith {
namespace {

constexpr FloatFormat kSmall[] = {kBinary16, kBfloat16, kE5m2, kE5m2fnuz, kE4m3fn, kE4m3fnuz, kE4m3b11fnuz};

int bits_of(FloatFormat format) {
    return 1 + format.exponent + format.mantissa;
}

TEST(FloatFormat, EveryPatternIsThatOfItsValue) {
    for (const FloatFormat format : kSmall)
        for (uint32_t bits = 0; bits < uint32_t{1} << bits_of(format); ++bits) {
            const double value = decode(format, bits);
            if (std::isnan(value))
                EXPECT_TRUE(std::isnan(decode(format, encode(format, value))));
            else
                EXPECT_EQ(encode(format, value), bits);
        }
}

TEST(FloatFormat, TiesGoToEvenAndWhatIsBeyondTheRangeToInfinityOrNan) {
    EXPECT_EQ(encode(kBfloat16, 1 + 0x1p-8), 0x3F80);
    EXPECT_EQ(encode(kBfloat16, 1 + 3 * 0x1p-8), 0x3F82);
    EXPECT_EQ(decode(kE4m3fn, 0x7E), 448);
    EXPECT_EQ(decode(kE5m2, encode(kE5m2, 1e9)), INFINITY);
    for (const FloatFormat format : {kE4m3fn, kE4m3fnuz, kE5m2fnuz})
        EXPECT_TRUE(std::isnan(decode(format, encode(format, 1e9))));
    EXPECT_EQ(encode(kE4m3fnuz, -0.0), 0);
    EXPECT_EQ(encode(kBinary16, -0.0), 0x8000);
    EXPECT_EQ(encode(kBinary32, 0.1), 0x3DCCCCCD);
}

}  // namespace
}  // namespace tritonsmith
