#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "judge/services/services.h"
#include "judge/task/device_reference.h"
#include "judge/timing/timing.h"
#include "judge/verdict/options.h"
#include "numerics/precision.h"
#include "plan/ir/plan.h"

/// The candidate's time and its baseline's, measured in the same way, in turns, with nobody else at the
/// device.
namespace tritonsmith::judge {

/// What is timed.
struct TimedTask {
    const plan::Plan& reference;  ///< at full size
    DeviceReference& on_device;   ///< the same, with its inputs
    const plan::Plan& candidate;  ///< at full size
    std::vector<int> choice;      ///< the alternative of each choice that is taken first
    /// Of each choice: the alternatives that the device has room for.
    std::vector<std::vector<int>> alternatives;
    /// What the compiled reference is timed in; the first is the one asked for.
    std::vector<numerics::Precision> precisions;
    bool tf32 = false;  ///< the candidate has TF32 products
};

/// One timing, with the device for itself.
class TimedRun {
  public:
    /// @param candidate with this session open. All must outlive this.
    TimedRun(const TimedTask& task, const Options& options, Services& services,
             DeviceServices::CandidateLease& candidate, int session);
    ~TimedRun();

    /// @param eager false: without the reference, which cannot be timed. @param compiled the compiled
    /// baseline is open
    std::optional<Finding> run(bool eager, bool compiled);
    /// What it found is the reference's fault, or the machine's: not the candidate's.
    bool reference_failed() const;
    /// The alternatives that were timed.
    const std::vector<int>& choice() const;
    const Timing& timing() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tritonsmith::judge
