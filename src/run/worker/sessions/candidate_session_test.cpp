#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/worker/sessions/session_host_testing.h"

/// Sessions that hold a candidate, in a worker for the CPU, with the reference in another.
namespace tritonsmith::run {
namespace {

using plan::DType;
using plan::Phase;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace testing;  // of tritonsmith::run

class CandidateSession : public Sessions {
  protected:
    ~CandidateSession() override { references().close(reference.session); }

    RemotePack inputs(size_t set) { return good(references().inputs(reference.session, set)).pack; }
    DeviceRun run(const plan::Plan& plan, size_t set = 0, int calls = 1, double deadline_s = 60) {
        const int session = open_candidate(candidates(), plan);
        DeviceRun out = good(candidates().run(session, inputs(set), {}, calls, deadline_s));
        candidates().close(session);
        return out;
    }
    int64_t wrong(size_t set, const RemotePack& outputs) {
        return wrong_elements(good(references().compare(reference.session, set, outputs)));
    }
    int prepared(const plan::Plan& plan) {
        const int session = open_candidate(candidates(), plan);
        std::vector<RemotePack> sets;
        for (const size_t set : {0, 1}) sets.push_back(inputs(set));
        how = good(candidates().prepare(session, sets, {}, false, 60));
        return session;
    }

