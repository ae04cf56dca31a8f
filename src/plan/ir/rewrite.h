#pragma once

#include <string>
#include <utility>

#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// Builds a new list of forward steps for a plan, with scratch buffers behind the plan's own.
class Rewriter {
  public:
    explicit Rewriter(Plan plan) : plan_(std::move(plan)) { plan_.steps.clear(); }
    Plan& plan() { return plan_; }
    Plan take() { return std::move(plan_); }

    /// Steps emitted from now on carry this line.
    void at(int line) { line_ = line; }
    void emit(decltype(Step::what) what) { plan_.steps.push_back({std::move(what), Phase::forward, line_}); }
    void emit(const std::string& op, List args, Value result,
              std::vector<std::pair<std::string, Value>> kwargs = {}) {
        emit(AtenStep{op, std::move(args), std::move(kwargs), std::move(result)});
    }
    /// A contiguous tensor of the same shape in a buffer of its own, which the next step with it as result
    /// makes.
    Tensor scratch(const Tensor& like, DType dtype);
    /// Frees a scratch tensor's buffer.
    void drop(const Tensor& scratch) { emit(FreeStep{scratch.buffer}); }

  private:
    Plan plan_;
    int line_ = 0;
};

}  // namespace tritonsmith::plan
