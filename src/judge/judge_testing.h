#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "judge/judge.h"

/// A judge whose tracer and compiler are functions of the test; its workers are real.
namespace tritonsmith::judge::testing {

inline const char* const kAddProgram = R"(import torch, triton, triton.language as tl

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

inline Judge judge_with(Traced traced, std::optional<Finding> compiled = std::nullopt) {
    Paths paths;
    paths.worker = std::string(TRITONSMITH_BINARY_DIR) + "/bin/tritonsmith-worker";
    return Judge(std::make_unique<Services>(paths, std::make_unique<TracerOfTests>(std::move(traced)),
                                            std::make_unique<CompilerOfTests>(std::move(compiled))));
}

/// A task that only its trace says anything of.
inline task::Task traced_task(const std::string& id = "add") {
    task::Task task;
    task.id = task.display = id;
    task.source = "class Model: pass  # " + id + "\n";
    return task;
}

}  // namespace tritonsmith::judge::testing
