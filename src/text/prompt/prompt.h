#pragma once

#include <string>
#include <vector>

#include "text/prompt/chat_template.h"
#include "text/prompt/prompt_form.h"

namespace tritonsmith::text {

/// A module that a model is asked to replace by Triton kernels.
struct KernelRequest {
    std::string source;           ///< the task's whole text; "" where the card stands for it
    std::string card = {};        ///< what it computes, with resolved shapes (tritonsmith describe); "": none
    std::string entry = "Model";  ///< its class
    std::string target = "sm_90";  ///< GPU that the kernels are for
    bool relaxed = false;          ///< PyTorch operators are allowed beside the kernels
    PromptForm form = PromptForm::full;
};

/// The conversation that asks for ModelNew: the judge's requirements, one worked example, the task
/// (docs/engine.md). In brief form one message: the task.
std::vector<Message> kernel_prompt(const KernelRequest& request);

/// The conversation that asks for a program by an instruction alone, which names its functions (TritonBench).
std::vector<Message> instruction_prompt(const std::string& instruction);

/// The next user message after an answer was rejected.
/// @param feedback the judge's line for models
Message correction_prompt(const std::string& feedback);

/// The example's two programs: its kernel is one that the judge accepts for its task.
const char* example_task();
const char* example_kernel();

}  // namespace tritonsmith::text
