#include "cli/sampling/task_request.h"

#include "text/prompt/prompt.h"

namespace tritonsmith::cli {

namespace {

endpoint::ChatRequest request_of(const SamplingFlags& flags, std::vector<text::Message> messages) {
    endpoint::ChatRequest request;
    request.messages = std::move(messages);
    request.temperature = flags.temperature;
    if (flags.local() && !request.temperature) request.temperature = text::temperature_of(flags.model);
    request.top_p = flags.top_p;
    if (flags.max_tokens > 0) request.max_tokens = flags.max_tokens;
    request.seed = flags.sample_seed;
    request.more = flags.more();
    return request;
}

}  // namespace

endpoint::ChatRequest task_request(const SamplingFlags& flags, const task::Task& task,
                                   const PromptTarget& target, const std::string& card) {
    text::KernelRequest kernel{task.source, card, task.entry, target.target, target.relaxed};
    if (flags.prompt == "card") kernel.source.clear();
    if (flags.local()) kernel.form = text::prompt_form_of(flags.model);
    return request_of(flags, text::kernel_prompt(kernel));
}

endpoint::ChatRequest instruction_request(const SamplingFlags& flags, const std::string& instruction) {
    return request_of(flags, text::instruction_prompt(instruction));
}

}  // namespace tritonsmith::cli
