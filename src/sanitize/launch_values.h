#pragma once

#include <vector>

#include "ttir/interp/interpreter.h"

namespace tritonsmith::sanitize {

/// One argument of a launch: a VALUE of docs/plan.md (number, tensor, pointer or descriptor) whose buffers
/// are indices into `buffers`.
/// @throws Json exceptions, InputError for an invalid value.
ttir::Argument argument_of(const Json& value, const std::vector<ttir::Buffer*>& buffers);

}  // namespace tritonsmith::sanitize
