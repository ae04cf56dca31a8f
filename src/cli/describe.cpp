#include "cli/describe.h"

#include <cstdio>
#include <memory>

#include "cli/command.h"
#include "graph/card/card.h"
#include "judge/services/services.h"
#include "judge/task/requests.h"
#include "task/task.h"

namespace tritonsmith::cli {

namespace {

struct DescribeOptions {
    std::string task, target = "sm_90";
    bool json = false, unsafe_no_sandbox = false;
};

int run_describe(const DescribeOptions& flags) {
    const task::Task task = task::load(flags.task);
    trace::Tracer tracer(describing_tracer(!flags.unsafe_no_sandbox));
    const std::variant<graph::Card, Finding> described = describe_task(task, flags.target, tracer);
    if (const auto* finding = std::get_if<Finding>(&described)) {
        std::fprintf(stderr, "%s:%d: %s: %s\n", task.display.c_str(), finding->line, finding->reason.c_str(),
                     finding->message.c_str());
        return kRejected;
    }
    const auto& card = std::get<graph::Card>(described);
    if (flags.json)
        print_json(card.json);
    else
        print(card.text);
    if (!card.refusal) return kDone;
    std::fprintf(stderr, "%s: %s\n", task.display.c_str(), card.refusal->text().c_str());
    return kRejected;
}

}  // namespace

trace::TracerOptions describing_tracer(bool sandbox) {
    const judge::Paths paths = judge::find_paths();
    trace::TracerOptions options;
    options.python = paths.python;
    options.package_dir = paths.package;
    options.sandbox = sandbox;
    return options;
}

std::variant<graph::Card, Finding> describe_task(const task::Task& task, const std::string& target,
                                                 trace::Tracer& tracer) {
    const trace::Outcome outcome = tracer.trace(judge::reference_request(task, target, "cuda"));
    if (const auto* finding = std::get_if<Finding>(&outcome)) return *finding;
    return graph::describe(task.source, task.entry, std::get<plan::Plan>(outcome));
}

std::string card_text(const task::Task& task, const std::string& target, trace::Tracer& tracer, bool needed) {
    const auto described = describe_task(task, target, tracer);
    if (const auto* card = std::get_if<graph::Card>(&described)) return card->text;
    if (needed)
        throw InputError("--prompt card: " + task.display + ": " + std::get<Finding>(described).message);
    return "";
}

void add_describe(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<DescribeOptions>();
    CLI::App* command = app.add_subcommand(
        "describe", "the task card: signatures, shapes, weights, operators (docs/card.md)");
    command->add_option("task", options->task, "KernelBench-style .py file, or FILE.jsonl#ID")->required();
    command->add_option("--target", options->target, "sm_80, sm_90 or sm_100")->capture_default_str();
    command->add_flag("--json", options->json, kJsonHelp);
    command->add_flag("--unsafe-no-sandbox", options->unsafe_no_sandbox,
                      "trace without confinement, where the kernel lacks seccomp");
    command->callback([options, &exit_code] { exit_code = run_describe(*options); });
}

}  // namespace tritonsmith::cli
