#pragma once

#include <optional>
#include <string>

#include "base/error.h"

namespace tritonsmith::judge {

/// What is wrong with a candidate's text before it is traced: it is no text, no Python, or has no kernel.
std::optional<Finding> lint_candidate(const std::string& candidate);

}  // namespace tritonsmith::judge
