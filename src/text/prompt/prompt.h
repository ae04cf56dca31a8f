#pragma once

#include <string>
#include <vector>

#include "text/prompt/chat_template.h"

namespace tritonsmith::text {

/// What a model is asked for: a module to be replaced by Triton kernels.
struct KernelRequest {
    std::string source;            ///< the task's whole text
    std::string entry = "Model";   ///< its class
    std::string target = "sm_90";  ///< GPU that the kernels are for
    bool relaxed = false;          ///< PyTorch operators are allowed beside the kernels
};

/// The conversation that asks for ModelNew: what the judge demands, one worked example, the task.
/// docs/engine.md.
std::vector<Message> kernel_prompt(const KernelRequest& request);

/// What a model is told of an answer that was rejected: the next message of the user.
/// @param feedback one line of the judge's for models
Message correction_prompt(const std::string& feedback);

/// The example's two programs: its kernel is one that the judge accepts for its task.
const char* example_task();
const char* example_kernel();

}  // namespace tritonsmith::text
