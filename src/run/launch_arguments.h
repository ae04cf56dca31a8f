#pragma once

#include <vector>

#include "plan/plan.h"
#include "run/memory.h"
#include "ttir/interpreter.h"

namespace tritonsmith::run {

/// A launch's arguments for the interpreter: tensors become the pointer to their first element.
/// @throws StepError plan_invalid naming the argument.
std::vector<ttir::Argument> launch_arguments(const plan::LaunchStep& launch, Memory& memory);

}  // namespace tritonsmith::run
