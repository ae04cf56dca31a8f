#pragma once

#include <cstdint>

#include "plan/ir/plan.h"
#include "run/draw/variant.h"
#include "run/worker/memory/memory.h"

namespace tritonsmith::run {

/// After the setup, in the input of Variant::inputs: one element in Variant::kNamedOneIn becomes one of
/// Variant::named, or an element of one of Variant::met.
void add_named_inputs(const plan::Plan& plan, Memory& memory, uint64_t seed, const Variant& variant);

}  // namespace tritonsmith::run
