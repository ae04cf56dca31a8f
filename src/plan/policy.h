#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "plan/flow.h"
#include "plan/plan.h"

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
/// every output must flow from a launch. Reasons: no_triton_launch, aten_not_allowed, int_to_ptr, host_compute,
/// output_not_from_kernel, output_ignores_inputs, in this order. Expects a valid plan.
PolicyReport check_policy(const Plan& candidate, const PolicyOptions& options);

/// True if no step of the plan's forward phase computes: only views, copies, casts, rearrangement (cat, flip,
/// pad …) and allocation.
bool moves_only(const Plan& reference);

/// For each tensor of the output: true where the reference's forward phase neither computes nor copies it (it
/// is an input, a weight, or a view of one).
std::vector<bool> uncomputed_outputs(const Plan& reference);

/// For each tensor of the output: true where no step carries anything of inputs, weights or draws into it.
std::vector<bool> constant_outputs(const Plan& reference);

/// For each tensor of the output: true where something of an input reaches it.
std::vector<bool> outputs_of_inputs(const Plan& reference);

/// Launch indices (position among launches of the forward and init phase, as executed with every choice's
/// first alternative) on the dataflow of some output.
std::vector<int> launches_on_output_path(const Plan& plan, const KernelEffects& effects = {});

/// Cost of a plan from shapes alone, for shrinking and reports.
struct Cost {
    int64_t bytes = 0;       ///< of inputs, weights and outputs
    double flops = 0;        ///< of the forward phase
    int64_t peak_bytes = 0;  ///< most bytes that live at once, with the plan's frees
    int64_t traffic = 0;     ///< bytes read and written by the forward phase's steps
};
Cost cost(const Plan& plan);

/// The plan as a person reads it (tritonsmith trace).
std::string describe(const Plan& plan, bool with_ttir);

}  // namespace tritonsmith::plan