    AddReference task;
    OpenedReference reference = open_reference(references(), task.plan);
    Prepared how;
};

TEST_F(CandidateSession, ARightOneIsRightOnEachSet) {
    for (const size_t set : {0, 1}) {
        const DeviceRun right = run(AddCandidate().plan, set);
        EXPECT_THAT(right.findings, IsEmpty());
        EXPECT_THAT(right.mutated, IsEmpty());
        EXPECT_FALSE(right.tf32);
        EXPECT_EQ(wrong(set, right.outputs), 0);
        EXPECT_GT(wrong(1 - set, right.outputs), kElements / 2) << "sets differ";
    }
}

TEST_F(CandidateSession, AWrongOneIsToldWhereAndBy) {
    AddCandidate twice;
    std::get<plan::LaunchStep>(twice.plan.steps.back().what).args[1] = value(twice.x);
    const DeviceRun answer = run(twice.plan);
    const ComparedAnswer compared = good(references().compare(reference.session, 0, answer.outputs));
    ASSERT_EQ(compared.outputs.size(), 1U);
    const Json& mismatch = compared.outputs[0].mismatch;
    ASSERT_FALSE(mismatch.is_null());
    const auto index = mismatch["index"][0].get<size_t>();
    const Pack given = good(references().host_inputs(reference.session, 0));
    const auto x = values<float>(given, "input/0"), y = values<float>(given, "input/1");
    EXPECT_NEAR(mismatch["found"].get<double>(), 2 * x[index], 1e-6);
    EXPECT_NEAR(mismatch["expected"].get<double>(), x[index] + y[index], 1e-6);
    EXPECT_GT(compared.outputs[0].worst_ratio, 1000);
    EXPECT_THAT(compared.missing, IsEmpty());
}

TEST_F(CandidateSession, OutputsOfTheHostAreComparedAsWell) {
    const DeviceRun right = run(AddCandidate().plan);
    const Pack host = mapped({duplicate(right.outputs.fd), right.outputs.where});
    EXPECT_EQ(wrong_elements(good(references().compare(reference.session, 0, host))), 0);
    EXPECT_EQ(wrong_elements(good(references().compare(reference.session, 1, host))), kElements);
}

TEST_F(CandidateSession, OutputsOfAnotherShapeAreMissing) {
    AddCandidate folded;
    folded.plan.output = value({folded.out.buffer, DType::f32, {10, 100}, {100, 1}, 0});
    const DeviceRun answer = run(folded.plan);
    EXPECT_THAT(good(references().compare(reference.session, 0, answer.outputs)).missing,
                ElementsAre("output/0"));
}

TEST_F(CandidateSession, FindingsComeInPlaceOfOutputs) {
    const DeviceRun astray = run(AddCandidate(0, 4, 1024).plan);
    ASSERT_FALSE(astray.findings.empty());
    EXPECT_EQ(astray.findings[0].reason, "out_of_bounds");
    EXPECT_FALSE(astray.outputs.fd.get() >= 0) << "what follows a fault means nothing";
    const DeviceRun partial = run(AddCandidate(0, 3).plan);
    ASSERT_EQ(partial.findings.size(), 1U);
    EXPECT_EQ(partial.findings[0].reason, "uninitialised_output");
    AddCandidate forever;
    forever.launch(forever.kernel("forever"), {1, 1, 1}, {value(forever.out), {int64_t{1}}});
    const DeviceRun stuck = run(forever.plan, 0, 1, 0.5);
    ASSERT_FALSE(stuck.findings.empty());
    EXPECT_EQ(stuck.findings[0].reason, "interpret_timeout");
}

TEST_F(CandidateSession, ChangedInputsAreNamedAndTheReferencesAreNotTouched) {
    AddCandidate greedy;
    greedy.add(greedy.x, greedy.y, greedy.y);
    const DeviceRun run = this->run(greedy.plan);
    EXPECT_THAT(run.mutated, ElementsAre("input/1"));
    const Pack outputs = mapped({duplicate(run.outputs.fd), run.outputs.where});
    EXPECT_NE(outputs.find("input/1"), nullptr);
    EXPECT_EQ(values<float>(mapped(inputs(0)), "input/1"),
              values<float>(good(references().host_inputs(reference.session, 0)), "input/1"));
}

TEST_F(CandidateSession, ASecondCallFindsTheFirstOnesState) {
    Forgetful plan;
    EXPECT_EQ(wrong(0, run(plan.plan).outputs), 0);
    EXPECT_GT(wrong(0, run(plan.plan, 0, 2).outputs), kElements / 2);
    EXPECT_EQ(wrong(0, run(AddCandidate().plan, 0, 2).outputs), 0);
}

TEST_F(CandidateSession, AModuleThatIsKeptIsCalledOnOtherInputs) {
    for (const bool forgetful : {false, true}) {
        const plan::Plan plan = forgetful ? Forgetful().plan : AddCandidate().plan;
        const int session = open_candidate(candidates(), plan);
        size_t call = 0;
        for (const size_t set : {0, 1, 0}) {
            const KeptModule module{call > 0, call < 2};
            const DeviceRun run = good(candidates().run(session, inputs(set), {}, 1, 60, module));
            EXPECT_EQ(wrong(set, run.outputs) > 0, forgetful && call > 0) << call;
            ++call;
        }
        const DeviceRun anew = good(candidates().run(session, inputs(1), {}, 1, 60, {true, false}));
        EXPECT_EQ(wrong(1, anew.outputs), 0) << "the last run has kept none";
        candidates().close(session);
    }
}

/// out = x + gain, of a weight that is drawn anew in place of ones.
struct Gain : PlanBuilder {
    Gain() {
        const plan::Tensor w = tensor({kElements}), x = tensor({kElements}), out = tensor({kElements});
        aten(Phase::inputs, "aten::rand", {integers({kElements})}, value(x), 0);
        plan.inputs = {value(x)};
        aten(Phase::init, "aten::ones", {integers({kElements})}, value(w));
        weight("gain", w);
        forward("aten::add.Tensor", {value(x), value(w)}, value(out));
        plan.output = value(out);
    }
};
struct GainCandidate : AddCandidate {
    GainCandidate() : AddCandidate(1) {
        plan.inputs = {value(x)};
        plan.buffers[static_cast<size_t>(y.buffer)].kind = plan::BufferKind::allocation;
        weight("scale", state[0]);
        std::get<plan::LaunchStep>(plan.steps.back().what).args[1] = value(state[0]);
    }
    const std::map<std::string, std::string> links = {{"scale", "gain"}};
};

TEST_F(CandidateSession, LinkedWeightsTakeTheReferencesValues) {
    Gain task;
    const OpenedReference opened = open_reference(references(), task.plan);
    GainCandidate mine;
    for (const bool linked : {true, false}) {
        const int session = open_candidate(candidates(), mine.plan, {},
                                           linked ? mine.links : std::map<std::string, std::string>());
        const DeviceRun run =
            good(candidates().run(session, good(references().inputs(opened.session, 0)).pack, {}, 1, 60));
        EXPECT_EQ(wrong_elements(good(references().compare(opened.session, 0, run.outputs))),
                  linked ? 0 : kElements);
        candidates().close(session);
    }
    references().close(opened.session);
}

TEST_F(CandidateSession, SetsThatAreTimedInTurnShareTheirWeights) {
    Gain task;
    std::vector<DeviceSet> sets{drawn(1), drawn(2), drawn(3)};
    sets[0].weights_seed = sets[1].weights_seed = 77;
    const OpenedReference opened = open_reference(references(), task.plan, sets);
    std::vector<RemotePack> packs;
    std::vector<std::vector<float>> weights;
    for (const size_t set : {0, 1, 2}) {
        packs.push_back(good(references().inputs(opened.session, set)).pack);
        weights.push_back(values<float>(good(references().host_inputs(opened.session, set)), "weight/gain"));
    }
    EXPECT_EQ(weights[0], weights[1]);
    EXPECT_NE(weights[0], weights[2]) << "of a seed of its own";
    packs.pop_back();
    GainCandidate mine;
    const int session = open_candidate(candidates(), mine.plan, {}, mine.links);
    good(candidates().prepare(session, packs, {}, false, 60));
    const TimedBlock timed = good(candidates().time(session, 4, {0, 1}, 60));
    for (const TimedBlock::Kept& kept : timed.kept)
        EXPECT_EQ(wrong_elements(good(references().compare(opened.session, kept.set, kept.outputs))), 0);
    candidates().close(session);
    references().close(opened.session);
}

TEST_F(CandidateSession, TimedCallsTakeTheSetsInTurnAndKeepWhatTheyAnswered) {
    const int session = prepared(AddCandidate().plan);
    EXPECT_FALSE(how.computes_at_construction);
    size_t next = 1;
    for (int block = 0; block < 2; ++block) {
        const TimedBlock timed = good(candidates().time(session, 5, {0, 1, 4}, 60));
        ASSERT_EQ(timed.ms.size(), 5U);
        ASSERT_EQ(timed.kept.size(), 3U);
        for (const TimedBlock::Kept& kept : timed.kept) {
            EXPECT_EQ(kept.set, (next + static_cast<size_t>(kept.sample)) % 2);
            EXPECT_EQ(wrong(kept.set, kept.outputs), 0);
            EXPECT_GT(wrong(1 - kept.set, kept.outputs), kElements / 2);
        }
        EXPECT_THAT((std::vector<int>{timed.kept[0].sample, timed.kept[1].sample, timed.kept[2].sample}),
                    ElementsAre(0, 1, 4));
        next += 5;
    }
    candidates().close(session);
}

TEST_F(CandidateSession, EachTimedCallFindsTheStateOfTheFirst) {
    const int session = prepared(Forgetful().plan);
    const TimedBlock timed = good(candidates().time(session, 6, {0, 3, 5}, 60));
    for (const TimedBlock::Kept& kept : timed.kept)
        EXPECT_EQ(wrong(kept.set, kept.outputs), 0) << kept.sample;
    candidates().close(session);
}

TEST_F(CandidateSession, ACallMayEndTheLifeOfWhatConstructionMade) {
    Forgetful plan;
    plan.free(plan.state[0]);
    const int session = prepared(plan.plan);
    const TimedBlock timed = good(candidates().time(session, 4, {0, 3}, 60));
    for (const TimedBlock::Kept& kept : timed.kept)
        EXPECT_EQ(wrong(kept.set, kept.outputs), 0) << kept.sample;
    candidates().close(session);
}

TEST_F(CandidateSession, WhatTimedCallsDoToInputsIsUndone) {
    AddCandidate greedy;
    greedy.add(greedy.x, greedy.y, greedy.y);
    const int session = prepared(greedy.plan);
    const TimedBlock timed = good(candidates().time(session, 4, {0, 2, 3}, 60));
    for (const TimedBlock::Kept& kept : timed.kept)
        EXPECT_EQ(wrong(kept.set, kept.outputs), 0) << kept.sample;
    candidates().close(session);
}

/// It leaves the end of its output as it is, which must not be what the call before left there.
TEST_F(CandidateSession, NothingOfOneTimedCallIsLeftForTheNext) {
    AddCandidate partial(0, 3);
    const int session = prepared(partial.plan);
    const TimedBlock timed = good(candidates().time(session, 5, {2, 4}, 60));
    for (const TimedBlock::Kept& kept : timed.kept) EXPECT_EQ(wrong(kept.set, kept.outputs), kElements - 768);
    candidates().close(session);
}

TEST_F(CandidateSession, WhatItKeepsIsBounded) {
    const int session = prepared(AddCandidate().plan);
    EXPECT_EQ(reason_of(candidates().time(session, 3, {3}, 60)), "plan_invalid");
    EXPECT_EQ(reason_of(candidates().time(session, 3, {-1}, 60)), "plan_invalid");
    EXPECT_EQ(reason_of(candidates().time(session, 99, {0, 1, 2, 3, 4, 5, 6, 7, 8}, 60)), "plan_invalid");
    EXPECT_EQ(reason_of(candidates().time(session, 3, {1, 1}, 60)), "plan_invalid")
        << "each call is kept once";
    EXPECT_EQ(good(candidates().time(session, 3, {2, 0}, 60)).kept.size(), 2U);
    candidates().close(session);
}

TEST_F(CandidateSession, PacksThatDoNotFitAreRefused) {
    AddCandidate plan;
    const int session = open_candidate(candidates(), plan.plan);
    RemotePack larger = inputs(0);
    larger.where["bytes"] = int64_t{1} << 30;
    EXPECT_EQ(reason_of(candidates().run(session, larger, {}, 1, 60)), "plan_invalid");
    RemotePack outside = inputs(0);
    outside.where["index"][1]["offset"] = int64_t{1} << 20;
    EXPECT_EQ(reason_of(candidates().run(session, outside, {}, 1, 60)), "plan_invalid");
    RemotePack nameless = inputs(0);
    nameless.where["index"].erase(1);
    EXPECT_EQ(reason_of(candidates().run(session, nameless, {}, 1, 60)), "plan_invalid");
    EXPECT_EQ(wrong(0, good(candidates().run(session, inputs(0), {}, 1, 60)).outputs), 0) << "and it goes on";
    candidates().close(session);
}

}  // namespace
}  // namespace tritonsmith::run
