#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "run/worker/sessions/session_host_testing.h"

/// Sessions that hold a reference, in a worker for the CPU.
namespace tritonsmith::run {
namespace {

using plan::Phase;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace testing;  // of tritonsmith::run

class ReferenceSession : public Sessions {};

TEST_F(ReferenceSession, DrawsItsSetsAndKnowsWhatIsExpected) {
    AddReference task;
    const OpenedReference opened = open_reference(references(), task.plan);
    EXPECT_THAT(opened.finite, ElementsAre(true, true));
    EXPECT_FALSE(opened.random);
    EXPECT_THAT(opened.mutated, IsEmpty());
    EXPECT_EQ(opened.expected_bytes, 2 * kElements * (8 + 4));
    EXPECT_EQ(opened.spilled, 0);
    const auto first = values<float>(good(references().host_inputs(opened.session, 0)), "input/0");
    EXPECT_EQ(values<float>(mapped(good(references().inputs(opened.session, 0)).pack), "input/0"), first);
    EXPECT_EQ(values<float>(mapped(good(references().inputs(opened.session, 0)).pack), "input/0"), first);
    EXPECT_NE(values<float>(good(references().host_inputs(opened.session, 1)), "input/0"), first);
    references().close(opened.session);
}

TEST_F(ReferenceSession, WithoutRoomItSpillsAndDrawsAgain) {
    AddReference task;
    const OpenedReference opened = open_reference(references(), task.plan, {drawn(1), drawn(2)}, 0);
    EXPECT_EQ(opened.spilled, 2);
    const auto first = values<float>(mapped(good(references().inputs(opened.session, 0)).pack), "input/0");
    EXPECT_EQ(values<float>(mapped(good(references().inputs(opened.session, 0)).pack), "input/0"), first);
    AddCandidate right;
    const int session = open_candidate(candidates(), right.plan);
    const DeviceRun run =
        good(candidates().run(session, good(references().inputs(opened.session, 1)).pack, {}, 1, 60));
    EXPECT_EQ(wrong_elements(good(references().compare(opened.session, 1, run.outputs))), 0);
    EXPECT_EQ(wrong_elements(good(references().compare(opened.session, 0, run.outputs))), kElements);
    candidates().close(session);
    references().close(opened.session);
}

/// out = x + all x before.
struct Accumulating : PlanBuilder {
    Accumulating() {
        const plan::Tensor total = tensor({kElements}), x = tensor({kElements}), out = tensor({kElements});
        aten(Phase::inputs, "aten::rand", {integers({kElements})}, value(x), 0);
        plan.inputs = {value(x)};
        aten(Phase::init, "aten::zeros", {integers({kElements})}, value(total));
        weight("total", total, false);
        forward("aten::add.Tensor", {value(x), value(total)}, value(out));
        forward("aten::add_.Tensor", {value(total), value(x)}, value(total));
        plan.output = value(out);
    }
};
/// The same by kernels; y is the reference's total.
struct AccumulatingCandidate : AddCandidate {
    AccumulatingCandidate() : AddCandidate(1) {
        plan.inputs = {value(x)};
        plan.buffers[static_cast<size_t>(y.buffer)].kind = plan::BufferKind::allocation;
        std::get<plan::LaunchStep>(plan.steps.back().what).args[1] = value(state[0]);
        add(state[0], x, state[0]);
    }
};

TEST_F(ReferenceSession, AModuleThatKeepsSomethingIsCalledOnTheSetsInTurn) {
    std::vector<DeviceSet> sets{drawn(1), drawn(2), drawn(3)};
    for (DeviceSet& set : sets) set.weights_seed = 7;
    const OpenedReference opened = open_reference(references(), Accumulating().plan, sets);
    EXPECT_TRUE(opened.stateful);
    const int session = open_candidate(candidates(), AccumulatingCandidate().plan);
    for (const size_t set : {0, 1, 2}) {
        const RemotePack inputs = good(references().inputs(opened.session, set)).pack;
        const DeviceRun run = good(candidates().run(session, inputs, {}, 1, 60, {set > 0, true}));
        EXPECT_EQ(wrong_elements(good(references().compare(opened.session, set, run.outputs))), 0) << set;
    }
    candidates().close(session);
    references().close(opened.session);
    EXPECT_FALSE(open_reference(references(), AddReference().plan).stateful);
}

TEST_F(ReferenceSession, WhatCallsLeaveInABufferOfTheModuleIsCompared) {
    std::vector<DeviceSet> sets{drawn(1), drawn(2)};
    for (DeviceSet& set : sets) set.weights_seed = 7;
    const OpenedReference opened = open_reference(references(), Accumulating().plan, sets);
    for (const bool right : {true, false}) {
        AccumulatingCandidate plan;
        plan.weight("sum", plan.state[0], false);
        // The last output does not depend on it.
        if (!right) plan.add(plan.state[0], plan.x, plan.state[0]);
        const int session = open_candidate(candidates(), plan.plan, {}, {{"sum", "total"}});
        const RemotePack inputs = good(references().inputs(opened.session, 0)).pack;
        for (const bool asked : {true, false}) {
            const DeviceRun run = good(candidates().run(session, inputs, {}, 1, 60, {false, false, asked}));
            EXPECT_EQ(wrong_elements(good(references().compare(opened.session, 0, run.outputs))) > 0,
                      asked && !right);
        }
        candidates().close(session);
    }
    references().close(opened.session);
}

struct Exponential : PlanBuilder {
    Exponential() {
        plan::Tensor x = tensor({16}), out = tensor({16});
        aten(Phase::inputs, "aten::rand", {integers({16})}, value(x), 0);
        plan.inputs = {value(x)};
        forward("aten::exp", {value(x)}, value(out));
        plan.output = value(out);
    }
};

TEST_F(ReferenceSession, SetsThatAreNotFiniteAreToldAndTheOthersServe) {
    Exponential task;
    const OpenedReference opened =
        open_reference(references(), task.plan, {drawn(1), drawn(2, {1, 1, 100}), drawn(3, {-1, 1, 0})});
    EXPECT_THAT(opened.finite, ElementsAre(true, false, true)) << "exp(100) is more than float32 holds";
    const auto x = values<float>(good(references().host_inputs(opened.session, 2)), "input/0");
    EXPECT_LE(*std::max_element(x.begin(), x.end()), 0) << "the sign of the variant";
    EXPECT_THAT(open_reference(references(), task.plan, {drawn(1, {1, 1, 100}), drawn(2)}).finite,
                ElementsAre(false))
        << "of no use where the task's own inputs are not";
}

TEST_F(ReferenceSession, SaysWhatIsRandomAndWhatItChanges) {
    PlanBuilder task;
    const plan::Tensor x = task.tensor({16}), noise = task.tensor({16});
    task.aten(Phase::inputs, "aten::rand", {integers({16})}, value(x), 0);
    task.plan.inputs = {value(x)};
    task.aten(Phase::forward, "aten::rand_like", {value(x)}, value(noise), 0);
    task.forward("aten::neg_", {value(x)}, value(x));
    task.plan.output = value(noise);
    const OpenedReference opened = open_reference(references(), task.plan);
    EXPECT_TRUE(opened.random);
    EXPECT_THAT(opened.mutated, ElementsAre("input/0"));
}

TEST_F(ReferenceSession, RefusalsNameTheReasonAndLeaveTheOthers) {
    AddReference task, broken;
    const int session = open_reference(references(), task.plan).session;
    std::get<plan::AtenStep>(broken.plan.steps.back().what).op = "aten::from_file";
    OpenReference request;
    request.plan = &broken.plan;
    request.sets = {drawn(1)};
    const auto refused = references().open(request);
    ASSERT_EQ(reason_of(refused), "aten_not_allowed");
    EXPECT_EQ(std::get<WorkerError>(refused).line, 3);
    EXPECT_EQ(reason_of(references().inputs(session, 2)), "plan_invalid") << "there are two sets";
    EXPECT_EQ(reason_of(references().time(session, 3, {}, 60)), "plan_invalid") << "nothing is prepared";
    EXPECT_EQ(reason_of(references().inputs(session, 1)), "none");
    references().close(session);
    EXPECT_EQ(reason_of(references().inputs(session, 1)), "plan_invalid") << "closed";
}

TEST_F(ReferenceSession, TimesAsManyCallsAsAskedFor) {
    Waiting task;
    const int session = open_reference(references(), task.plan).session;
    EXPECT_TRUE(good(references().inputs(session, 1)).kept) << "one set is there, the other is drawn";
    good(references().prepare(session, std::vector<size_t>{0, 1}, numerics::Precision::defaults, 60));
    const TimedBlock block = good(references().time(session, 12, {}, 60));
    EXPECT_EQ(block.ms.size(), 12U);
    for (const double ms : block.ms) EXPECT_GT(ms, 0);
    EXPECT_THAT(block.kept, IsEmpty());
    good(references().prepare(session, std::vector<size_t>{1}, numerics::Precision::tf32, 60));
    EXPECT_EQ(good(references().time(session, 3, {}, 60)).ms.size(), 3U);
    references().release(session);
    EXPECT_EQ(reason_of(references().time(session, 3, {}, 60)), "plan_invalid")
        << "nothing is prepared any more";
    EXPECT_EQ(reason_of(references().inputs(session, 1)), "none");
}

}  // namespace
}  // namespace tritonsmith::run
