#include "plan/values/guards.h"

#include <gtest/gtest.h>

#include "plan/ir/build.h"

namespace tritonsmith::plan {
namespace {

using B = Builder;

TEST(Guards, AreSmallNumbersThatAreNoFactors) {
    Builder b("reference");
    b.phase(Phase::inputs);
    const Tensor x = b.make("aten::randn", B::args(B::list({8, 4})), {8, 4}, DType::f32, 0);
    b.phase(Phase::forward);
    const Tensor scaled = b.make("aten::mul.Tensor", B::args(x, 1e-3), {8, 4});
    const Tensor shifted = b.make("aten::add.Scalar", B::args(scaled, 1e-5), {8, 4});
    const Tensor again = b.make("aten::add.Scalar", B::args(shifted, 1e-5), {8, 4});
    const Tensor least = b.make("aten::scalar_tensor", B::args(1e-8), {});
    const Tensor kept = b.make("aten::clamp_min.Tensor", B::args(again, least), {8, 4});
    const Tensor large = b.make("aten::add.Scalar", B::args(kept, 0.5), {8, 4});
    b.plan.output = {b.make("aten::sub.Scalar", B::args(large, -1e-4), {8, 4})};
    EXPECT_EQ(guards(b.plan), (std::vector<double>{1e-8, 1e-5}));
}

TEST(Guards, ExponentialsAreSeenInSoftmaxAndAttention) {
    const auto with = [](const std::string& op) {
        Builder b("reference");
        b.phase(Phase::forward);
        const Tensor x = b.make("aten::zeros", B::args(B::list({4})), {4});
        b.plan.output = {b.make(op, B::args(x), {4})};
        return takes_exponentials(b.plan);
    };
    for (const char* op : {"aten::exp_", "aten::_log_softmax", "aten::logsumexp",
                           "aten::_scaled_dot_product_flash_attention_for_cpu"})
        EXPECT_TRUE(with(op)) << op;
    EXPECT_FALSE(with("aten::expand"));
    EXPECT_FALSE(with("aten::relu"));
}

TEST(Guards, ThresholdsAreWhatValuesAreHeldAgainst) {
    Builder b("reference");
    b.phase(Phase::forward);
    const Tensor x = b.make("aten::zeros", B::args(B::list({4})), {4});
    const Tensor cut = b.make("aten::clamp", B::args(x, -7.0, 3), {4});
    const Tensor never = b.make("aten::clamp_min", B::args(cut, -1e30), {4});
    b.plan.output = {b.make("aten::mul.Tensor", B::args(never, 100.0), {4})};
    EXPECT_EQ(largest_threshold(b.plan), 7);
    const Tensor cap = b.make("aten::full", B::args(B::list({}), 500.0), {});
    b.make("aten::minimum", B::args(x, cap), {4});
    EXPECT_EQ(largest_threshold(b.plan), 500) << "a tensor of one element";
}

}  // namespace
}  // namespace tritonsmith::plan
