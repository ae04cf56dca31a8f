#pragma once

#include <vector>

#include "plan/flow.h"

namespace tritonsmith::plan {

/// For each of executed_steps(plan): true where what it writes can reach an output.
/// @param replaced indices of plan.steps whose writes are replaced by other values (linked weights): what
/// they read does not matter.
std::vector<bool> reaches_output(const Plan& plan, const std::vector<Executed>& steps,
                                 const KernelEffects& effects, const std::vector<int>& replaced = {});

}  // namespace tritonsmith::plan
