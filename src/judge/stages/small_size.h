#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>

#include "judge/candidate/candidate_state.h"
#include "run/client/sample_client.h"

/// What stages share of the size that the candidate is interpreted at.
namespace tritonsmith::judge {

/// What the tracer is asked for. @param reference at the size that the candidate is traced at
trace::Request request_of(const CandidateState& state, const plan::Plan& reference);
/// The plan's kernels, parsed again. Finding: invalid_ttir.
std::optional<Finding> parse_kernels(Traced& traced);
/// The trace at the small size. Where it is another than the task's own, it is held to policy.
void take_small_trace(CandidateState& state);
void policy_at_small_size(CandidateState& state);
void start_compiles(CandidateState& state);
/// Those whose names differ. @return candidate's → reference's
std::map<std::string, std::string> renamed(const plan::Links& links);

/// What was found at the small size, unless it may be due to that size: then it is put aside, until the
/// task's own size confirms it, or other sizes do (judge_other_sizes).
std::optional<Finding> put_aside(CandidateState& state, std::optional<Finding> finding);
/// A finding at the task's own size decides. Where it only says again what was put aside, that is said.
Finding confirmed(const CandidateState& state, Finding at_own_size);
/// Traces the candidate at another size. False: it does not run there, or as if it were another size, and
/// `specialised` says so.
bool move_to(CandidateState& state, std::shared_ptr<const ScaledTask> size);
/// For the evidence: this size did not decide.
void note_size(CandidateState& state, const std::optional<Finding>& finding);
/// The launches do not depend on the size. What stays in bounds at the small size, and is wrong there, is
/// wrong at full size as well: the same launches write the same elements. Anything else says nothing.
std::optional<Finding> interpret_same_launches(CandidateState& state);

/// What a worker answers to a request for a sample; why it has died.
std::variant<run::SampleResult, Finding> sampled_by_worker(CandidateState& state,
                                                           const run::SampleRequest& request);
/// The full-size sample, with so many times what every candidate's sample is given.
std::optional<Finding> sample_programs(CandidateState& state, int times);

}  // namespace tritonsmith::judge
