#pragma once

#include <optional>

#include "judge/candidate/candidate_state.h"

/// The stages that need no device, in their order. Each returns what it found wrong.
namespace tritonsmith::judge {

std::optional<Finding> trace_candidate(CandidateState& state);
/// Also begins what later stages wait for: the compiles, the trace at the small size.
std::optional<Finding> hold_to_policy(CandidateState& state);
/// Waits for the reference's runs; all that follows needs them.
std::optional<Finding> await_reference(CandidateState& state);
/// Small size: memory safety on every input set.
std::optional<Finding> interpret_small_size(CandidateState& state);
/// Every kernel of the full-size trace; drops configurations out of resources.
std::optional<Finding> finish_compiles(CandidateState& state);
/// Against the oracle; determinism, mutation, effect of each launch, autotune.
std::optional<Finding> check_correctness(CandidateState& state);
/// Sampled programs of the full-size trace.
std::optional<Finding> check_full_size_sample(CandidateState& state);
/// Where the small size does not decide.
std::optional<Finding> judge_other_sizes(CandidateState& state);

}  // namespace tritonsmith::judge
