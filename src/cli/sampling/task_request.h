#pragma once

#include <string>

#include "cli/sampling/sampling_flags.h"
#include "endpoint/chat.h"
#include "task/task.h"

namespace tritonsmith::cli {

/// What a model is told of the judge.
struct PromptTarget {
    std::string target;  ///< GPU that the kernels are for
    bool relaxed = false;
};

/// The request for one task's kernels; its model is not set. @param card what the task computes; "" with
/// --prompt code @throws InputError
endpoint::ChatRequest task_request(const SamplingFlags& flags, const task::Task& task,
                                   const PromptTarget& target, const std::string& card);

/// The request for a program by an instruction alone. @throws InputError
endpoint::ChatRequest instruction_request(const SamplingFlags& flags, const std::string& instruction);

}  // namespace tritonsmith::cli
