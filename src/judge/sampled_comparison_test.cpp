#include "judge/sampled_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace tritonsmith::judge {
namespace {

using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

plan::Tensor matrix(int buffer, int64_t rows, int64_t columns, int64_t stride) {
    return {buffer, plan::DType::f32, {rows, columns}, {stride, 1}, 0};
}

TEST(ElementsWithin, LieInTheBytesAndInTheTensor) {
    std::mt19937_64 random(3);
    const plan::Tensor tensor = matrix(0, 4, 6, 8);  // two elements behind each row are not its own
    ttir::ByteRanges bytes;
    bytes.add(4 * 8, 4 * 16);   // row 1 and the gap behind it
    bytes.add(4 * 26, 4 * 28);  // row 3, columns 2 and 3
    EXPECT_THAT(elements_within(bytes, tensor, 64, random), UnorderedElementsAre(6, 7, 8, 9, 10, 11, 20, 21));
    EXPECT_EQ(elements_within(bytes, tensor, 3, random).size(), 3u);
    EXPECT_EQ(storage_offset(tensor, 20), 26);
    EXPECT_EQ(position_of(tensor, 20), (std::vector<int64_t>{3, 2}));
    ttir::ByteRanges part;
    part.add(2, 6);  // no whole element
    EXPECT_THAT(elements_within(part, tensor, 64, random), IsEmpty());
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
    ttir::Buffer buffer(24, 0x1000, "x");
    float values[] = {0, 1, 2, 3, 4, 5.01F};
    std::memcpy(buffer.data(), values, sizeof values);
    const SampledOutput output{"output/0", x, x};
    const auto never = std::chrono::steady_clock::now() + std::chrono::hours(1);
    const SampledComparison right = compare_sampled(output, {0, 1, 4}, buffer, oracle, {}, never);
    EXPECT_EQ(right.compared, 3);
    EXPECT_FALSE(right.finding);
    const SampledComparison wrong = compare_sampled(output, {1, 5, 2}, buffer, oracle, {}, never);
    ASSERT_TRUE(wrong.finding);
    EXPECT_EQ(wrong.finding->reason, "wrong_result");
    EXPECT_EQ(wrong.finding->evidence["index"], Json({1, 2}));
}

}  // namespace
}  // namespace tritonsmith::judge
