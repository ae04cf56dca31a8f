#include "cli/sampling/task_request.h"

#include <fmt/format.h>

#include "cli/describe.h"
#include "text/prompt/prompt.h"

namespace tritonsmith::cli {
namespace {

/// Beside the task's text its card may be missing: a task that cannot be traced is not judged either.
std::string card_of(const SamplingFlags& flags, const task::Task& task, const PromptTarget& target, trace::Tracer& tracer) {
    const auto described = describe_task(task, target.target, tracer);
    if (const auto* card = std::get_if<graph::Card>(&described)) return card->text;
    if (flags.prompt == "card")
        throw InputError(
            fmt::format("--prompt card: {}: {}", task.display, std::get<Finding>(described).message));
    return "";
}

}  // namespace

endpoint::ChatRequest task_request(const SamplingFlags& flags, const task::Task& task, const PromptTarget& target,
                                   trace::Tracer* tracer) {
    endpoint::ChatRequest request;
    text::KernelRequest kernel{task.source, "", task.entry, target.target, target.relaxed};
    if (flags.prompt != "code") kernel.card = card_of(flags, task, target, *tracer);
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
