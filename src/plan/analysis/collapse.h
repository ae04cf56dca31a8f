#pragma once

#include <string>

#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// Whether scaling a task down took its meaning: some tensor of the forward phase has a dimension of one (or
/// none) element that had several at full size, so that a reduction, a window or an offset along it no longer
/// does anything. A dimension of an input that was scaled to one, a batch as the last resort, may be one
/// everywhere. Compares as long as both plans take the same steps. Returns a sentence, empty if all is well.
std::string collapse(const Plan& full, const Plan& small);

}  // namespace tritonsmith::plan
