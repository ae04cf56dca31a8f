#pragma once

#include <optional>
#include <vector>

#include "judge/candidate/candidate_state.h"

namespace tritonsmith::judge {

/// Opens the full-size plan, with its compiled kernels, in a worker of the device.
std::optional<Finding> open_on_device(CandidateState& state);
/// Alternatives that a tuner has taken after the run, on all sets in a session of their own.
std::optional<Finding> run_what_was_timed(CandidateState& state, const std::vector<int>& choice);
/// Autotuned kernels take the first configuration that the device has room for.
std::vector<int> choices_that_fit(const CandidateState& state);

}  // namespace tritonsmith::judge
