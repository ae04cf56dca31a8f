#pragma once

#include <cstdint>

#include "plan/ir/plan.h"
#include "run/client/client.h"
#include "run/draw/draw.h"
#include "run/worker/memory/memory.h"

namespace tritonsmith::run {

/// Executes an ATen step that draws random numbers, by counter (draw.h): factories, in-place laws, laws whose
/// parameters are tensors, dropout. Element index: row-major in the drawn tensor. The variant applies to
/// continuous draws only.
/// @throws StepError unsupported_operation where the law is not known.
/// @param role of the plan's leaf_roles, for draws of inputs
void run_draw(const plan::AtenStep& step, const DrawKey& key, const Variant& variant, const LeafRole& role,
              Memory& memory);

/// True for operators that draw, whatever their plan says.
bool draws(const plan::AtenStep& step);

/// Overwrites a tensor with a draw, whose shape and dtype are the tensor's.
void draw_into(const at::Tensor& tensor, Draw draw);

}  // namespace tritonsmith::run
