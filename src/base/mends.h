#pragma once

#include <string>

namespace tritonsmith {

/// What would mend a program that ends in `reason` (docs/reasons.md); empty for a code that is not known.
std::string mend(const std::string& reason);

}  // namespace tritonsmith
