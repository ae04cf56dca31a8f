#include "judge/sampling/sampled_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace tritonsmith::judge {
namespace {

plan::Tensor matrix(int buffer, int64_t rows, int64_t columns, int64_t stride) {
    return {buffer, plan::DType::f32, {rows, columns}, {stride, 1}, 0};
}

plan::Step in_forward(const std::string& op, const plan::Tensor& result) {
    plan::AtenStep step;
    step.op = op;
    step.args.push_back({result});
    step.result.v = result;
    return {step, plan::Phase::forward, 0};
}

TEST(SampledOutputs, AreWhatIsReturnedAndWhatIsChangedInPlace) {
    plan::Plan reference, candidate;
    const plan::Tensor x = matrix(0, 2, 2, 2), y = matrix(1, 2, 2, 2), out = matrix(2, 2, 2, 2);
    for (plan::Plan* plan : {&reference, &candidate}) {
        plan->buffers.resize(3);
        plan->inputs = {{x}, {y}};
        plan->output.v = out;
    }
    reference.steps.push_back(in_forward("aten::mul_.Tensor", y));
    reference.steps.push_back(in_forward("aten::view", x));
    std::vector<SampledOutput> outputs = sampled_outputs(reference, candidate);
    ASSERT_EQ(outputs.size(), 2u);
    EXPECT_EQ(outputs[0].name, "output/0");
    EXPECT_EQ(outputs[1].name, "input/1");
    reference.output.v = y;  // returned as well: once is enough
    EXPECT_EQ(sampled_outputs(reference, candidate).size(), 1u);
}

TEST(CompareSampled, FindsTheElementThatDiffers) {
    plan::Plan reference;
    const plan::Tensor x = matrix(0, 2, 3, 3);
    reference.buffers.resize(1);
    reference.inputs = {{x}};
    reference.output.v = x;
    ElementOracle oracle(reference, [](const plan::Tensor&, int64_t at) {
        return OracleElement{static_cast<double>(at), static_cast<double>(at)};
    });
    const std::vector<float> values = {0, 1, 2, 3, 4, 5.01F};
    const auto at = [&](std::vector<int64_t> indices) {
        std::vector<run::SampledElement> elements;
        for (int64_t i : indices) {
            elements.push_back({i});
            std::memcpy(&elements.back().bits, &values[static_cast<size_t>(i)], sizeof(float));
        }
        return elements;
    };
    const SampledOutput output{"output/0", x, x};
    const Expecting expecting{[&](int64_t index) { return oracle.element(x, index); },
                              [&](int64_t index, size_t most) { return oracle.noisy(x, index, most); }};
    const auto never = std::chrono::steady_clock::now() + std::chrono::hours(1);
    const SampledComparison right = compare_sampled(output, at({0, 1, 4}), expecting, {}, 3, never);
    EXPECT_EQ(right.compared, 3);
    EXPECT_FALSE(right.finding);
    const SampledComparison wrong = compare_sampled(output, at({1, 5, 2}), expecting, {}, 3, never);
    ASSERT_TRUE(wrong.finding);
    EXPECT_EQ(wrong.finding->reason, "wrong_result");
    EXPECT_EQ(wrong.finding->evidence["index"], Json({1, 2}));
}

}  // namespace
}  // namespace tritonsmith::judge
