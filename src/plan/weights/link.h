#pragma once

#include <map>
#include <string>
#include <vector>

#include "plan/analysis/flow.h"
#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// Which reference weight fills which candidate weight: by name and shape, else by order of draws among equal
/// shapes (shapes are equal up to dimensions of size 1; values are copied in row-major order and cast to the
/// candidate's dtype).
struct Links {
    /// Candidate name → reference name. A key "draw/5" with the value "draw/2" links values that have no
    /// name: the candidate's init draw 5 is to be drawn with the reference's seed and its ordinal 2.
    std::map<std::string, std::string> by_candidate;
    std::vector<std::string>
        unlinked;  ///< candidate parameters that the forward phase uses and nothing fills
    std::vector<std::string>
        unused;              ///< reference parameters that the reference uses and no candidate weight takes
    bool ambiguous = false;  ///< several equal shapes left after names: draw order decided
    /// Ambiguous only: the other reading (order in the state dict instead of draw order); empty where it is
    /// the same.
    std::map<std::string, std::string> alternative;
};
/// @param effects of the candidate's kernels; one of which nothing is known is taken to write all that it is
/// given.
Links link_weights(const Plan& reference, const Plan& candidate, const KernelEffects& effects = {});

/// How a weight got its value while the module was built.
enum class Law : uint8_t {
    zeros,     ///< zeros, zero_, fill_(0) ...
    ones,      ///< ones, fill_(1) ...
    constant,  ///< another deterministic value: full(…, 0.5), arange, recorded bytes
    random,    ///< random draws, possibly scaled or cast afterwards
    derived    ///< computed from another weight of the plan: weight2 = weight1.t().contiguous()
};
struct WeightOrigin {
    Law law = Law::constant;
    /// "Initialising writes": indices into plan.steps (init phase, ascending) of the steps that write the
    /// weight's bytes from constants and draws only. Whoever replaces the weight's value (a redrawn or a
    /// linked one) writes it into the weight's tensor after each of these steps, so that what later steps
    /// derive from it sees the replaced value. Empty for `derived` weights (they are recomputed) and for
    /// recorded constants (replace those before the first step).
    std::vector<int> writes;
    int draw = -1;  ///< ordinal of the last init draw that flows into it; -1: none
    int last =
        -1;  ///< index into plan.steps of the last init step that writes it, whatever its law; -1: none
};
/// One for each of plan.weights.
std::vector<WeightOrigin> weight_origins(const Plan& plan, const KernelEffects& effects = {});

}  // namespace tritonsmith::plan
