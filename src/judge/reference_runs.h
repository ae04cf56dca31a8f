#pragma once

#include <string>
#include <variant>
#include <vector>

#include "judge/input_set.h"
#include "judge/options.h"
#include "judge/services.h"
#include "plan/plan.h"

namespace tritonsmith::judge {

/// The reference on hidden inputs and weights: what answers are measured against.
struct ReferenceRuns {
    std::vector<InputSet> sets;  ///< the first is the task's own distribution
    std::vector<std::string>
        skipped_variants;               ///< input variants under which the reference is not finite, with why
    std::vector<std::string> rounding;  ///< deliberate lower-precision roundings kept in the float64 oracle
};

/// Runs the reference on every input set; bounds are worked out here while the worker runs the next set.
/// Finding: task_error, task_random, task_degenerate, unsupported_operation. @throws MachineError
std::variant<ReferenceRuns, Finding> run_reference(const plan::Plan& cpu, const Options& options,
                                                   Services& services);

/// A verdict's line is one of the candidate: a line of the task is told in words.
Finding of_the_task(Finding finding);

}  // namespace tritonsmith::judge
