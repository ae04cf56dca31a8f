#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "judge/input_set.h"
#include "judge/options.h"
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
    plan::Plan cpu;    ///< reference as PyTorch runs it on a CPU, shrunk: this one is executed
    std::map<std::string, int64_t> scaled;  ///< integers of the task that were scaled down
    std::vector<InputSet> sets;             ///< the first is the task's own distribution
    std::vector<std::string>
        skipped_variants;               ///< input variants under which the reference is not finite, with why
    std::vector<std::string> rounding;  ///< deliberate lower-precision roundings kept in the float64 oracle
    bool moves_only = false;

    bool shrunk() const { return !scaled.empty(); }
};

/// Traces, shrinks and runs the reference. Finding: task_error, task_random, task_degenerate,
/// unsupported_operation: the task cannot be judged. @throws MachineError
std::variant<PreparedTask, Finding> prepare(const task::Task& task, const Options& options,
                                            Services& services);

}  // namespace tritonsmith::judge
