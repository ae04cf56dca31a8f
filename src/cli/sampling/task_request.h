#pragma once

#include <string>

#include "cli/sampling/sampling_flags.h"
#include "endpoint/chat.h"
#include "task/task.h"
#include "trace/tracer.h"

namespace tritonsmith::cli {

/// What a model is told of the judge.
struct PromptTarget {
    std::string target;  ///< GPU that the kernels are for
    bool relaxed = false;
};

/// The request for one task's kernels; its model is not set. @param tracer for its card; null: --prompt
/// code needs none @throws InputError where --prompt card asks for a card that cannot be made
endpoint::ChatRequest task_request(const SamplingFlags& flags, const task::Task& task, const PromptTarget& target,
                                   trace::Tracer* tracer);

}  // namespace tritonsmith::cli
