#include "base/float_format.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tritonsmith {
namespace {

constexpr FloatFormat kSmall[] = {kBinary16, kBfloat16, kE5m2, kE5m2fnuz, kE4m3fn, kE4m3fnuz, kE4m3b11fnuz};

TEST(FloatFormat, EveryPatternIsThatOfItsValue) {
    for (const FloatFormat format : kSmall)
        for (uint32_t bits = 0; bits < uint32_t{1} << format.bits(); ++bits) {
            const double value = decode(format, bits);
            if (std::isnan(value))
                EXPECT_TRUE(std::isnan(decode(format, encode(format, value))));
            else
                EXPECT_EQ(encode(format, value), bits);
        }
}

TEST(FloatFormat, WhatAFormatCanRepresentIsWhatItsPatternsSay) {
    for (const FloatFormat format : kSmall) {
        double largest = 0, smallest = 1, above_one = 2;
        for (uint32_t bits = 0; bits < uint32_t{1} << format.bits(); ++bits) {
            const double value = decode(format, bits);
            if (std::isfinite(value)) largest = std::max(largest, value);
            if (value > 0) smallest = std::min(smallest, value);
            if (value > 1) above_one = std::min(above_one, value);
        }
        EXPECT_EQ(largest_number(format), largest);
        EXPECT_EQ(format.subnormal(), smallest);
        EXPECT_EQ(format.spacing(), above_one - 1);
    }
    EXPECT_EQ(largest_number(kE4m3fn), 448);
    EXPECT_EQ(largest_number(kE4m3fnuz), 240);
    EXPECT_EQ(largest_number(kE5m2), 57344);
    EXPECT_EQ(largest_number(kE5m2fnuz), 57344);
    EXPECT_EQ(largest_number(kBinary16), 65504);
    EXPECT_EQ(largest_number(kBinary32), std::numeric_limits<float>::max());
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
