#pragma once

#include <optional>

#include "base/error.h"
#include "plan/analysis/flow.h"
#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// Programmatic dependent launch: a launch with `launch_pdl` may start before the work that it follows has
/// ended (CUDA C++ Programming Guide, programmatic dependent launch), and must come to griddepcontrol.wait
/// before it reads what an earlier step of the call writes, or writes what one touches. A `race` where it
/// does not.
std::optional<Finding> early_access(const Plan& plan, const KernelEffects& effects);

}  // namespace tritonsmith::plan
