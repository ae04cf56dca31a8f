#pragma once

#include <vector>

#include "plan/ir/plan.h"

namespace tritonsmith::judge {

/// All launches of a plan in order, alternatives included, with the phase and line of their step.
struct LaunchRef {
    const plan::LaunchStep* launch;
    const plan::Step* step;
};
std::vector<LaunchRef> launches(const plan::Plan& plan);

}  // namespace tritonsmith::judge
