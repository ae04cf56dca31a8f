#pragma once

#include <cstdint>

#include "plan/ir/plan.h"
#include "run/draw/variant.h"
#include "run/worker/memory/memory.h"

namespace tritonsmith::run {

/// docs/judge.md, Input sets: inputs that no draw takes part in (plan::constant_inputs) are data as well.
/// After the setup they get other values of their domain (other_values.h): masks, lengths, states of zeros,
/// positions, offsets, routes. What is no flag and no pattern changes also where the variant leaves those.
/// @return whether anything was changed
bool vary_constant_inputs(const plan::Plan& plan, Memory& memory, uint64_t seed, const Variant& variant);

}  // namespace tritonsmith::run
