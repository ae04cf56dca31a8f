#pragma once

#include <optional>
#include <vector>

#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// The number in a tensor of one element that the plan itself states: a constant, or what one step makes of a
/// number (full, zeros) or of such a tensor (a copy, a cast). Nothing where anything else writes it.
std::optional<double> known_number(const Plan& plan, const Tensor& tensor);
/// The same of a tensor of any size that one step fills with one number, or of a list of 64 at most.
std::vector<double> known_numbers(const Plan& plan, const Tensor& tensor);

}  // namespace tritonsmith::plan
