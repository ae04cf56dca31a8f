#include "run/draw/leaves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "plan/ir/build.h"

namespace tritonsmith::run {
namespace {

using plan::DType;
using B = plan::Builder;

std::vector<float> floats_of(const ttir::PageSource& source, int64_t first, int64_t count) {
    std::vector<float> out(static_cast<size_t>(count));
    source(first * 4, reinterpret_cast<std::byte*>(out.data()), count * 4);
    return out;
}

/// Inputs that are computed from draws.
struct Computed {
    B b{"reference"};
    plan::Tensor draw;

    Computed() {
        b.phase(plan::Phase::inputs);
        draw = b.make("aten::rand", B::args(B::list({8, 64})), {8, 64}, DType::f32, 0);
    }
    Leaves leaves(const std::vector<plan::Tensor>& inputs, const Variant& variant = {}) {
        for (const plan::Tensor& tensor : inputs) b.plan.inputs.push_back({tensor});
        return Leaves(b.plan, {7, variant, false});
    }
};

TEST(Leaves, CastsAndArithmeticOfADrawAreItsOwn) {
    Computed c;
    const plan::Tensor twice = c.b.make("aten::mul.Tensor", B::args(c.draw, 2), {8, 64}, DType::f32);
    const plan::Tensor centred = c.b.make("aten::sub.Tensor", B::args(twice, 1), {8, 64}, DType::f32);
    const plan::Tensor half = c.b.make("aten::_to_copy", B::args(centred), {8, 64}, DType::bf16);
    const Leaves leaves = c.leaves({c.draw, centred, half});
    ASSERT_TRUE(leaves.usable());
    const auto x = floats_of(*leaves.source(c.draw.buffer), 100, 60),
               y = floats_of(*leaves.source(centred.buffer), 100, 60);
    std::vector<uint16_t> z(60);
    (*leaves.source(half.buffer))(200, reinterpret_cast<std::byte*>(z.data()), 120);
    bool negative = false;
    for (size_t i = 0; i < x.size(); i++) {
        EXPECT_EQ(y[i], x[i] * 2 - 1);
        negative |= y[i] < 0;
        const uint32_t bits = uint32_t{z[i]} << 16;
        float wide;
        std::memcpy(&wide, &bits, sizeof wide);
        EXPECT_NEAR(wide, y[i], std::abs(y[i]) * 0x1p-8);
    }
    EXPECT_TRUE(negative);
}

TEST(Leaves, FlagsOfATensorOfProbabilities) {
    Computed c;
    const plan::Tensor p = c.b.make("aten::mul.Tensor", B::args(c.draw, 0.5), {8, 64}, DType::f32);
    const plan::Tensor flags = c.b.make("aten::bernoulli", B::args(p), {8, 64}, DType::f32, 1);
    Variant rows;
    rows.pattern = Variant::Pattern::rows;
    for (const Variant& variant : {Variant{}, rows}) {
        Computed same = c;
        const Leaves leaves = same.leaves({flags}, variant);
        ASSERT_TRUE(leaves.usable());
        const std::vector<float> all = floats_of(*leaves.source(flags.buffer), 0, 8 * 64);
        int ones = 0, empty = 0;
        for (size_t r = 0; r < 8; ++r) {
            int of_row = 0;
            for (size_t i = 0; i < 64; ++i) of_row += all[r * 64 + i] == 1 ? 1 : 0;
            ones += of_row;
            empty += of_row == 0;
        }
        if (variant.own()) {
            EXPECT_NEAR(ones, 128, 40);
        }
        EXPECT_EQ(empty > 0, !variant.own());
    }
}

TEST(Leaves, VariantsReachWhatIsComputed) {
    Computed c;
    const plan::Tensor more = c.b.make("aten::add.Tensor", B::args(c.draw, 5), {8, 64}, DType::f32);
    const Leaves leaves = c.leaves({c.draw, more}, {-1, 100, 0});
    const auto x = floats_of(*leaves.source(c.draw.buffer), 0, 8),
               y = floats_of(*leaves.source(more.buffer), 0, 8);
    for (size_t i = 0; i < x.size(); i++) {
        EXPECT_LE(x[i], 0);
        EXPECT_EQ(y[i], x[i] + 5);
    }
}

TEST(Leaves, StepsInPlaceAndComparisons) {
    Computed c;
    plan::Tensor mask = c.b.make("aten::gt.Scalar", B::args(c.draw, 0.5), {8, 64}, DType::b1);
    const Leaves leaves = c.leaves({c.draw, mask});
    ASSERT_TRUE(leaves.usable());
    const auto x = floats_of(*leaves.source(c.draw.buffer), 64, 64);
    std::vector<uint8_t> m(64);
    (*leaves.source(mask.buffer))(64, reinterpret_cast<std::byte*>(m.data()), 64);
    for (size_t i = 0; i < x.size(); i++) EXPECT_EQ(m[i] != 0, x[i] > 0.5F);
}

TEST(Leaves, IntegersThatAreNotFollowedCannotBeMade) {
    Computed c;
    const plan::Tensor order = c.b.make("aten::argsort", B::args(c.draw), {8, 64}, DType::i64);
    EXPECT_FALSE(c.leaves({c.draw, order}).usable());
}

TEST(Leaves, ParametersOfAPatternAreAroundIt) {
    B b("reference");
    b.phase(plan::Phase::init);
    const plan::Tensor rates = b.make("aten::linspace", B::args(1.0, 4.0, 4), {4});
    b.weight("rates", rates);
    const Leaves leaves(b.plan, {7, {}, false});
    const auto found = floats_of(*leaves.source(rates.buffer), 0, 4);
    for (size_t i = 0; i < 4; i++) {
        const float pattern = 1 + static_cast<float>(i);
        EXPECT_NEAR(found[i], pattern, 0.3 * pattern + 1e-6);
        EXPECT_NE(found[i], pattern);
    }
    EXPECT_EQ(floats_of(*leaves.source(rates.buffer), 2, 1)[0], found[2]);
}

TEST(Leaves, OneInputMayKeepToItsLaw) {
    Computed c;
    const plan::Tensor other = c.b.make("aten::rand", B::args(B::list({8, 64})), {8, 64}, DType::f32, 1);
    Variant far{1, 100, -2000};
    far.kept = {1};
    const Leaves leaves = c.leaves({c.draw, other}, far);
    for (const float v : floats_of(*leaves.source(c.draw.buffer), 0, 512)) EXPECT_LT(v, -1000);
    for (const float v : floats_of(*leaves.source(other.buffer), 0, 512)) {
        EXPECT_GE(v, 0);
        EXPECT_LT(v, 1);
    }
}

TEST(Leaves, EachInputHasItsOwnNumbers) {
    Computed c;
    const plan::Tensor other = c.b.make("aten::rand", B::args(B::list({8, 64})), {8, 64}, DType::f32, 1);
    Variant with;
    with.inputs = {0, 1};
    with.named = {{-1}, {5, 7}};
    const Leaves leaves = c.leaves({c.draw, other}, with);
    const auto x = floats_of(*leaves.source(c.draw.buffer), 0, 512),
               y = floats_of(*leaves.source(other.buffer), 0, 512);
    const auto holds = [](const std::vector<float>& of, float v) {
        return std::find(of.begin(), of.end(), v) != of.end();
    };
    EXPECT_TRUE(holds(x, -1) && holds(y, 5) && holds(y, 7));
    EXPECT_FALSE(holds(x, 5) || holds(x, 7) || holds(y, -1));
}

}  // namespace
}  // namespace tritonsmith::run
