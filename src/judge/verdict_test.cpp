// Whole verdicts without Python: plans written by hand stand for what the tracer would record, no kernel is
// compiled; the workers are real.
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "judge/judge.h"
#include "run/worker/sessions/session_testing.h"

namespace tritonsmith::judge {
namespace {

using run::testing::AddCandidate;
using run::testing::AddReference;
using run::testing::value;

const char* const kAddProgram = R"(import torch, triton, triton.language as tl

@triton.jit
def add_kernel(x, y, out, n):
    i = tl.program_id(0) * 256 + tl.arange(0, 256)
    tl.store(out + i, tl.load(x + i, i < n) + tl.load(y + i, i < n), i < n)

class ModelNew(torch.nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        add_kernel[(4,)](x, y, out, x.numel())
        return out
)";

using Traced = std::function<trace::Outcome(const trace::Request&)>;

class TracerOfTests : public trace::Tracer {
  public:
    explicit TracerOfTests(Traced traced) : traced_(std::move(traced)) {}
    trace::Outcome trace(const trace::Request& request, std::shared_ptr<const Json>* /*lowered*/) override {
        return traced_(request);
    }

  private:
    Traced traced_;
};

class CompilerOfTests : public trace::Compiler {
  public:
    explicit CompilerOfTests(std::optional<Finding> finding) : finding_(std::move(finding)) {}
    std::variant<trace::Compiled, Finding> compile(const std::string& /*ttir*/, const std::string& /*target*/,
                                                   const std::map<std::string, plan::Value>& /*options*/,
                                                   trace::CompileBudget* /*budget*/) override {
        if (finding_) return *finding_;
        trace::Compiled out;
        out.name = "add_kernel";
        out.num_warps = 4;
        return out;
    }
    std::variant<trace::IssueOrder, Finding> issue_order(
        const std::string& /*ttir*/, const std::string& /*target*/,
        const std::map<std::string, plan::Value>& /*options*/, trace::CompileBudget* /*budget*/) override {
        return trace::IssueOrder{};
    }

  private:
    std::optional<Finding> finding_;
};

plan::Plan reference_on(const std::string& device) {
    AddReference reference;
    reference.plan.device = device;
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
    Paths paths;
    paths.worker = std::string(TRITONSMITH_BINARY_DIR) + "/bin/tritonsmith-worker";
    Judge judge(std::make_unique<Services>(paths, std::make_unique<TracerOfTests>(traced),
                                           std::make_unique<CompilerOfTests>(compiled)));
    task::Task task;
    task.id = task.display = "add";
    task.source = "class Model: pass\n";
    Options options;
    options.threads = 1;
    return judge.judge(task, text, "candidate.py", options);
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

}  // namespace
}  // namespace tritonsmith::judge
