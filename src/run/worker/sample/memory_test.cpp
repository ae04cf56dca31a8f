#include "run/worker/sample/buffers/memory.h"

#include <gtest/gtest.h>

#include "run/worker/sample/sample_testing.h"

namespace tritonsmith::run::sample {
namespace {

using namespace testing;
using run::testing::integers;
using run::testing::PlanBuilder;

TEST(SampleMemory, InputsHoldWhatTheReferencesHoldAndAreLeaves) {
    const LargeCandidate add;
    Before before(add.plan, {}, false);
    EXPECT_TRUE(before.memory.leaf(add.x.buffer));
    EXPECT_TRUE(before.memory.known(add.x.buffer));
    EXPECT_FALSE(before.memory.leaf(add.out.buffer));
    const ttir::PageSource& source =
        *before.leaves.source(plan::tensors_in(before.reference.inputs)[1].buffer);
    for (const int64_t index : {int64_t{0}, int64_t{12345}, kLarge - 1}) {
        float drawn = -1;
        source(index * 4, reinterpret_cast<std::byte*>(&drawn), 4);
        EXPECT_EQ(before.element(add.y, index), drawn) << index;
        EXPECT_NE(before.element(add.x, index), drawn) << "another draw";
    }
}

TEST(SampleMemory, ItDoesWhatPyTorchDoesToWholeBuffers) {
    LargeCandidate add;
    const plan::Tensor zeros = add.tensor({kLarge}), copy = add.tensor({kLarge});
    add.forward("aten::zeros", {integers({kLarge})}, value(zeros));
    const plan::AtenStep zeroed = std::get<plan::AtenStep>(add.plan.steps.back().what);
    add.forward("aten::clone", {value(add.x)}, value(copy));
    const plan::AtenStep copied = std::get<plan::AtenStep>(add.plan.steps.back().what);
    Before before(add.plan, {}, false);
    EXPECT_TRUE(before.memory.apply(zeroed, plan::Phase::forward));
    EXPECT_TRUE(before.memory.apply(copied, plan::Phase::forward));
    EXPECT_EQ(before.element(zeros, kLarge - 1), 0);
    EXPECT_EQ(before.element(copy, 4711), before.element(add.x, 4711));
}

TEST(SampleMemory, WhatIsNotKnownIsForgottenAndCountsAsWritten) {
    LargeCandidate add;
    const plan::Tensor sorted = add.tensor({kLarge});
    add.forward("aten::cumsum", {value(add.x), {int64_t{0}}}, value(sorted));
    const plan::AtenStep step = std::get<plan::AtenStep>(add.plan.steps.back().what);
    Before before(add.plan, {}, false);
    EXPECT_FALSE(before.memory.apply(step, plan::Phase::forward));
    EXPECT_TRUE(before.memory.known(sorted.buffer));
    before.memory.apply_or_forget(step, plan::Phase::forward);
    EXPECT_FALSE(before.memory.known(sorted.buffer));
    EXPECT_TRUE(before.memory.buffer(sorted.buffer)->all_written());
}

TEST(SampleMemory, BuffersOutOfRangeAreNull) {
    const LargeCandidate add;
    Before before(add.plan, {}, false);
    EXPECT_EQ(before.memory.buffer(-1), nullptr);
    EXPECT_EQ(before.memory.buffer(static_cast<int>(add.plan.buffers.size())), nullptr);
}

}  // namespace
}  // namespace tritonsmith::run::sample
