#include "judge/candidate_stages.h"

#include "judge/device/device_stages.h"
#include "judge/services/worker_findings.h"
#include "judge/stages/stages.h"

namespace tritonsmith::judge {

std::span<const CandidateStage> candidate_stages() {
    static constexpr CandidateStage stages[] = {
        {"trace", trace_candidate, nullptr},
        {"policy", hold_to_policy, &Verdict::valid},
        {"reference", await_reference, nullptr, OnDevice::nothing, true},
        {"interpret", interpret_small_size, nullptr},
        {"compile", finish_compiles, &Verdict::compiled},
        {"correctness", check_correctness, nullptr},
        {"sampled", check_full_size_sample, nullptr},
        {"other sizes", judge_other_sizes, nullptr},
        {"run", run_on_device, nullptr, OnDevice::runs, true},
        {"as written", run_as_written, nullptr, OnDevice::timings, true},
        {"timing", time_on_device, nullptr, OnDevice::timings, true},
    };
    return stages;
}

std::optional<Finding> run_stages(CandidateState& state, OnDevice most) {
    for (const CandidateStage& stage : candidate_stages())
        if (stage.on_device <= most)
            if (auto finding = stage.run(state)) return settled(std::move(*finding));
    return std::nullopt;
}

}  // namespace tritonsmith::judge
