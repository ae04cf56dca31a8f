#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/ir/plan.h"

namespace tritonsmith::run {

/// The bytes of an integer buffer that one step before the forward phase fills with values which the plan
/// itself states: a copy of a constant, arange of integers, zeros. Nothing where it is made in any other way.
std::optional<std::vector<uint8_t>> known_integers(const plan::Plan& plan, int buffer);

}  // namespace tritonsmith::run
