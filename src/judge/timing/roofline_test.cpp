#include "judge/timing/roofline.h"

#include <gtest/gtest.h>

#include "run/plan_builder_testing.h"

namespace tritonsmith::judge {
namespace {

using plan::DType;
using plan::Phase;
using run::testing::integers;
using run::testing::PlanBuilder;
using run::testing::sequence;
using run::testing::value;

constexpr int64_t kMega = 1 << 20;

/// out = x · w of square matrices, by a module that has another weight and takes another input, neither of
/// them read.
struct Product : PlanBuilder {
    plan::Tensor x = tensor({256, 256}), unread = tensor({kMega}), w = tensor({256, 256}),
                 idle = tensor({kMega}), out = tensor({256, 256});

    Product() {
        aten(Phase::inputs, "aten::rand", {integers({256, 256})}, value(x), 0);
        aten(Phase::inputs, "aten::rand", {integers({kMega})}, value(unread), 1);
        plan.inputs = {value(x), value(unread)};
        aten(Phase::init, "aten::zeros", {integers({256, 256})}, value(w));
        aten(Phase::init, "aten::zeros", {integers({kMega})}, value(idle));
        weight("w", w);
        weight("idle", idle);
        forward("aten::mm", {value(x), value(w)}, value(out));
        plan.output = value(out);
    }
};

const Json kDevice = {{"bytes_per_second", 1e12}, {"l2_bytes", int64_t{100000}}};
constexpr int64_t kMatrix = 256 * 256 * 4;

TEST(SpeedOfLight, CountsWhatIsReadOnceAndWhatIsWritten) {
    Product product;
    const Roofline roofline = roofline_of(product.plan, kDevice);
    EXPECT_EQ(roofline.bytes, 3 * kMatrix) << "x, w and the output";
    EXPECT_DOUBLE_EQ(roofline.operations, 2.0 * 256 * 256 * 256);
    const plan::Tensor again = product.tensor({256, 256});
    product.forward("aten::add.Tensor", {value(product.x), value(product.w)}, value(again));
    EXPECT_EQ(roofline_of(product.plan, kDevice).bytes, 3 * kMatrix)
        << "reading twice, and scratch memory, are one's own affair";
}

TEST(SpeedOfLight, TheOutputsBeyondTheCacheTakeTheirTime) {
    Product product;
    const Roofline roofline = roofline_of(product.plan, kDevice);
    EXPECT_DOUBLE_EQ(roofline.least_ms, static_cast<double>(kMatrix - 100000) / 1e12 * 1e3);
    EXPECT_EQ(roofline_of(product.plan, {{"bytes_per_second", 1e12}, {"l2_bytes", kMatrix}}).least_ms, 0)
        << "the cache holds them";
    const Roofline unknown = roofline_of(product.plan, {{"name", "the CPU"}});
    EXPECT_EQ(unknown.least_ms, 0);
    EXPECT_EQ(unknown.share_of_bandwidth(1), 0);
}

TEST(SpeedOfLight, OutputsThatShareMemoryAreWrittenOnce) {
    Product product;
    const plan::Tensor upper{product.out.buffer, DType::f32, {128, 256}, {256, 1}, 0};
    product.plan.output = sequence({value(product.out), value(upper)});
    EXPECT_EQ(roofline_of(product.plan, kDevice).bytes, 3 * kMatrix);
    product.plan.output = value(upper);
    EXPECT_EQ(roofline_of(product.plan, kDevice).bytes, 2 * kMatrix + kMatrix / 2)
        << "half of it is asked for";
    product.plan.output = sequence({value(upper), value(product.x)});
    EXPECT_EQ(roofline_of(product.plan, kDevice).bytes, 2 * kMatrix + kMatrix / 2)
        << "an input is given back";
    plan::Tensor broadcast{product.out.buffer, DType::f32, {1000, 256, 256}, {0, 256, 1}, 0};
    product.plan.output = value(broadcast);
    EXPECT_EQ(roofline_of(product.plan, kDevice).bytes, 3 * kMatrix) << "never more than the buffer holds";
}

TEST(SpeedOfLight, TellsTheShareOfTheBandwidth) {
    Product product;
    const Roofline roofline = roofline_of(product.plan, kDevice);
    const double ms = static_cast<double>(roofline.bytes) / 1e12 * 1e3;
    EXPECT_DOUBLE_EQ(roofline.share_of_bandwidth(ms), 1);
    EXPECT_DOUBLE_EQ(roofline.share_of_bandwidth(4 * ms), 0.25);
    EXPECT_EQ(roofline.share_of_bandwidth(0), 0);
}

}  // namespace
}  // namespace tritonsmith::judge
