#include "ttir/interp/simd/approximate.h"

#include <gtest/gtest.h>

#include <random>

#include "ttir/interp/simd/libdevice.h"

namespace tritonsmith::ttir {
namespace {

float call(const char* symbol, float x, float y = 0) {
    float out = NAN;
    const std::byte* in[] = {reinterpret_cast<const std::byte*>(&x), reinterpret_cast<const std::byte*>(&y)};
    find_libdevice(symbol)(reinterpret_cast<std::byte*>(&out), in, 1);
    return out;
}

/// The largest |approximate - exact| over many arguments between -most and most.
template <class Approximate, class Exact>
double largest_error(double most, Approximate approximate, Exact exact) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform(-most, most);
    double largest = 0;
    for (int i = 0; i < 20'000; ++i) {
        const auto x = static_cast<float>(uniform(random));
        largest = std::max(largest, std::abs(approximate(x) - exact(static_cast<double>(x))));
    }
    return largest;
}

TEST(Approximate, AnglesAreAsFarOffAsDocumented) {
    const auto sine = [](double x) { return std::sin(x); };
    const auto cosine = [](double x) { return std::cos(x); };
    for (const double error : {largest_error(2 * std::numbers::pi, approximate::sine, sine),
                               largest_error(2 * std::numbers::pi, approximate::cosine, cosine)}) {
        EXPECT_LE(error, std::exp2(-20.5));
        EXPECT_GE(error, std::exp2(-22.5));
    }
    const double far = largest_error(100 * std::numbers::pi, approximate::sine, sine);
    EXPECT_LE(far, std::exp2(-14.7));
    EXPECT_GE(far, 0x1p-16);
    EXPECT_GE(largest_error(0x1p26, approximate::sine, sine), 0.5) << "nothing is left of the angle";
    // On an H100: 2^-22.35 at most up to 0.01, 2^-21.48 up to 1; the cosine near one 2^-23.
    EXPECT_NEAR(std::log2(largest_error(0x1p-7, approximate::sine, sine)), -22.35, 0.05);
    EXPECT_NEAR(std::log2(largest_error(1, approximate::sine, sine)), -21.48, 0.3);
    EXPECT_LE(largest_error(0x1p-7, approximate::cosine, cosine), 0x1p-22);
    EXPECT_EQ(approximate::sine(1e-8), 0);
    EXPECT_TRUE(std::isnan(approximate::sine(INFINITY)));
}

TEST(Approximate, LogarithmsNearOneHaveAnAbsoluteError) {
    EXPECT_EQ(approximate::logarithm(1), 0);
    EXPECT_EQ(approximate::logarithm(8), 3);
    const auto shifted = [](double x) { return approximate::logarithm(1 + x); };
    const double error = largest_error(0x1p-8, shifted, [](double x) { return std::log2(1 + x); });
    EXPECT_LE(error, 0x1p-22);
    EXPECT_GE(error, 0x1p-23);
}

TEST(Approximate, LibdeviceMakesItsFastFunctionsOfThem) {
    EXPECT_EQ(call("__nv_fast_expf", 0), 1.0F);
    EXPECT_EQ(call("__nv_fast_exp10f", 0), 1.0F);
    EXPECT_NEAR(call("__nv_fast_expf", 80) / std::exp(80.0), 1, 82 * 0x1p-23);
    EXPECT_NE(call("__nv_fast_expf", 80), static_cast<float>(std::exp(80.0)));
    EXPECT_NEAR(call("__nv_fast_powf", 3000.0F, 1.7F) / std::pow(3000.0, static_cast<double>(1.7F)), 1, 4e-6);
    EXPECT_NEAR(call("__nv_fast_logf", 1000.0F), std::log(1000.0), 3 * 0x1p-21);
    EXPECT_NEAR(call("__nv_fast_log10f", 1000.0F), 3, 3 * 0x1p-22);
    EXPECT_NEAR(call("__nv_fast_tanf", 1.0F), std::tan(1.0), 0x1p-20);
    EXPECT_EQ(call("__nv_fast_sinf", 1.0F), static_cast<float>(approximate::sine(1)));
    EXPECT_EQ(call("__nv_sinf", 3e5F), static_cast<float>(std::sin(3e5))) << "the accurate one stays so";
    EXPECT_EQ(call("__nv_fast_fdividef", 1.0F, 0x1p127F), 0.0F);
}

}  // namespace
}  // namespace tritonsmith::ttir
