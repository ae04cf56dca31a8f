#pragma once

#include <optional>
#include <vector>

#include "base/error.h"
#include "plan/plan.h"

namespace tritonsmith::plan {

struct PolicyOptions {
    bool relaxed = false;  ///< AutoTriton's rule: some own kernel; ATen steps are allowed and reported
    bool reference_moves_only =
        false;  ///< the reference only moves data: copies by the host are the work itself
};

struct PolicyReport {
    std::vector<Finding> findings;  ///< empty: the plan obeys
    std::vector<Finding> notes;     ///< tolerated host steps, each with its line
    int launches = 0, host_steps = 0;
    int64_t launch_bytes = 0, host_bytes = 0;
};

/// Robust policy (docs/judge.md): compute only in own Triton launches; allocation, views, constant fills,
/// copies between non-overlapping views and casts between floating types are tolerated and counted; every
/// output must flow from a launch. Reasons: no_triton_launch, host_compute, output_not_from_kernel,
/// aten_not_allowed, weights_folded ...
PolicyReport check_policy(const Plan& candidate, const PolicyOptions& options);

/// True if no step of the plan's forward phase computes: only views, copies, casts and allocation.
bool moves_only(const Plan& reference);

/// Launch indices (position among launches of the forward and init phase) on the dataflow of some output.
std::vector<int> launches_on_output_path(const Plan& plan);

/// Cost of a plan from shapes alone, for shrinking and reports.
struct Cost {
    int64_t bytes = 0;
    double flops = 0;
    int64_t peak_bytes = 0;
};
Cost cost(const Plan& plan);

/// The plan as a person reads it (tritonsmith trace).
std::string describe(const Plan& plan, bool with_ttir);

}  // namespace tritonsmith::plan
