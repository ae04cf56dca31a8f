#include "run/worker/oracle/inner_rounding.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/_safe_softmax.h>
#include <ATen/ops/full.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <cmath>

#include "numerics/format.h"
#include "run/worker/aten/attention.h"
#include "run/worker/oracle/oracle_testing.h"

namespace tritonsmith::run {
namespace {

using plan::DType;
using testing::integers;
using testing::OracleBench;
using testing::value;

constexpr const char* kAttention = "aten::_scaled_dot_product_flash_attention_for_cpu";

/// The promoted plan's only step, in the memory where it has run.
struct Ran {
    OracleBench bench;
    plan::Plan promoted;
    std::unique_ptr<Executor> executor;

    const plan::AtenStep& step() const { return std::get<plan::AtenStep>(promoted.steps.back().what); }
    Memory& memory() { return executor->memory(); }
    at::Tensor argument(size_t i) { return memory().view(std::get<plan::Tensor>(step().args[i].v)); }

    void run() {
        promoted = bench.promoted();
        ExecutorOptions options;
        options.seed = 5;
        constexpr int64_t limit = int64_t{1} << 30;
        Executor native(bench.plan, options, std::make_unique<HostMemory>(bench.plan, limit, 1));
        native.run_setup();
        executor =
            std::make_unique<Executor>(promoted, options, std::make_unique<HostMemory>(promoted, limit, 1));
        ForwardState(bench.plan, native.memory()).load(promoted, executor->memory(), false);
        executor->run_forward();
    }
};

numerics::Format exact() {
    numerics::Format format;
    format.spacing = format.subnormal = 0;
    return format;
}

Ran attention(bool causal, int64_t shared_heads = 4, DType dtype = DType::f16) {
    Ran ran;
    OracleBench& bench = ran.bench;
    const plan::Tensor q = bench.drawn({2, 4, 30, 16}, dtype),
                       k = bench.drawn({2, shared_heads, 30, 16}, dtype),
                       v = bench.drawn({2, shared_heads, 30, 16}, dtype),
                       out = bench.tensor({2, 4, 30, 16}, dtype), sums = bench.tensor({2, 4, 30});
    bench.forward(kAttention, {value(q), value(k), value(v), {0.0}, {causal}},
                  testing::sequence({value(out), value(sums)}));
    bench.plan.output = value(out);
    ran.run();
    return ran;
}

TEST(InnerRounding, AttentionsIsThatOfItsProbabilities) {
    for (const bool causal : {false, true}) {
        Ran ran = attention(causal);
        const at::Tensor q = ran.argument(0), k = ran.argument(1), v = ran.argument(2);
        at::Tensor scores = q.matmul(k.transpose(-2, -1)) / 4;
        if (causal)
            scores = scores.masked_fill(at::ones({30, 30}, at::kBool).tril().logical_not(), -INFINITY);
        const at::Tensor p = at::_safe_softmax(scores, -1);
        // What rounding p to float16 does to the sum over keys, element by element, against what is said of
        // it.
        const at::Tensor error = (p.to(at::kHalf).to(at::kDouble) - p).matmul(v);
        const at::Tensor said =
            attention_rounding({q, k, v, std::nullopt, causal, 0.25}, numerics::format(DType::f16), exact());
        ASSERT_EQ(said.sizes(), error.sizes());
        const double ratio = (error / said).square().nanmean().sqrt().item<double>();
        EXPECT_NEAR(ratio, 1 / std::sqrt(3), 0.15) << "uniform roundings";
    }
}

TEST(InnerRounding, SmallProbabilitiesRoundByTheSpacingNextToZero) {
    const numerics::Format f16 = numerics::format(DType::f16);
    AttentionCall call;
    // Scores 0 and -14: the second probability is 8e-7, of which float16 has two digits.
    call.q = at::ones({1, 1, 1, 1}, at::kDouble);
    call.k = at::tensor({0.0, -14.0}, at::kDouble).reshape({1, 1, 2, 1});
    call.v = at::tensor({0.0, 1.0}, at::kDouble).reshape({1, 1, 2, 1});
    EXPECT_NEAR(attention_rounding(call, f16, exact()).item<double>(), 0x1p-25, 1e-6 * 0x1p-25);
    call.k = call.k * 2;  // 7e-13, which becomes zero
    const double p = std::exp(-28) / (1 + std::exp(-28));
    EXPECT_NEAR(attention_rounding(call, f16, exact()).item<double>(), std::sqrt(2) * p, 1e-6 * p);
}

TEST(InnerRounding, ProbabilitiesThatAreLostAreLostTogether) {
    // One key has all of the weight, and a value of zero; 1000 others have 2e-9 each, and values of one.
    AttentionCall call;
    call.q = at::ones({1, 1, 1, 1}, at::kDouble);
    call.k = at::full({1, 1, 1001, 1}, -20.0, at::kDouble);
    call.v = at::ones({1, 1, 1001, 1}, at::kDouble);
    call.k.select(2, 0).zero_();
    call.v.select(2, 0).zero_();
    const double sum = 1000 * std::exp(-20);
    EXPECT_NEAR(attention_rounding(call, numerics::format(DType::f16), exact()).item<double>(), sum,
                1e-3 * sum);
    EXPECT_LT(attention_rounding(call, numerics::format(DType::bf16), exact()).item<double>(), 0.01 * sum);
}

TEST(InnerRounding, LargeScoresRoundInFloat32) {
    // Large scores, some of which are near their row's largest.
    at::manual_seed(5);
    AttentionCall call;
    call.q = at::randn({1, 1, 200, 64}, at::kFloat).mul_(300).to(at::kDouble);
    call.k = at::randn({1, 1, 40, 64}, at::kFloat).mul_(0.02).to(at::kDouble);
    call.v = at::randn({1, 1, 40, 8}, at::kDouble);
    call.k += at::randn({1, 1, 1, 64}, at::kFloat).mul_(10).to(at::kDouble);
    auto result = [&](at::ScalarType type) {
        const AttentionCall typed{call.q.to(type), call.k.to(type), call.v, std::nullopt, false, 0.125};
        return at::_safe_softmax(attention_scores(typed).to(at::kDouble), -1).matmul(call.v);
    };
    call.scale = 0.125;
    const at::Tensor error = (result(at::kFloat) - result(at::kDouble)).abs();
    // No rounding of probabilities: the scores' alone.
    const at::Tensor said = attention_rounding(call, exact(), exact());
    EXPECT_GT(error.max().item<double>(), 1e-5);
    // Float32 sums of 64 products are better than the bound on their roundings, but not by much.
    EXPECT_LE((error / said).max().item<double>(), 1);
    EXPECT_GE((error / said).max().item<double>(), 0.02);
    // Where one key has all of the weight, its score may be wrong by much.
    call.k.zero_();
    call.k.select(2, 7).copy_(call.q.select(2, 3).select(1, 0).reshape({1, 1, 64}));
    EXPECT_LT(attention_rounding(call, exact(), exact()).select(2, 3).max().item<double>(), 1e-7);
}

TEST(InnerRounding, QueriesMayBeScaledInTheirOwnType) {
    at::manual_seed(6);
    auto drawn = [](at::IntArrayRef shape) {
        return at::randn(shape, at::kFloat).to(at::kBFloat16).to(at::kDouble);
    };
    const AttentionCall call{
        drawn({2, 4, 64, 64}), drawn({2, 4, 64, 64}), drawn({2, 4, 64, 64}), std::nullopt, false, 0.125};
    // As a kernel does that uses exp2.
    const double factor = 0.125 / std::log(2.0);
    const at::Tensor scaled = (call.q * factor).to(at::kBFloat16).to(at::kDouble) / factor;
    auto result = [&](const at::Tensor& q) {
        const AttentionCall one{q, call.k, call.v, std::nullopt, false, call.scale};
        return at::_safe_softmax(attention_scores(one), -1).matmul(call.v);
    };
    const at::Tensor error = result(scaled) - result(call.q);
    const at::Tensor said = attention_rounding(call, exact(), numerics::format(DType::bf16));
    const double ratio = (error / said).square().mean().sqrt().item<double>();
    EXPECT_NEAR(ratio, 1 / std::sqrt(3), 0.15) << "uniform roundings";
}

TEST(InnerRounding, QueriesShareTheirGroupsKeys) {
    Ran ran = attention(true, 2);
    const at::Tensor said = inner_rounding(ran.step(), DType::f16, ran.memory());
    EXPECT_EQ(said.sizes(), at::IntArrayRef({2, 4, 30, 16}));
    EXPECT_GT(said.min().item<double>(), 0);
}

TEST(InnerRounding, ANormsIsThatOfWhatItsWeightMultiplies) {
    Ran ran;
    OracleBench& bench = ran.bench;
    const plan::Tensor x = bench.drawn({20, 100}, DType::bf16), w = bench.drawn({100}, DType::bf16),
                       b = bench.drawn({100}, DType::bf16), out = bench.tensor({20, 100}, DType::bf16),
                       mean = bench.tensor({20, 1}), rstd = bench.tensor({20, 1});
    bench.forward("aten::native_layer_norm", {value(x), integers({100}), value(w), value(b), {1e-5}},
                  testing::sequence({value(out), value(mean), value(rstd)}));
    bench.plan.output = value(out);
    ran.run();
    const at::Tensor before_bias =
        at::layer_norm(ran.argument(0), {100}, ran.argument(2), std::nullopt, 1e-5).abs();
    const at::Tensor said = inner_rounding(ran.step(), DType::bf16, ran.memory());
    EXPECT_TRUE(said.allclose(before_bias * (std::sqrt(2.0) * 0.735 / 2 * 0x1p-7), 1e-9));
}

TEST(InnerRounding, OtherOperatorsHaveNone) {
    EXPECT_FALSE(rounds_inside({"aten::mm", {}, {}, {}}));
    EXPECT_FALSE(rounds_inside({"aten::native_batch_norm_backward", {}, {}, {}}));
    EXPECT_TRUE(rounds_inside({"aten::native_batch_norm", {}, {}, {}}));
    EXPECT_TRUE(rounds_inside({kAttention, {}, {}, {}}));
}

}  // namespace
}  // namespace tritonsmith::run
