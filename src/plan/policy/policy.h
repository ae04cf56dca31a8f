#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "plan/analysis/flow.h"
#include "plan/ir/plan.h"

namespace tritonsmith::plan {

struct PolicyOptions {
    /// AutoTriton's rule: some own kernel; ATen steps are allowed and reported.
    bool relaxed = false;
    /// The reference only moves data: copies by the host are the work itself.
    bool reference_moves_only = false;
    /// From each kernel's TTIR (ttir/analysis/effects.h); unknown parameters count as read and written.
    KernelEffects effects = {};
    /// Outputs, in the order of tensors_in(output), that need not flow from a launch (uncomputed_outputs of
    /// the reference); empty: all must.
    std::vector<bool> exempt_outputs = {};
    /// Outputs that may be the same whatever the inputs are (constant_outputs of the reference); empty: none.
    std::vector<bool> constant_outputs = {};
    /// Outputs that the reference computes from inputs (outputs_of_inputs), so that the candidate's own
    /// random numbers are no answer; empty: none is known to be.
    std::vector<bool> outputs_of_inputs = {};
    /// Names of weights that the reference's fill (Links::by_candidate): computed ones are replaced as well.
    std::set<std::string> linked = {};
};

struct PolicyReport {
    std::vector<Finding> findings;  ///< empty: the plan obeys
    std::vector<Finding> notes;     ///< tolerated host steps, each with its line
    int launches = 0;               ///< launch steps that run (choices count their first alternative)
    int host_steps = 0;  ///< ATen steps that move or compute data; views and allocation do not count
    /// Bytes of the tensors behind the launches' pointers, once for reading and once for writing: an upper
    /// bound of what the kernels move.
    int64_t launch_bytes = 0;
    /// Bytes that host steps read and write, those of initialisation that linked weights replace left out.
    int64_t host_bytes = 0;
};

/// Robust policy (docs/judge.md): compute only in own Triton launches; allocation, views, constants, copies
/// between non-overlapping views and casts (not from floating types to whole ones) are tolerated and counted;
/// every output must flow from a launch. Reasons: no_triton_launch, aten_not_allowed, int_to_ptr,
/// host_compute, output_not_from_kernel, output_ignores_inputs, in this order. Expects a valid plan.
PolicyReport check_policy(const Plan& candidate, const PolicyOptions& options);

}  // namespace tritonsmith::plan
