#pragma once

#include <vector>

#include "plan/ir/plan.h"
#include "run/draw/variant.h"

namespace tritonsmith::judge {

/// One set of inputs that a task's candidates are to be run on (docs/judge.md, numerics).
struct InputSetting {
    /// The first under which the reference stays finite is taken.
    std::vector<run::Variant> tries;
    bool wide = false;          ///< held to no more than the conditioning of the formula allows
    bool numbers_only = false;  ///< all that is asked is that numbers are where the reference has some
};

/// docs/judge.md, Input sets. The first set is the task's own distribution.
std::vector<InputSetting> input_settings(const plan::Plan& reference);

/// Sets of the task's own distribution, each with weights of its own.
std::vector<InputSetting> weight_settings(const plan::Plan& reference);

}  // namespace tritonsmith::judge
