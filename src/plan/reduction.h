#pragma once

#include <cstdint>

#include "plan/plan.h"

namespace tritonsmith::plan {

/// Terms summed for one element of the step's result; 1 where it sums nothing.
int64_t reduction_length(const AtenStep& step);

}  // namespace tritonsmith::plan
