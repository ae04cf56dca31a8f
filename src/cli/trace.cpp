#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/json.h"
#include "base/process/files.h"
#include "cli/command.h"
#include "cli/judge_options.h"
#include "judge/services/services.h"
#include "judge/task/requests.h"
#include "plan/analysis/describe.h"
#include "plan/ir/json.h"
#include "task/task.h"
#include "trace/tracer.h"

namespace tritonsmith::cli {

namespace {

struct TraceOptions {
    std::string task, candidate, output, device = "cuda", target = "sm_90";
    bool json = false, ttir = false, unsafe_no_sandbox = false;
    std::vector<std::string> constants;
};

std::map<std::string, int64_t> overrides(const std::vector<std::string>& constants) {
    std::map<std::string, int64_t> out;
    for (const std::string& text : constants) {
        const size_t equals = text.find('=');
        try {
            size_t used = 0;
            if (equals == std::string::npos) throw std::invalid_argument(text);
            out[text.substr(0, equals)] = std::stoll(text.substr(equals + 1), &used);
            if (used != text.size() - equals - 1) throw std::invalid_argument(text);
        } catch (const std::exception&) {
            throw InputError("--set '" + text + "': give NAME=INTEGER, as in N=128");
        }
    }
    return out;
}

int report(const trace::Outcome& outcome, const TraceOptions& flags, const std::string& name) {
    if (auto* finding = std::get_if<Finding>(&outcome)) {
        const std::string line = finding->line > 0 ? ":" + std::to_string(finding->line) : "";
        std::fprintf(stderr, "%s%s: %s: %s\n", name.c_str(), line.c_str(), finding->reason.c_str(),
                     finding->message.c_str());
        if (flags.json)
            print_json({{"error",
                         {{"reason", finding->reason},
                          {"message", finding->message},
                          {"line", finding->line},
                          {"evidence", finding->evidence}}}});
        return kRejected;
    }
    const auto& plan = std::get<plan::Plan>(outcome);
    if (!flags.output.empty()) write_file(flags.output, dump(plan::to_json(plan)) + "\n");
    if (flags.json)
        print_json(plan::to_json(plan));
    else if (flags.output.empty())
        print(plan::describe(plan, flags.ttir));
    return kDone;
}

/// A constant that the task does not have is bad usage, and not a task that fails.
void check_names(trace::Request request, trace::Tracer& tracer) {
    const std::map<std::string, int64_t> wanted = std::exchange(request.constants, {});
    const trace::Outcome as_written = tracer.trace(request);
    const auto* plan = std::get_if<plan::Plan>(&as_written);
    if (!plan) return;
    std::string names;
    for (const auto& [name, value] : plan->constants) names += (names.empty() ? "" : ", ") + name;
    for (const auto& [name, value] : wanted)
        if (!plan->constants.contains(name))
            throw InputError("--set " + name + ": the task has no such integer; it has " +
                             (names.empty() ? "none" : names));
}

int run_trace(const TraceOptions& flags) {
    if (std::filesystem::is_directory(flags.output))
        throw InputError("--output " + flags.output + " is a folder: name a file");
    if (flags.device != "cuda" && flags.device != "cpu")
        throw InputError("--device '" + flags.device + "': give cuda or cpu");
    const task::Task task = task::load(flags.task);
    const std::string candidate = flags.candidate.empty() ? "" : task::load_candidate(flags.candidate);
    judge::Paths paths = judge::find_paths();
    trace::TracerOptions options;
    options.python = paths.python;
    options.package_dir = paths.package;
    options.sandbox = !flags.unsafe_no_sandbox;
    trace::Tracer tracer(options);
    trace::Request request =
        judge::reference_request(task, flags.target, candidate.empty() ? flags.device : "cuda");
    request.constants = overrides(flags.constants);
    trace::Outcome reference = tracer.trace(request);
    if (std::holds_alternative<Finding>(reference) && !request.constants.empty())
        check_names(request, tracer);
    if (candidate.empty() || std::holds_alternative<Finding>(reference))
        return report(reference, flags, task.display);
    const auto& plan = std::get<plan::Plan>(reference);
    return report(tracer.trace(judge::candidate_request(plan, candidate, flags.candidate, flags.target)),
                  flags, flags.candidate);
}

}  // namespace

void add_trace(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<TraceOptions>();
    CLI::App* command =
        app.add_subcommand("trace", "print what a task or a candidate asks of the device: its plan");
    command->add_option("task", options->task, "KernelBench-style .py file, or FILE.jsonl#ID")->required();
    command->add_option("candidate", options->candidate,
                        "file that defines ModelNew; without it the task itself is traced");
    command->add_option("-o,--output", options->output, "write the plan as JSON to this file");
    command
        ->add_option("--device", options->device, "task only: cuda (the device that computes nothing) or cpu")
        ->capture_default_str();
    command->add_option("--target", options->target, "sm_80, sm_90 or sm_100")->capture_default_str();
    command->add_option("--set", options->constants, "override an integer of the task: NAME=INTEGER");
    command->add_flag("--ttir", options->ttir, "show the kernels' TTIR as well");
    command->add_flag("--json", options->json, kJsonHelp);
    command->add_flag("--unsafe-no-sandbox", options->unsafe_no_sandbox,
                      "trace without confinement, where the kernel lacks seccomp");
    command->callback([options, &exit_code] { exit_code = run_trace(*options); });
}

}  // namespace tritonsmith::cli
