#pragma once

#include <optional>
#include <variant>

#include "judge/candidate/candidate_state.h"
#include "run/client/issued_kernels.h"

/// What is checked of a candidate whose calls at the small size have ended without a finding.
namespace tritonsmith::judge {

/// The checks below, up to that of the benchmark.
std::optional<Finding> check_small(CandidateState& state);
std::optional<Finding> check_answers(CandidateState& state);
/// Reshapes that may reorder elements keep their order in all other runs. Where the compiler makes use of
/// that leave, the answer must be right in another order as well.
std::optional<Finding> check_reordering(CandidateState& state);
/// Promises that some lanes break: where they are taken for true, the answer must stay the same.
std::optional<Finding> check_promises(CandidateState& state);
/// Kernels that may load what a loop of theirs stores, and whose compiled form issues loads before earlier
/// stores; or compile_timeout.
std::variant<run::IssuedKernels, Finding> issued_earlier(CandidateState& state, const Traced& traced);
/// Loads that the compiled kernel issues before a store of an earlier round, whose value they should find.
std::optional<Finding> check_pipelining(CandidateState& state);
std::optional<Finding> check_mutation(const CandidateState& state);
std::optional<Finding> check_effects(CandidateState& state);
std::optional<Finding> check_configurations(CandidateState& state);
/// A first call, whose tuner has run every configuration before, must give the answer too.
std::optional<Finding> check_benchmark(CandidateState& state, const plan::KernelEffects& effects);

/// The same for a candidate that fits the task's own sizes only: what is certain without a run.
std::optional<Finding> check_benchmark_of_sums(const CandidateState& state,
                                               const plan::KernelEffects& effects);
/// Of what has passed at a size: with means of few terms one too many or too few shows.
std::optional<Finding> check_short_means(CandidateState& state);
/// Of what has passed and cannot be compared at full size: what launches leave for later ones is written and
/// read there as it is at the small size.
std::optional<Finding> check_handed_on(CandidateState& state);
/// Of what has passed and cannot be compared at full size: each scaled integer once as the task has it.
/// @param passed the size
std::optional<Finding> check_whole_sizes(CandidateState& state, const ScaledTask& passed);
/// The calls' answers are wrong by no more than a few terms of the longest mean. @param excused the program
/// may be made for another size
std::optional<Finding> wrong_count(const CandidateState& state, bool excused);
/// What is right in each call, and not for ever: noted, or with --strict-state a rejection.
std::optional<Finding> check_state(CandidateState& state);
/// @param effect what is wrong where the promise is taken for true
Finding broken_promise(const Finding& promise, const Finding& effect);

}  // namespace tritonsmith::judge
