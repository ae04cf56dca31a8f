// Whole verdicts without Python: plans written by hand stand for what the tracer would record, no kernel is
// compiled; the workers are real.
#include <gtest/gtest.h>

#include "judge/judge_testing.h"
#include "run/worker/sessions/session_testing.h"

namespace tritonsmith::judge {
namespace {

using run::testing::AddCandidate;
using run::testing::AddReference;
using run::testing::value;
using testing::kAddProgram;

plan::Plan reference_on(const std::string& device, int64_t elements = run::testing::kElements) {
    AddReference reference(elements);
    reference.plan.device = device;
    reference.plan.constants = {{"N", elements}};
    return reference.plan;
}

/// What the judge says of a candidate that is traced to this.
Verdict verdict_of(const trace::Outcome& candidate, const trace::Outcome& reference = reference_on("cuda"),
                   const std::optional<Finding>& compiled = std::nullopt,
                   const std::string& text = kAddProgram) {
    auto traced = [=](const trace::Request& request) -> trace::Outcome {
        if (request.kind == "candidate") return candidate;
        if (request.device == "cpu") return reference_on("cpu");
        return reference;
    };
    Judge judge = testing::judge_with(traced, compiled);
    Options options;
    options.threads = 1;
    return judge.judge(testing::traced_task(), text, "candidate.py", options);
}

TEST(Verdict, ARightKernelIsAccepted) {
    const Verdict verdict = verdict_of(AddCandidate().plan);
    EXPECT_EQ(verdict.status, Status::accepted) << verdict.reason << ": " << verdict.message;
    EXPECT_EQ(verdict.stage, "done");
    EXPECT_TRUE(verdict.valid && verdict.compiled && verdict.correct);
}

TEST(Verdict, AWrongResultIsRejected) {
    AddCandidate twice;
    std::get<plan::LaunchStep>(twice.plan.steps.back().what).args[1] = value(twice.x);
    const Verdict verdict = verdict_of(twice.plan);
    EXPECT_EQ(verdict.reason, "wrong_result") << verdict.message;
    EXPECT_EQ(verdict.status, Status::rejected);
    EXPECT_FALSE(verdict.correct);
}

TEST(Verdict, LaunchesStayInBoundsAndWriteEverything) {
    const Verdict beyond = verdict_of(AddCandidate(0, 4, 1024).plan);
    EXPECT_EQ(beyond.reason, "out_of_bounds") << beyond.message;
    const Verdict short_of = verdict_of(AddCandidate(0, 3).plan);
    EXPECT_EQ(short_of.reason, "uninitialised_output") << short_of.message;
}

TEST(Verdict, TheHostMayNotCompute) {
    AddCandidate candidate;
    candidate.forward("aten::add.Tensor", {value(candidate.x), value(candidate.y)}, value(candidate.out));
    const Verdict verdict = verdict_of(candidate.plan);
    EXPECT_EQ(verdict.stage, "policy");
    EXPECT_EQ(verdict.reason, "host_compute") << verdict.message;
}

TEST(Verdict, AFailedTraceIsTheFaultOfWhoWasTraced) {
    const Finding finding{"trace_error", "it raised", 3, Json::object()};
    const Verdict candidate = verdict_of(finding);
    EXPECT_EQ(candidate.status, Status::rejected);
    EXPECT_EQ(candidate.line, 3);
    const Verdict task = verdict_of(AddCandidate().plan, finding);
    EXPECT_EQ(task.status, Status::unjudgeable) << task.reason;
}

TEST(Verdict, WhatDoesNotCompileIsRejected) {
    const Verdict verdict = verdict_of(AddCandidate().plan, reference_on("cuda"),
                                       Finding{"compile_failed", "no", 0, Json::object()});
    EXPECT_EQ(verdict.reason, "compile_failed") << verdict.message;
    EXPECT_EQ(verdict.stage, "compile");
}

TEST(Verdict, ATextWithoutAKernelIsNotTraced) {
    auto not_asked = Finding{"trace_error", "traced", 0, Json::object()};
    const Verdict verdict =
        verdict_of(not_asked, reference_on("cuda"), std::nullopt, "class ModelNew: pass\n");
    EXPECT_EQ(verdict.stage, "lint");
    EXPECT_EQ(verdict.status, Status::rejected);
}

/// Too large to be interpreted whole.
constexpr int64_t kManyElements = int64_t{1} << 21;

using Candidate = std::function<plan::Plan(int64_t elements)>;

/// Of a task with kManyElements, which is scaled down.
Verdict scaled_verdict_of(const Candidate& candidate) {
    Judge judge = testing::judge_with([&](const trace::Request& request) -> trace::Outcome {
        if (request.kind == "candidate") return candidate(plan::tensors_in(request.inputs).front().shape[0]);
        const auto scaled = request.constants.find("N");
        return reference_on(request.device,
                            scaled == request.constants.end() ? kManyElements : scaled->second);
    });
    Options options;
    options.threads = 1;
    options.require = Checked::sampled;
    return judge.judge(testing::traced_task(), kAddProgram, "candidate.py", options);
}

AddCandidate added(int64_t elements, int64_t programs_left_out = 0) {
    return AddCandidate(1, (elements + 255) / 256 - programs_left_out, elements, elements);
}

TEST(SampledVerdict, ElementsOfTheTasksOwnSizeAreCompared) {
    const Verdict verdict = scaled_verdict_of([](int64_t n) { return added(n).plan; });
    EXPECT_EQ(verdict.status, Status::accepted) << verdict.reason << ": " << verdict.message;
    EXPECT_EQ(verdict.checked, Checked::sampled);
    EXPECT_EQ(verdict.evidence.at("scaled").at("N").at(0), kManyElements);
    EXPECT_LT(verdict.evidence.at("scaled").at("N").at(1), kManyElements);
    EXPECT_GE(verdict.evidence.at("full_size_sample").at("elements_compared"), 64);
}

TEST(SampledVerdict, WhatIsWrongThereOnlyIsFound) {
    const Verdict last = scaled_verdict_of([](int64_t n) { return added(n, n == kManyElements).plan; });
    EXPECT_EQ(last.reason, "uninitialised_output") << last.message;
    EXPECT_EQ(last.evidence.at("size"), "full");
    const Verdict wrong = scaled_verdict_of([](int64_t n) {
        AddCandidate twice = added(n);
        if (n == kManyElements)
            std::get<plan::LaunchStep>(twice.plan.steps.back().what).args[1] = value(twice.x);
        return twice.plan;
    });
    EXPECT_EQ(wrong.reason, "wrong_result") << wrong.message;
    EXPECT_EQ(wrong.evidence.at("size"), "full");
}

/// out = (x + y) + 0, by two launches. @param left_out programs of the first
plan::Plan in_two_launches(int64_t elements, int64_t left_out) {
    AddCandidate candidate = added(elements, left_out);
    const plan::Tensor sum = candidate.tensor({elements});
    candidate.forward("aten::empty_like", {value(candidate.x)}, value(sum));
    candidate.add(candidate.out, candidate.state[0], sum, (elements + 255) / 256, elements);
    candidate.plan.output = value(sum);
    return candidate.plan;
}

TEST(SampledVerdict, ProgramsThatTheElementsDependOnAreRunAsWell) {
    const Verdict right = scaled_verdict_of([](int64_t n) { return in_two_launches(n, 0); });
    EXPECT_EQ(right.status, Status::accepted) << right.reason << ": " << right.message;
    const Verdict wrong = scaled_verdict_of([](int64_t n) { return in_two_launches(n, n == kManyElements); });
    EXPECT_EQ(wrong.status, Status::rejected) << wrong.message;
    EXPECT_EQ(wrong.evidence.at("size"), "full");
}

TEST(Verdict, BeforeAKernelHasRunNothingIsChecked) {
    AddCandidate candidate;
    candidate.plan.output = value(candidate.x);
    const Verdict verdict = verdict_of(candidate.plan);
    EXPECT_EQ(verdict.stage, "policy");
    EXPECT_EQ(verdict.checked, Checked::none);
}

}  // namespace
}  // namespace tritonsmith::judge
