#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "judge/candidate/candidate_state.h"

/// Calls of modules of the candidate's at the small size, in a worker.
namespace tritonsmith::judge {

/// One call of a new module. @param seed of what it draws itself
std::optional<Finding> run_small(CandidateState& state, size_t set, uint64_t seed, int disabled, bool checks,
                                 run::CandidateResult& out, const run::AsCompiled& as_compiled = {});
/// A new module on these sets in turn, added to `small.calls`. Where a call ends the life of what the module
/// is made of, the next set has a module of its own.
std::optional<Finding> call_in_turn(CandidateState& state, const std::vector<size_t>& in_turn);
/// Every module on its sets in turn (ReferenceRuns::modules): `small.calls`.
std::optional<Finding> interpret_sets(CandidateState& state);
/// For the evidence: so far it reaches.
void checked_at_small_size(CandidateState& state);

/// As long as it lives, these alternatives are taken.
class TakenChoice {
  public:
    TakenChoice(CandidateState& state, std::vector<int> choice)
        : state_(state), before_(std::exchange(state.small.choice, std::move(choice))) {}
    ~TakenChoice() { state_.small.choice = std::move(before_); }
    TakenChoice(const TakenChoice&) = delete;
    TakenChoice& operator=(const TakenChoice&) = delete;

  private:
    CandidateState& state_;
    std::vector<int> before_;
};

}  // namespace tritonsmith::judge
