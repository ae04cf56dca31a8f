#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "plan/analysis/flow.h"
#include "plan/weights/link.h"

namespace tritonsmith::plan {

/// Where a candidate's module is right in a call and no stand-in for the reference's in the long run.
struct ModuleState {
    /// Buffers of the reference's module that a call changes (running statistics), and the candidate's does
    /// not.
    std::vector<std::string> not_updated;
    /// A weight of the candidate's that its constructor computes something from, which calls read:
    /// `load_state_dict` changes the one and not the other.
    struct Copied {
        std::string weight;
        int line = 0;
    };
    std::vector<Copied> copied;
};
/// Buffers of the module that a call changes (running statistics), but for counts of calls that nothing
/// reads: their names.
std::set<std::string> updated_weights(const Plan& plan, const KernelEffects& effects);
/// Each as a finding `stale_state`.
std::vector<Finding> stale_state(const ModuleState& state);
ModuleState module_state(const Plan& reference, const Plan& candidate, const Links& links,
                         const KernelEffects& effects);
/// `output_overwritten`: an output that lies in memory which is there before the call and which the call
/// writes, so that y = m(a); m(b) changes y. Nothing where the reference does the same with this output.
/// @param effects of the candidate's kernels
std::optional<Finding> overwritten_output(const Plan& reference, const Plan& candidate,
                                          const KernelEffects& effects);

}  // namespace tritonsmith::plan
