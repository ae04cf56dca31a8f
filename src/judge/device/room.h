#pragma once

#include <functional>
#include <optional>

#include "judge/candidate/candidate_state.h"

namespace tritonsmith::judge {

/// Work of a candidate that takes the device's memory. Where that is out, it is done once more when no other
/// candidate of this process is run and no reference is left on the device: what does not fit then is a
/// finding.
/// @throws MachineError where others hold the memory
std::optional<Finding> with_room(CandidateState& state, const std::function<std::optional<Finding>()>& work);

}  // namespace tritonsmith::judge
