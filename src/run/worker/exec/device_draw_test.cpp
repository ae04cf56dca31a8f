#include "run/worker/exec/device_draw.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <gtest/gtest.h>

#include <cmath>

/// On the CPU, whose generator has the same interface; laws are held to the moments that their definitions
/// give.
namespace tritonsmith::run {
namespace {

constexpr int64_t kManyOnDevice = 200000;
const DrawKey kKey{7, 1, 3};

at::Tensor draw_on_device(const Distribution& law, at::ScalarType type = at::kFloat,
                          const DrawKey& key = kKey, const Variant& variant = {},
                          int64_t count = kManyOnDevice) {
    at::Tensor out = at::empty({count}, type);
    device_draw(out, {key, law, plan::DType::f32, variant});
    return out;
}
double mean_of(const at::Tensor& values) {
    return values.to(at::kDouble).mean().item<double>();
}
double deviation_of(const at::Tensor& values) {
    return values.to(at::kDouble).std().item<double>();
}
double least_of(const at::Tensor& values) {
    return values.min().item().toDouble();
}
double most_of(const at::Tensor& values) {
    return values.max().item().toDouble();
}
double median_of(const at::Tensor& values) {
    return values.median().item().toDouble();
}

TEST(DeviceDraw, Uniform) {
    const at::Tensor values = draw_on_device({Law::uniform, -2, 6});
    EXPECT_NEAR(mean_of(values), 2, 0.03);
    EXPECT_NEAR(deviation_of(values), 8 / std::sqrt(12.0), 0.02);
    EXPECT_GE(least_of(values), -2);
    EXPECT_LT(least_of(values), -1.99);
    EXPECT_LT(most_of(values), 6.0001);
    EXPECT_GT(most_of(values), 5.99);
}

TEST(DeviceDraw, Normal) {
    const at::Tensor values = draw_on_device({Law::normal, 1, 3});
    EXPECT_NEAR(mean_of(values), 1, 0.04);
    EXPECT_NEAR(deviation_of(values), 3, 0.03);
    EXPECT_NEAR(mean_of(values.sub(1).abs().lt(3)), 0.6827, 0.006);
    EXPECT_GT(most_of(values), 1 + 3 * 3.5);
}

TEST(DeviceDraw, LogNormal) {
    const at::Tensor values = draw_on_device({Law::log_normal, 0.5, 0.25}).log();
    EXPECT_NEAR(mean_of(values), 0.5, 0.004);
    EXPECT_NEAR(deviation_of(values), 0.25, 0.003);
}

TEST(DeviceDraw, Exponential) {
    const at::Tensor values = draw_on_device({Law::exponential, 4, 0});
    EXPECT_NEAR(mean_of(values), 0.25, 0.004);
    EXPECT_NEAR(deviation_of(values), 0.25, 0.006);
    EXPECT_GE(least_of(values), 0);
}

TEST(DeviceDraw, Cauchy) {
    const at::Tensor values = draw_on_device({Law::cauchy, 2, 0.5});
    EXPECT_NEAR(median_of(values), 2, 0.01);
    EXPECT_NEAR(mean_of(values.sub(2).abs().lt(0.5)), 0.5, 0.006) << "half of it lies within one scale";
}

TEST(DeviceDraw, Bernoulli) {
    const at::Tensor values = draw_on_device({Law::bernoulli, 0.3, 0});
    EXPECT_NEAR(mean_of(values), 0.3, 0.006);
    EXPECT_TRUE(values.eq(0).logical_or(values.eq(1)).all().item<bool>());
    EXPECT_NEAR(mean_of(draw_on_device({Law::bernoulli, 0.3, 0}, at::kBool)), 0.3, 0.006);
}

TEST(DeviceDraw, Geometric) {
    const at::Tensor values = draw_on_device({Law::geometric, 0.25, 0});
    EXPECT_NEAR(mean_of(values), 4, 0.05);
    EXPECT_NEAR(deviation_of(values), std::sqrt(0.75) / 0.25, 0.08);
    EXPECT_EQ(least_of(values), 1);
    EXPECT_TRUE(draw_on_device({Law::geometric, 1, 0}).eq(1).all().item<bool>());
}

TEST(DeviceDraw, IntegersCoverTheirRangeEvenly) {
    Distribution law{Law::integer};
    law.low = -3;
    law.count = 8;
    for (const at::ScalarType type : {at::kLong, at::kInt, at::kChar, at::kFloat}) {
        const at::Tensor values = draw_on_device(law, type);
        for (int64_t v = -3; v < 5; ++v) EXPECT_NEAR(mean_of(values.eq(v)), 0.125, 0.005) << v;
        EXPECT_EQ(least_of(values), -3);
        EXPECT_EQ(most_of(values), 4);
    }
    law.low = 0;
    law.count = 0;  // all 64 bits
    const at::Tensor wide = draw_on_device(law, at::kLong);
    EXPECT_NEAR(mean_of(wide.lt(0)), 0.5, 0.01);
    EXPECT_NEAR(mean_of(wide.bitwise_and(1)), 0.5, 0.01);
    EXPECT_NEAR(mean_of(wide.bitwise_and(int64_t{1} << 62).ne(0)), 0.5, 0.01);
}

TEST(DeviceDraw, APermutationIsOne) {
    Distribution law{Law::permutation};
    law.count = 1000;
    const at::Tensor values = draw_on_device(law, at::kLong, kKey, {}, 1000);
    EXPECT_TRUE(std::get<0>(values.sort()).equal(at::arange(1000, at::kLong)));
    EXPECT_FALSE(values.equal(at::arange(1000, at::kLong)));
    EXPECT_ANY_THROW(draw_on_device(law, at::kLong, kKey, {}, 999));
}

TEST(DeviceDraw, TheKeyDecides) {
    const Distribution law{Law::normal, 0, 1};
    const at::Tensor values = draw_on_device(law);
    EXPECT_TRUE(draw_on_device(law).equal(values));
    for (const DrawKey& other : {DrawKey{8, 1, 3}, DrawKey{7, 2, 3}, DrawKey{7, 1, 4}, DrawKey{7, 3, 1}}) {
        const at::Tensor drawn = draw_on_device(law, at::kFloat, other);
        EXPECT_LT(mean_of(drawn.eq(values)), 0.01);
        EXPECT_NEAR(mean_of(drawn * values), 0, 0.015) << "not the same in other clothes either";
    }
}

TEST(DeviceDraw, VariantsAreAppliedInFloat32) {
    const Distribution law{Law::uniform, 0, 1};
    const at::Tensor values = draw_on_device(law);
    EXPECT_TRUE(draw_on_device(law, at::kFloat, kKey, {-1, 2, 0.5}).equal(values * -2 + 0.5));
    Distribution whole{Law::integer};
    whole.count = 100;
    EXPECT_TRUE(draw_on_device(whole, at::kLong, kKey, {-1, 2, 0.5}).equal(draw_on_device(whole, at::kLong)))
        << "integers have none";
}

TEST(DeviceDraw, OtherTypesHoldWhatFloat32Rounds) {
    const Distribution law{Law::normal, 0, 1};
    const at::Tensor values = draw_on_device(law);
    EXPECT_TRUE(draw_on_device(law, at::kDouble).equal(values.to(at::kDouble)));
    EXPECT_TRUE(draw_on_device(law, at::kHalf).equal(values.to(at::kHalf)));
    EXPECT_TRUE(draw_on_device(law, at::kBFloat16).equal(values.to(at::kBFloat16)));
    EXPECT_THROW(draw_on_device(law, at::kComplexFloat), InputError);
    EXPECT_THROW(draw_on_device(law, at::kFloat8_e4m3fn), InputError);
}

}  // namespace
}  // namespace tritonsmith::run
