#pragma once

#include <vector>

#include "base/error.h"
#include "plan/ir/plan.h"

namespace tritonsmith::judge {

/// The plan's choice steps, in order.
std::vector<const plan::ChoiceStep*> choices_of(const plan::Plan& plan);

/// The alternatives taken where all choices but one take their first.
std::vector<int> picked(size_t choices, size_t choice, size_t alternative);

/// autotune_config_wrong, with what was wrong in its evidence.
Finding configuration_wrong(Finding finding, const plan::Alternative& alternative);

}  // namespace tritonsmith::judge
