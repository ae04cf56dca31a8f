#pragma once

#include <string>

namespace tritonsmith {

/// The line of a source with its neighbours, as "  >   13 |     x = tl.load(p)\n"; empty where there is no
/// such line. Lines count from 1; long ones are cut,
/// and what a terminal would not show as text is replaced.
std::string excerpt(const std::string& source, int line);

}  // namespace tritonsmith
