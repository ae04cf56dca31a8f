#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/error.h"

namespace tritonsmith::judge {

/// What timing a candidate and its baselines has shown: nothing where it was not measured.
struct Timing {
    std::optional<double> candidate_ms, speedup;
    std::map<std::string, double> baseline_ms;
    std::optional<std::string> compiled_not_timed;  ///< why
    Json evidence;
};

}  // namespace tritonsmith::judge
