#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "judge/verdict/verdict.h"
#include "numerics/precision.h"
#include "numerics/tolerance.h"
#include "task/shrink.h"

namespace tritonsmith::judge {

struct Options {
    std::string target = "sm_90";
    Checked require = Checked::none;                    ///< evidence that reaches less far is a rejection
    bool strict_state = false;                          ///< what plan::module_state finds is a rejection
    bool relaxed = false;                               ///< AutoTriton's rule instead of the robust policy
    int64_t shrink_bytes = task::ShrinkLimits().bytes;  ///< inputs, weights and outputs of the small task
    double shrink_flops = task::ShrinkLimits().flops;   ///< operations of the small task's reference
    int threads = 0;                                    ///< interpreter threads; 0: one per core
    std::optional<uint64_t> seed;                       ///< of hidden inputs; unset: drawn from the system
    uint64_t draw_seed = 0;                             ///< trace::Request::draw_seed; prepare() draws it
    numerics::Tolerance tolerance;
    numerics::Precision precision = numerics::Precision::defaults;
    double trace_seconds = 20;
    double run_seconds = 60;          ///< one run of the candidate at small size
    double candidate_seconds = 180;   ///< all runs of one candidate together
    double compile_seconds = 180;     ///< processor time of all compiles of one candidate together
    bool timing = true;               ///< where there is a device
    bool as_written = false;          ///< the file is run for real as well, and must do what its plan does
    bool compile_baseline = false;    ///< the reference under torch.compile is timed as well
    bool prepack = false;             ///< what construction computes from weights is not timed
    double device_seconds = 30;       ///< one request to a device: a run, a block of timed calls
    double timing_seconds = 2;        ///< all timed calls of a candidate and its baselines
    double as_written_seconds = 120;  ///< the file's own run, its compiles included
    double sampled_seconds = 2;       ///< sampled programs at full size
    std::function<void(const StageTime&)> on_stage;  ///< called as each stage ends
};

}  // namespace tritonsmith::judge
