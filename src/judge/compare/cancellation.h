#pragma once

#include "base/error.h"
#include "plan/ir/plan.h"

namespace tritonsmith::judge {

/// Says what is the usual cause where an answer is right on the task's own inputs and wrong on others, and
/// the reference computes a variance: E[x²] - E[x]² loses its digits where the mean is large beside the
/// deviation.
void name_cancellation(Finding& finding, const plan::Plan& reference);

}  // namespace tritonsmith::judge
