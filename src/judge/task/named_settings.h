#pragma once

#include <vector>

#include "judge/task/input_settings.h"

namespace tritonsmith::judge {

/// For each input in which the reference looks for numbers (plan::named_values) that its draws seldom have: a
/// set in which these stand here and there; of several such inputs, one more in which they do in all of them.
std::vector<InputSetting> named_settings(const plan::Plan& reference);

}  // namespace tritonsmith::judge
