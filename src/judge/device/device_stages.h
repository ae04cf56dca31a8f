#pragma once

#include <optional>

#include "judge/candidate/candidate_state.h"

/// The stages that need a device; without one they find nothing.
namespace tritonsmith::judge {

std::optional<Finding> run_on_device(CandidateState& state);   ///< all of it, at full size
std::optional<Finding> time_on_device(CandidateState& state);  ///< what ran there, and its baselines
std::optional<Finding> run_as_written(CandidateState& state);  ///< the file itself, once

}  // namespace tritonsmith::judge
