#pragma once

#include <memory>
#include <variant>

#include "judge/sampling/sampled.h"
#include "judge/services/services.h"
#include "judge/task/device_reference.h"
#include "judge/task/other_sizes.h"
#include "judge/task/scaled_task.h"
#include "judge/verdict/options.h"
#include "plan/ir/plan.h"
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
