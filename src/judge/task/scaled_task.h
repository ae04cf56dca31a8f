#pragma once

#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "judge/services/services.h"
#include "judge/task/reference_runs.h"
#include "judge/verdict/options.h"
#include "plan/ir/plan.h"
#include "task/shrink.h"
#include "task/task.h"

namespace tritonsmith::judge {

/// A task at one size: the reference's plans there, and its runs on hidden inputs.
struct ScaledTask {
    plan::Plan plan;                        ///< reference on the device that computes nothing
    std::shared_ptr<const plan::Plan> cpu;  ///< as PyTorch runs it on a CPU: this one is executed
    std::map<std::string, int64_t> scaled;  ///< integers of the task that were scaled down
    /// Begun with the preparation, and going on while candidates are traced.
    std::shared_future<std::variant<ReferenceRuns, Finding>> runs;

    bool shrunk() const { return !scaled.empty(); }
};

/// Traces the reference with the task's integers overridden, as PyTorch runs it on a CPU too, and starts its
/// runs. @param plan the reference with these integers, where it is known. Finding: task_error. @param
/// services must outlive the runs. @throws MachineError
std::variant<ScaledTask, Finding> prepare_scaled(const task::Task& task, const Options& options,
                                                 Services& services, std::map<std::string, int64_t> scaled,
                                                 std::optional<plan::Plan> plan,
                                                 InputSets which = InputSets::all);

/// The reference's plan on the device that computes nothing.
trace::Outcome trace_reference(const task::Task& task, const Options& options, Services& services,
                               const std::map<std::string, int64_t>& scaled);

/// A task scaled down. `plan` is the reference with these integers, where it is known.
struct ShrunkTask {
    task::Shrunk shrunk;
    std::optional<plan::Plan> plan;
};
/// @param full the reference at the task's own size @param constants those of its integers that may be scaled
ShrunkTask shrink_task(const task::Task& task, const Options& options, Services& services,
                       const plan::Plan& full, const std::map<std::string, int64_t>& constants,
                       const task::ShrinkLimits& limits);

/// What each scaled integer of a task was, and what it is.
using ScaledSizes = std::map<std::string, std::pair<int64_t, int64_t>>;
ScaledSizes scaled_sizes(const plan::Plan& full, const ScaledTask& task);

/// A fault of the task itself, where its trace fails.
Finding as_task_error(const Finding& finding);

}  // namespace tritonsmith::judge
