#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "judge/candidate/candidate_state.h"

/// Calls of modules of the candidate's at the small size, in a worker.
namespace tritonsmith::judge {

/// One call of a new module. @param seed of what it draws itself
std::optional<Finding> run_small(CandidateState& state, size_t set, uint64_t seed,
                                 const std::vector<int>& choice, int disabled, bool checks,
                                 run::CandidateResult& out, const run::AsCompiled& as_compiled = {});
/// Every module on its sets in turn (ReferenceRuns::modules): `small.calls`.
std::optional<Finding> interpret_sets(CandidateState& state);
/// For the evidence: so far it reaches.
void checked_at_small_size(CandidateState& state);

}  // namespace tritonsmith::judge
