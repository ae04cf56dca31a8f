#pragma once

#include <cstdint>

#include "plan/ir/plan.h"
#include "run/draw/variant.h"
#include "run/worker/memory/memory.h"

namespace tritonsmith::run {

/// After the setup, in inputs that the reference looks at for it (plan::asked_whether_finite): one element in
/// 64 becomes NaN or an infinity of either sign, as the variant says.
void add_nonfinite_inputs(const plan::Plan& plan, Memory& memory, uint64_t seed, const Variant& variant);

}  // namespace tritonsmith::run
