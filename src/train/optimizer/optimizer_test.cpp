#include "train/optimizer/optimizer.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "train/optimizer/gradients.h"
#include "train/optimizer/muon.h"
#include "train/optimizer/rounding.h"

namespace tritonsmith::train {
namespace {

at::Tensor drawn(at::IntArrayRef shape, uint64_t seed) {
    return at::randn(shape, at::make_generator<at::CPUGeneratorImpl>(seed), at::TensorOptions());
}

Parameter parameter_of(const at::Tensor& value, const at::Tensor& gradient,
                       Parameter::Kind kind = Parameter::Kind::matrix) {
    return {.kind = kind, .parts = {{"w", 0, value.size(0)}}, .value = value, .gradient = gradient};
}

TEST(Rounding, IsRightOnAverageAndNextToTheValue) {
    const at::Tensor exact = at::full({1 << 16}, 1.0f + 0.3f / 128);  // three tenths between 1 and the next
    at::Tensor rounded = at::empty({1 << 16}, at::kBFloat16);
    round_stochastically(rounded, exact, {.seed = 1}, 0);
    const at::Tensor up = rounded.to(at::kFloat) > 1;
    EXPECT_TRUE(at::logical_or(rounded == 1.0, rounded.to(at::kFloat) == 1.0 + 1.0 / 128).all().item<bool>());
    // The standard deviation of the share is 0.0018.
    EXPECT_NEAR(up.to(at::kDouble).mean().item<double>(), 0.3, 0.009);
    at::Tensor other = at::empty_like(rounded);
    round_stochastically(other, exact, {.seed = 1, .step = 1}, 0);
    EXPECT_NEAR((up == (other.to(at::kFloat) > 1)).to(at::kDouble).mean().item<double>(), 0.58, 0.01);
}

TEST(Rounding, DependsOnTheElementOnly) {
    const at::Tensor exact = drawn({1000}, 2);
    at::Tensor whole = at::empty({1000}, at::kBFloat16), parts = at::empty_like(whole);
    round_stochastically(whole, exact, {.seed = 3}, 0);
    at::Tensor head = parts.narrow(0, 0, 300), tail = parts.narrow(0, 300, 700);
    round_stochastically(tail, exact.narrow(0, 300, 700), {.seed = 3}, 300);
    round_stochastically(head, exact.narrow(0, 0, 300), {.seed = 3}, 0);
    EXPECT_TRUE(at::equal(whole, parts));
}

TEST(Rounding, KeepsWhatBfloat16HasAndWhatIsNoNumber) {
    const float infinite = INFINITY;
    const at::Tensor exact = at::tensor({0.0f, -1.5f, 3.0e38f, infinite, -infinite, NAN}, at::kFloat);
    at::Tensor rounded = at::empty({6}, at::kBFloat16);
    round_stochastically(rounded, exact, {.seed = 4}, 0);
    EXPECT_EQ(rounded[0].item<float>(), 0.0f);
    EXPECT_EQ(rounded[1].item<float>(), -1.5f);
    EXPECT_EQ(rounded[3].item<float>(), infinite);
    EXPECT_EQ(rounded[4].item<float>(), -infinite);
    EXPECT_TRUE(std::isnan(rounded[5].item<float>()));
}

/// AdamW's definition (arXiv 1711.05101, algorithm 2), in double.
struct PlainAdamW {
    at::Tensor x, m, v;
    void step(int64_t t, const at::Tensor& g, const OptimizerSettings& s, double rate) {
        m = s.beta1 * m + (1 - s.beta1) * g;
        v = s.beta2 * v + (1 - s.beta2) * g * g;
        const auto n = static_cast<double>(t);
        const at::Tensor mean = m / (1 - std::pow(s.beta1, n)), square = v / (1 - std::pow(s.beta2, n));
        x = x - rate * s.weight_decay * x - rate * mean / (square.sqrt() + s.epsilon);
    }
};

TEST(Optimizer, AdamWIsItsDefinition) {
    const at::Tensor value = drawn({300, 300}, 1), gradient = at::empty_like(value);  // more than one piece
    const OptimizerSettings settings{.beta1 = 0.8, .beta2 = 0.99, .weight_decay = 0.3};
    Optimizer optimizer({parameter_of(value, gradient)}, settings);
    const at::Tensor zero = at::zeros(value.sizes(), at::kDouble);
    PlainAdamW plain{value.to(at::kDouble), zero, zero};
    for (int step = 1; step <= 5; ++step) {
        gradient.copy_(drawn(value.sizes(), static_cast<uint64_t>(10 + step)));
        plain.step(step, gradient.to(at::kDouble) * 0.5, settings, 0.01);
        optimizer.step(step, 0.01, 0.5);
    }
    EXPECT_LE((value - plain.x).abs().max().item<double>(), 2e-6);
}

TEST(Optimizer, NormsAndBiasesDoNotDecay) {
    for (const auto kind : {Parameter::Kind::norm, Parameter::Kind::bias, Parameter::Kind::embedding}) {
        const at::Tensor value = at::ones({4, 4});
        Optimizer optimizer({parameter_of(value, at::zeros({4, 4}), kind)}, {.weight_decay = 0.5});
        optimizer.step(1, 0.1);
        EXPECT_FLOAT_EQ(value[0][0].item<float>(), kind == Parameter::Kind::embedding ? 0.95f : 1.0f);
    }
}

/// Steps that are far less than half of a rounding step of the value.
double moved(bool master) {
    const at::Tensor value = at::ones({64, 64}, at::kBFloat16), gradient = at::ones({64, 64});
    Optimizer optimizer({parameter_of(value, gradient)},
                        {.weight_decay = 0, .states = at::kBFloat16, .master = master, .seed = 5});
    for (int step = 1; step <= 100; ++step) optimizer.step(step, 1e-4);
    return 1 - value.to(at::kDouble).mean().item<double>();
}

TEST(Optimizer, SmallStepsAreNotLostInBfloat16) {
    EXPECT_NEAR(moved(true), 0.01, 0.002);  // the nearest number of bfloat16 is 0.9883
    EXPECT_NEAR(moved(false), 0.01, 0.001);
}

TEST(Optimizer, StatesInBfloat16FollowThoseInFloat32) {
    const at::Tensor start = drawn({128, 128}, 6);
    std::vector<at::Tensor> values;
    for (const auto dtype : {at::kFloat, at::kBFloat16}) {
        const at::Tensor value = start.clone(), gradient = at::empty_like(value);
        Optimizer optimizer({parameter_of(value, gradient)}, {.beta2 = 0.999, .states = dtype, .seed = 7});
        for (int step = 1; step <= 50; ++step) {
            gradient.copy_(drawn(value.sizes(), static_cast<uint64_t>(step)) + 0.5);
            optimizer.step(step, 1e-3);
        }
        values.push_back(value);
    }
    const double difference = (values[0] - values[1]).norm().item<double>(),
                 way = (values[0] - start).norm().item<double>();
    EXPECT_LT(difference, 0.02 * way);
}

TEST(Muon, UpdatesAreNearlyOrthogonal) {
    for (const auto& [rows, columns] : {std::pair{32, 96}, std::pair{96, 32}}) {
        const at::Tensor values =
            at::linalg_svdvals(orthogonal(drawn({2, rows, columns}, 8), 5).to(at::kFloat));
        EXPECT_GT(values.min().item<float>(), 0.3f);
        EXPECT_LT(values.max().item<float>(), 1.35f);
    }
}

TEST(Muon, PartsOfAParameterAreMatricesOfTheirOwn) {
    const at::Tensor value = drawn({48, 32}, 9), gradient = drawn({48, 32}, 10);
    std::vector<at::Tensor> apart;
    const OptimizerSettings settings{.method = OptimizerSettings::Method::muon};
    for (const int64_t first : {0, 16}) {
        const int64_t rows = first == 0 ? 16 : 32;
        const at::Tensor part = value.narrow(0, first, rows).clone();
        Optimizer optimizer({parameter_of(part, gradient.narrow(0, first, rows))}, settings);
        optimizer.step(1, 0.02);
        apart.push_back(part);
    }
    Parameter both = parameter_of(value, gradient);
    both.parts = {{"a", 0, 16}, {"b", 16, 32}};
    Optimizer optimizer({both}, settings);
    optimizer.step(1, 0.02);
    EXPECT_TRUE(at::equal(value, at::cat(apart)));
    EXPECT_EQ(optimizer.states().size(), 1u);
}

TEST(Optimizer, StatesRestoreARun) {
    for (const auto method : {OptimizerSettings::Method::adamw, OptimizerSettings::Method::muon}) {
        const OptimizerSettings settings{
            .method = method, .states = at::kBFloat16, .master = true, .seed = 11};
        const at::Tensor value = drawn({40, 24}, 12).to(at::kBFloat16), gradient = drawn({40, 24}, 13);
        Optimizer optimizer({parameter_of(value, gradient)}, settings);
        for (int step = 1; step <= 3; ++step) optimizer.step(step, 0.01);
        const at::Tensor again = value.clone();
        Optimizer restored({parameter_of(again, gradient)}, settings);
        const std::vector<NamedState> from = optimizer.states(), to = restored.states();
        ASSERT_EQ(from.size(), to.size());
        for (size_t i = 0; i < from.size(); ++i) {
            EXPECT_EQ(from[i].name, to[i].name);
            to[i].tensor.copy_(from[i].tensor);
        }
        optimizer.step(4, 0.01);
        restored.step(4, 0.01);
        EXPECT_TRUE(at::equal(value, again));
    }
}

TEST(Gradients, AreClippedByTheirCommonNorm) {
    const std::vector<Parameter> parameters = {parameter_of(at::zeros({2, 2}), at::full({2, 2}, 3.0)),
                                               parameter_of(at::zeros({2, 2}), at::full({2, 2}, 4.0))};
    EXPECT_NEAR(gradient_norm(parameters), 10, 1e-6);
    EXPECT_NEAR(clip_scale(10, 1), 0.1, 1e-7);
    EXPECT_EQ(clip_scale(0.5, 1), 1);
    EXPECT_EQ(clip_scale(10, 0), 1);
    clear_gradients(parameters);
    EXPECT_EQ(gradient_norm(parameters), 0);
}

TEST(Optimizer, RefusesSettingsOutOfRange) {
    EXPECT_THROW(Optimizer({}, {.beta1 = 1}), InputError);
    EXPECT_THROW(Optimizer({}, {.epsilon = -1}), InputError);
    EXPECT_THROW(Optimizer({}, {.states = at::kHalf}), InputError);
}

}  // namespace
}  // namespace tritonsmith::train
