#pragma once

#include <set>
#include <string>

#include "base/json.h"

namespace tritonsmith::bench {

/// Numbers that other systems' authors published for these suites, in percent, each with its protocol: an
/// array of {"system", "benchmark", "attempts", "compiled", "correct", "fast_1", "fast_2", "protocol"}.
/// @param suites of a run @param levels of its problems
Json published_numbers(const std::set<std::string>& suites, const std::set<int>& levels);

}  // namespace tritonsmith::bench
