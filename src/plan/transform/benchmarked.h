#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/analysis/flow.h"
#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// A launch that an autotuner's benchmark repeats on memory that it both reads and changes.
struct Disturbed {
    int kernel = -1;
    int line = 0;
    std::vector<int> parameters;  ///< those through which the memory is changed
};

/// What the benchmarks of the plan's autotuned kernels may leave in another state than they found: launches
/// that read what they write, and hooks that write. Empty: whoever benchmarks first changes no answer.
std::vector<Disturbed> disturbed_by_benchmark(const Plan& plan, const KernelEffects& effects);

/// The plan as a first call runs it: each benchmark's steps before the choice that it is for.
Plan with_benchmarks(const Plan& plan);

}  // namespace tritonsmith::plan
