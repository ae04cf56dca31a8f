#pragma once

#include <memory>
#include <variant>

#include "judge/device_reference.h"
#include "judge/options.h"
#include "judge/other_sizes.h"
#include "judge/sampled.h"
#include "judge/scaled_task.h"
#include "judge/services.h"
#include "plan/plan.h"
#include "task/task.h"

namespace tritonsmith::judge {

/// Everything about a task that its candidates share.
struct PreparedTask {
    task::Task task;
    plan::Plan full;                          ///< reference on the device that computes nothing, full size
    std::shared_ptr<const ScaledTask> small;  ///< scaled down (not where it is small itself): judged first
    std::shared_ptr<OtherSizes> others;
    bool moves_only = false;
    std::shared_ptr<const SampledTask> sampled;
    std::shared_ptr<DeviceReference> device;  ///< null where there is none
};

/// Traces and shrinks the reference, and starts its runs. Finding: task_error, task_random,
/// unsupported_operation: the task cannot be judged. @param services must outlive the runs. @throws
/// MachineError
std::variant<PreparedTask, Finding> prepare(const task::Task& task, const Options& options,
                                            Services& services);

}  // namespace tritonsmith::judge
