#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "plan/analysis/flow.h"
#include "run/worker/exec/accelerator.h"
#include "run/worker/exec/executor.h"
#include "run/worker/memory/values.h"
#include "run/worker/sessions/device_pack.h"

namespace tritonsmith::run {

/// An execution, ready for its first step.
struct Instance {
    std::unique_ptr<Executor> executor;
    std::shared_ptr<void> hooks;  ///< what the executor's callbacks refer to
};

/// A plan whose calls are timed: setup is done, the call is recorded where the device can record, and each
/// timed call finds other inputs, memory in which nothing is left of the call before, and a cold cache.
class TimedPlan {
  public:
    struct Parts {
        const plan::Plan* plan = nullptr;
        std::function<Instance()> make;  ///< inputs filled, no step run
        std::vector<ValueOf> sets;       ///< contents of the inputs, which calls take in turn
        NamedTensors outputs;            ///< what is kept of a call
        /// The setup's steps from this one on are part of each call (docs/judge.md, Timing).
        size_t timed_from = 0;
        plan::KernelEffects effects;
        std::vector<int> choice;
        Deadline deadline;  ///< of the first call
    };
    /// @throws StepError, DeviceFault
    TimedPlan(Accelerator& accelerator, Parts parts);

    bool graph() const { return replay_->graph(); }
    /// The outputs of a timed call.
    struct Kept {
        int sample = 0;
        size_t set = 0;
        DevicePack outputs;
    };
    /// Milliseconds of each of so many calls. @param keep ordinals of the calls whose outputs are kept,
    /// ascending
    std::vector<double> block(int samples, const std::vector<int>& keep, std::vector<Kept>& kept,
                              Deadline deadline);

  private:
    void build();
    void run_call();
    void find_state();
    void refresh(size_t set);

    Accelerator& accelerator_;
    Parts parts_;
    Instance instance_;
    bool ran_ = false;
    size_t next_set_ = 0;
    struct Saved {
        plan::Tensor whole;
        at::Tensor bytes;
    };
    std::vector<Saved> state_;  ///< what calls change beside inputs and outputs, as it was before the first
    std::unique_ptr<Replay> replay_;
};

/// The first step of the setup that computes with weights, or launches a kernel; the number of steps where
/// there is none.
size_t first_derived_step(const plan::Plan& plan, const plan::KernelEffects& effects);

}  // namespace tritonsmith::run
