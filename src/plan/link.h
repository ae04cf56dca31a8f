#pragma once

#include <map>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace tritonsmith::plan {

/// Which reference weight fills which candidate weight: by name and shape, else by order of draws among equal shapes.
struct Links {
    std::map<std::string, std::string> by_candidate;  ///< candidate name → reference name
    std::vector<std::string> unlinked;                 ///< candidate parameters that the forward phase uses and nothing fills
    std::vector<std::string> unused;                   ///< reference parameters that the reference uses and no candidate weight takes
    bool ambiguous = false;                            ///< several equal shapes left after names: draw order decided
};
Links link_weights(const Plan& reference, const Plan& candidate);

}  // namespace tritonsmith::plan
