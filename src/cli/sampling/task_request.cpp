#include "cli/sampling/task_request.h"

#include "text/prompt/prompt.h"

namespace tritonsmith::cli {

endpoint::ChatRequest task_request(const SamplingFlags& flags, const task::Task& task, const PromptTarget& target,
                                   const std::string& card) {
    endpoint::ChatRequest request;
    text::KernelRequest kernel{task.source, card, task.entry, target.target, target.relaxed};
    if (flags.prompt == "card") kernel.source.clear();
    request.messages = text::kernel_prompt(kernel);
    request.temperature = flags.temperature;
    request.top_p = flags.top_p;
    if (flags.max_tokens > 0) request.max_tokens = flags.max_tokens;
    request.seed = flags.sample_seed;
    request.more = flags.more();
    return request;
}

}  // namespace tritonsmith::cli
