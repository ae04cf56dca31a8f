#pragma once

#include <string>

#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// The plan as a person reads it (tritonsmith trace).
std::string describe(const Plan& plan, bool with_ttir);

}  // namespace tritonsmith::plan
