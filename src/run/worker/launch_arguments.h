#pragma once

#include <functional>
#include <vector>

#include "plan/ir/plan.h"
#include "ttir/interp/interpreter.h"

namespace tritonsmith::run {

/// The buffer of a plan by its id. Never called with a negative id.
using BufferOf = std::function<ttir::Buffer*(int id)>;

/// A launch's arguments for the interpreter: tensors become the pointer to their first element.
/// @throws StepError plan_invalid naming the argument.
std::vector<ttir::Argument> launch_arguments(const plan::LaunchStep& launch, const BufferOf& buffer_of);

}  // namespace tritonsmith::run
