#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "plan/flow.h"
#include "plan/plan.h"
#include "ttir/analysis/effects.h"
#include "ttir/interp/interpreter.h"
#include "ttir/ir/ir.h"

namespace tritonsmith::judge {

/// What a candidate's kernels do with their parameters, and the kernels made ready to run; each when it is
/// first asked for.
class Kernels {
  public:
    explicit Kernels(const std::vector<std::shared_ptr<const ttir::Module>>& modules);
    const ttir::Module& module(int kernel) const { return *modules_[static_cast<size_t>(kernel)]; }
    const ttir::Program& program(int kernel);
    const std::vector<ttir::Effect>& effects(int kernel);

  private:
    const std::vector<std::shared_ptr<const ttir::Module>>& modules_;
    std::vector<std::unique_ptr<ttir::Program>> programs_;
    std::vector<std::optional<std::vector<ttir::Effect>>> effects_;
};

/// The buffer that an argument of a launch points into; -1: it is a number.
int buffer_of(const plan::Value& value);
/// Sizes of dimensions in a launch's arguments, and its integers (sample_choice.h).
std::vector<int64_t> extents_of(const plan::LaunchStep& launch);
/// Buffers that some launch may write.
std::set<int> written_by_launches(const std::vector<plan::Executed>& steps, Kernels& kernels);

}  // namespace tritonsmith::judge
