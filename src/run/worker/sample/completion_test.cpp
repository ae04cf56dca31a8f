#include "run/worker/sample/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/worker/sample/sample_testing.h"

/// Elements of an output together with everything that they depend on, as a worker answers for them.
namespace tritonsmith::run::sample {
namespace {

using namespace testing;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::vector<int64_t> kAsked = {0, 77 * kTile + 13, kLarge / 2, kLarge - 1};

class Completed : public ::testing::Test {
  protected:
    /// Every element that came back is this; all that were asked for did.
    template <class Function>
    void expect(const plan::Plan& plan, const Function& expected) {
        const LargeCandidate inputs;
        Before before(inputs.plan, {}, false);
        const SampleRunResult result = answer_for(plan, kAsked);
        ASSERT_THAT(result.findings, IsEmpty()) << result.findings.front().message;
        const std::map<int64_t, float> values = values_of(result);
        for (const int64_t index : kAsked) EXPECT_TRUE(values.contains(index)) << index;
        for (const auto& [index, found] : values)
            EXPECT_EQ(found, expected(before.element(inputs.x, index), before.element(inputs.y, index)))
                << index;
        EXPECT_LT(result.programs, kTiles / 8) << "a sample";
        EXPECT_EQ(result.tensors[0].unwritten, 0);
    }
};

TEST_F(Completed, OneLaunch) {
    expect(LargeCandidate().plan, [](float x, float y) { return x + y; });
}

TEST_F(Completed, AChainOfLaunchesOverScratchMemory) {
    LargeCandidate chain;
    const plan::Tensor second = chain.scratch(), third = chain.scratch();
    chain.add_all(chain.out, chain.y, second);
    chain.add_all(second, chain.out, third);
    chain.plan.output = value(third);
    expect(chain.plan, [](float x, float y) { return ((x + y) + y) + (x + y); });
}

TEST_F(Completed, AccumulationInPlace) {
    LargeCandidate in_place;
    for (int i = 0; i < 3; ++i) in_place.add_all(in_place.out, in_place.x, in_place.out);
    expect(in_place.plan, [](float x, float y) { return (((x + y) + x) + x) + x; });
}

TEST_F(Completed, AnElementThatNoProgramWritesIsAFinding) {
    const SampleRunResult result = answer_for(LargeCandidate(kTiles - 1).plan, {kLarge - 1});
    ASSERT_THAT(result.findings, SizeIs(1));
    EXPECT_EQ(result.findings[0].reason, "uninitialised_output");
    EXPECT_EQ(result.findings[0].output, "output/0");
}

TEST_F(Completed, AGridThatLeavesATileOutIsFoundWithoutBeingAsked) {
    const SampleRunResult result = answer_for(LargeCandidate(kTiles - 1).plan, {0});
    ASSERT_THAT(result.findings, SizeIs(1));
    EXPECT_EQ(result.findings[0].reason, "uninitialised_output");
}

TEST_F(Completed, AnInputThatIsWrittenIsAFinding) {
    LargeCandidate greedy;
    greedy.add_all(greedy.x, greedy.y, greedy.x);
    const SampleRunResult result = answer_for(greedy.plan, kAsked);
    ASSERT_THAT(result.findings, SizeIs(1));
    EXPECT_EQ(result.findings[0].reason, "input_mutated");
}

TEST_F(Completed, AProgramThatLeavesItsBuffersIsAFinding) {
    LargeCandidate beyond;
    beyond.add(beyond.x, beyond.y, from_element(beyond.out, kTile), kTiles, kLarge);
    const SampleRunResult result = answer_for(beyond.plan, {kLarge - 1});
    ASSERT_THAT(result.findings, SizeIs(1));
    EXPECT_EQ(result.findings[0].reason, "out_of_bounds");
}

}  // namespace
}  // namespace tritonsmith::run::sample
