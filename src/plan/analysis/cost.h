#pragma once

#include <cstdint>

#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// Cost of a plan from shapes alone, for shrinking and reports.
struct Cost {
    int64_t bytes = 0;       ///< of inputs, weights and outputs
    double flops = 0;        ///< of the forward phase
    int64_t peak_bytes = 0;  ///< most bytes that live at once, with the plan's frees
    int64_t traffic = 0;     ///< bytes read and written by the forward phase's steps
};
Cost cost(const Plan& plan);

}  // namespace tritonsmith::plan
