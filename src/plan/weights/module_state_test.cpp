#include "plan/weights/module_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/ir/build.h"

namespace tritonsmith::plan {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using B = Builder;

/// y = x + w, and a running mean that some calls change.
struct Counting : Builder {
    Tensor x, w, mean, y;
    Counting(const std::string& role, const std::string& name, bool updates) : Builder(role) {
        x = input({4});
        phase(Phase::init);
        w = make("aten::ones", args(list({4})), {4});
        weight("w", w);
        mean = make("aten::zeros", args(list({4})), {4});
        weight(name, mean, false);
        phase(Phase::forward);
        y = make("aten::add.Tensor", args(x, w), {4});
        if (updates) op("aten::add_.Tensor", args(mean, x), mean);
        plan.output = {y};
    }
};

TEST(ModuleState, ABufferThatTheReferenceChangesIsChangedUnderItsNameOrALinkedOne) {
    const Counting reference("reference", "running_mean", true);
    const auto left = [&](const std::string& name, bool updates, const Links& links) {
        const Counting candidate("candidate", name, updates);
        return module_state(reference.plan, candidate.plan, links, {}).not_updated;
    };
    EXPECT_THAT(left("running_mean", true, {}), IsEmpty());
    EXPECT_THAT(left("running_mean", false, {}), ElementsAre("running_mean"));
    const std::vector<Finding> findings = stale_state({{"running_mean"}, {{"w", 7}}});
    ASSERT_EQ(findings.size(), 2U);
    EXPECT_EQ(findings[0].reason, "stale_state");
    EXPECT_EQ(findings[1].line, 7);
    EXPECT_THAT(left("mean", true, {}), ElementsAre("running_mean"));
    Links links;
    links.by_candidate["mean"] = "running_mean";
    EXPECT_THAT(left("mean", true, links), IsEmpty());
}

TEST(ModuleState, WhatAConstructorComputesOfAWeightIsToldWhereCallsReadIt) {
    const Counting reference("reference", "mean", false);
    Counting candidate("candidate", "mean", false);
    candidate.phase(Phase::init);
    const int line = candidate.line();
    const Tensor copy = candidate.make("aten::clone", B::args(candidate.w), {4});
    EXPECT_THAT(module_state(reference.plan, candidate.plan, {}, {}).copied, IsEmpty()) << "no call reads it";
    candidate.phase(Phase::forward);
    candidate.make("aten::add.Tensor", B::args(candidate.y, copy), {4});
    const auto copied = module_state(reference.plan, candidate.plan, {}, {}).copied;
    ASSERT_EQ(copied.size(), 1U);
    EXPECT_EQ(copied[0].weight, "w");
    EXPECT_EQ(copied[0].line, line);
}

TEST(ModuleState, AnOutputInMemoryThatTheModuleKeepsIsOverwrittenByTheNextCall) {
    /// Its second output lies in memory of the constructor's; a call may write it.
    const auto module = [](const std::string& role, bool keeps, bool writes) {
        Counting b(role, "mean", false);
        b.phase(keeps ? Phase::init : Phase::forward);
        const Tensor memory = b.make("aten::empty.memory_format", B::args(B::list({4})), {4});
        b.phase(Phase::forward);
        if (writes) b.op("aten::copy_", B::args(memory, b.y), memory);
        Sequence both;
        both.items = {B::value(b.y), B::value(memory)};
        b.plan.output = {both};
        return b.plan;
    };
    const Plan usual = module("reference", false, true), keeping = module("candidate", true, true);
    const auto found = overwritten_output(usual, keeping, {});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->reason, "output_overwritten");
    EXPECT_THAT(found->message, testing::StartsWith("output 1 "));
    EXPECT_FALSE(overwritten_output(usual, module("candidate", false, true), {})) << "memory of the call";
    EXPECT_FALSE(overwritten_output(usual, module("candidate", true, false), {})) << "only read";
    EXPECT_FALSE(overwritten_output(module("reference", true, true), keeping, {})) << "so does the reference";
}

}  // namespace
}  // namespace tritonsmith::plan
