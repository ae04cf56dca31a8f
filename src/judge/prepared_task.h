#pragma once

#include <future>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "judge/device_reference.h"
#include "judge/options.h"
#include "judge/page_cache.h"
#include "judge/reference_runs.h"
#include "judge/services.h"
#include "plan/plan.h"
#include "task/task.h"

namespace tritonsmith::judge {

/// Everything about a task that its candidates share: the reference's plans and hidden input sets with
/// expected outputs.
struct PreparedTask {
    task::Task task;
    plan::Plan full;   ///< reference on the device that computes nothing, full size
    plan::Plan small;  ///< the same, shrunk (equal to full where nothing was scaled)
    std::shared_ptr<const plan::Plan>
        cpu;  ///< reference as PyTorch runs it on a CPU, shrunk: this one is executed
    std::map<std::string, int64_t> scaled;  ///< integers of the task that were scaled down
    bool moves_only = false;
    std::shared_ptr<PageCache> full_pages = std::make_shared<PageCache>();
    /// Begun when the task is prepared, and going on while candidates are traced.
    std::shared_future<std::variant<ReferenceRuns, Finding>> runs;

    std::shared_ptr<DeviceReference> device;  ///< null where there is none

    bool shrunk() const { return !scaled.empty(); }
};

/// Traces and shrinks the reference, and starts its runs. Finding: task_error, task_random,
/// unsupported_operation: the task cannot be judged. @param services must outlive the runs. @throws
/// MachineError
std::variant<PreparedTask, Finding> prepare(const task::Task& task, const Options& options,
                                            Services& services);

}  // namespace tritonsmith::judge
