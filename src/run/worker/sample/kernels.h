#pragma once

#include <optional>
#include <set>
#include <vector>

#include "plan/analysis/flow.h"
#include "plan/ir/plan.h"
#include "run/client/issued_kernels.h"
#include "run/worker/program_cache.h"
#include "ttir/analysis/effects.h"
#include "ttir/interp/interpreter.h"
#include "ttir/ir/ir.h"

namespace tritonsmith::run::sample {

/// A plan's kernels made ready to run, and what they do with their parameters; each when it is first asked
/// for. @throws StepError invalid_ttir
class Kernels {
  public:
    /// @param issued kernels whose loads the compiled kernel issues earlier
    Kernels(const plan::Plan& plan, ProgramCache& cache, const IssuedKernels& issued = {});
    const ttir::Module& module(int kernel) { return *entry(kernel).module; }
    const ttir::Program& program(int kernel) { return *entry(kernel).program; }
    const std::vector<ttir::Effect>& effects(int kernel);

  private:
    const ProgramCache::Entry& entry(int kernel);

    const plan::Plan& plan_;
    ProgramCache& cache_;
    IssuedKernels issued_;
    std::vector<std::optional<ProgramCache::Entry>> entries_;
    std::vector<std::optional<std::vector<ttir::Effect>>> effects_;
};

/// Sizes of dimensions in a launch's arguments, and its integers (choice.h).
std::vector<int64_t> extents_of(const plan::LaunchStep& launch);
/// Buffers that a launch may write.
std::set<int> written_by(const plan::LaunchStep& launch, Kernels& kernels);
/// Buffers that some launch may write.
std::set<int> written_by_launches(const std::vector<plan::Executed>& steps, Kernels& kernels);

}  // namespace tritonsmith::run::sample
