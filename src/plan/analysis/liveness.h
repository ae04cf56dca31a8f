#pragma once

#include <vector>

#include "plan/analysis/flow.h"

namespace tritonsmith::plan {

/// For each of executed_steps(plan): true where what it writes can reach an output.
/// @param replaced indices of plan.steps whose writes are replaced by other values (linked weights): what
/// they read does not matter.
std::vector<bool> reaches_output(const Plan& plan, const std::vector<Executed>& steps,
                                 const KernelEffects& effects, const std::vector<int>& replaced = {});

/// Launch indices (position among launches of the forward and init phase, as executed with every choice's
/// first alternative) on the dataflow of some output.
std::vector<int> launches_on_output_path(const Plan& plan, const KernelEffects& effects = {});

}  // namespace tritonsmith::plan
