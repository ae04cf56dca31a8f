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

TEST(ModuleState, AnOutputInMemoryThatTheModuleKeepsIsTold) {
    const Counting reference("reference", "mean", false);
    Counting candidate("candidate", "mean", false);
    EXPECT_FALSE(module_state(reference.plan, candidate.plan, {}, {}).keeps_output);
    candidate.phase(Phase::init);
    const Tensor kept = candidate.make("aten::empty.memory_format", B::args(B::list({4})), {4});
    candidate.phase(Phase::forward);
    candidate.op("aten::copy_", B::args(kept, candidate.y), kept);
    candidate.plan.output = {kept};
    const ModuleState state = module_state(reference.plan, candidate.plan, {}, {});
    EXPECT_TRUE(state.keeps_output);
    EXPECT_EQ(stale_state(state).size(), 1U);
}

}  // namespace
}  // namespace tritonsmith::plan
