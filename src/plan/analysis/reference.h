#pragma once

#include <vector>

#include "plan/ir/plan.h"

namespace tritonsmith::plan {

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

}  // namespace tritonsmith::plan
