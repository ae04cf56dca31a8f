#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "plan/ir/plan.h"

namespace tritonsmith::judge {

/// The plan's choice steps, in order.
std::vector<const plan::ChoiceStep*> choices_of(const plan::Plan& plan);

/// The alternatives taken where all choices but one take their first.
std::vector<int> picked(size_t choices, size_t choice, size_t alternative);
/// Drawn ones that are usable, the first where none is.
std::vector<int> drawn_choice(const plan::Plan& plan, const std::function<bool(size_t, size_t)>& usable,
                              uint64_t seed);
/// The configurations of these choices, those alike once: "BLOCK: 64; BLOCK: 128".
std::string configs_of(const plan::Plan& plan, const std::vector<int>& choice,
                       const std::vector<size_t>& choices);

/// autotune_config_wrong, with what was wrong in its evidence.
Finding configuration_wrong(Finding finding, const std::string& config);

}  // namespace tritonsmith::judge
