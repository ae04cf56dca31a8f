#pragma once

#include <cstdint>

#include "plan/ir/plan.h"
#include "run/draw/variant.h"
#include "run/worker/memory/memory.h"

namespace tritonsmith::run {

/// Plan rule 20: inputs that no draw takes part in (plan::constant_inputs) are data as well. Those that hold
/// one value get others of its domain, after the setup: booleans are flipped here and there, never the first
/// of a row; lengths are drawn up to the greatest; zeros become small numbers, other numbers change by up to
/// a half, some are zero (Variant::Constants::near: only their own value and zero). What holds several values
/// is a table or a pattern, and stays.
/// @return whether anything was changed
bool vary_constant_inputs(const plan::Plan& plan, Memory& memory, uint64_t seed, Variant::Constants how);

}  // namespace tritonsmith::run
