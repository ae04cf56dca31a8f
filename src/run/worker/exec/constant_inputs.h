#pragma once

#include <cstdint>

#include "plan/ir/plan.h"
#include "run/draw/variant.h"
#include "run/worker/memory/memory.h"

namespace tritonsmith::run {

/// Plan rule 20: inputs that no draw takes part in (plan::constant_inputs) are data as well. Those that hold
/// one value get others of its domain, after the setup: booleans, and integers that are all one or zero, are
/// flipped here and there, never the first of a row; lengths are drawn up to the greatest; zeros become small
/// numbers, other numbers change by up to a half, some are zero (Variant::Constants::near: only their own value
/// and zero). Of those that hold a pattern, booleans are flipped as well; what rises (offsets, grids) does so in
/// other steps between the same ends; other patterns, and those that count, are permuted along the last
/// dimension, and real numbers change by up to 30 % where there are more than two of them.
/// @return whether anything was changed
bool vary_constant_inputs(const plan::Plan& plan, Memory& memory, uint64_t seed, Variant::Constants how);

}  // namespace tritonsmith::run
