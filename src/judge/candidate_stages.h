#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "judge/candidate/candidate_state.h"
#include "judge/verdict/verdict.h"

namespace tritonsmith::judge {

/// What a stage is asked of a device, where there is one.
enum class OnDevice : uint8_t { nothing, runs, timings };

struct CandidateStage {
    const char* name;
    std::optional<Finding> (*run)(CandidateState&);
    bool Verdict::*passed;  ///< set where the stage finds nothing
    OnDevice on_device = OnDevice::nothing;
    bool waits = false;  ///< for what others do, and needs no processor of its own (ProcessorPlaces)
};

/// What a candidate passes through, in order, behind lint and the task.
std::span<const CandidateStage> candidate_stages();

/// The first finding of the stages that ask no more of a device than `most`.
std::optional<Finding> run_stages(CandidateState& state, OnDevice most);

}  // namespace tritonsmith::judge
