#pragma once

#include <string>
#include <variant>
#include <vector>

#include "judge/services/services.h"
#include "judge/task/input_set.h"
#include "judge/verdict/options.h"
#include "plan/ir/plan.h"

namespace tritonsmith::judge {

/// The reference on hidden inputs and weights: what answers are measured against.
struct ReferenceRuns {
    std::vector<InputSet> sets;  ///< the first is the task's own distribution
    /// The sets that one module of a candidate is to be called on in turn: they have the same weights, and
    /// where the reference is stateful each begins with what the one before left. The first module's last
    /// call has the inputs of its first.
    std::vector<std::vector<size_t>> modules;
    bool stateful = false;  ///< its calls leave something for the next one in the module's buffers
    std::vector<std::string>
        skipped_variants;  ///< input variants under which the reference is not finite, with why
    /// Outputs on input variants where the bound on the error is as large as they are (cancellation,
    /// underflow): nothing is asked of them there.
    std::vector<std::string> left_out;
    std::vector<std::string> rounding;  ///< deliberate lower-precision roundings kept in the float64 oracle
};

/// On how many of the sets that input_settings has.
enum class InputSets : uint8_t {
    all,
    few,  ///< the task's own distribution, and rows of all kinds
    own   ///< that distribution once: for a task that was found to say something at another size, or with
          ///< other numbers
};

/// Runs the reference on every input set; bounds are worked out here while the worker runs the next set.
/// Finding: task_error, task_random, task_degenerate, unsupported_operation. @throws MachineError
std::variant<ReferenceRuns, Finding> run_reference(const plan::Plan& cpu, const Options& options,
                                                   Services& services, InputSets which = InputSets::all);

}  // namespace tritonsmith::judge
