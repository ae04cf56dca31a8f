#pragma once

#include <vector>

#include "base/error.h"
#include "plan/ir/plan.h"
#include "run/client/worker_process.h"
#include "run/worker/memory/memory.h"

namespace tritonsmith::run {

/// uninitialised_output for each output that no step wrote completely, as far as `memory` can tell.
std::vector<Finding> unwritten_outputs(const plan::Plan& plan, Memory& memory);

}  // namespace tritonsmith::run
