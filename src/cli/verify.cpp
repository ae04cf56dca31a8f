#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "cli/judge_options.h"
#include "cli/verdict_text.h"
#include "cli/verify_batch.h"
#include "judge/judge.h"
#include "task/task.h"

namespace tritonsmith::cli {

namespace {

struct VerifyOptions {
    std::string task, candidate;
    bool json = false;
    BatchFlags batch;
    JudgeFlags judge;
};

int verify(VerifyOptions& flags) {
    const bool batch = !flags.batch.file.empty();
    if (batch != flags.task.empty() || batch != flags.candidate.empty())
        throw InputError(
            "verify takes TASK and CANDIDATE, or --batch FILE.jsonl (see tritonsmith verify --help)");
    const std::string device = flags.judge.resolve_device();
    if (batch) return verify_batch(flags.batch, flags.judge, device);
    judge::Options options = flags.judge.options(true);
    const task::Task task = task::load(flags.task);
    const std::string candidate = task::read_candidate(flags.candidate);
    judge::Paths paths = judge::find_paths();
    paths.sandbox = !flags.judge.unsafe_no_sandbox;
    paths.device = device;
    judge::Judge judge(paths);
    options.on_stage = [](const judge::StageTime& stage) { std::fputs(stage_line(stage).c_str(), stderr); };
    const judge::Verdict verdict = judge.judge(task, candidate, flags.candidate, options);
    std::fputs(verdict_text(verdict, task, candidate, flags.candidate, ::isatty(STDERR_FILENO) != 0).c_str(),
               stderr);
    if (flags.json) print_json(judge::to_json(verdict));
    if (verdict.status == judge::Status::machine_error) throw MachineError(verdict.message);
    return judge::exit_code(verdict);
}

}  // namespace

void add_verify(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<VerifyOptions>();
    CLI::App* command = app.add_subcommand("verify", "judge a Triton kernel against a PyTorch module");
    command->add_option("task", options->task, "KernelBench-style .py file, or FILE.jsonl#ID");
    command->add_option("candidate", options->candidate, "file that defines ModelNew");
    command->add_flag("--json", options->json, kJsonHelp);
    auto* batch = command->add_option("--batch", options->batch.file,
                                      "judge every row of FILE.jsonl: {\"task\": ..., \"candidate\": ...}");
    command
        ->add_option(
            "-o,--output", options->batch.output,
            "where a batch's verdicts go, one a line (default: stdout); a batch that was stopped goes on")
        ->needs(batch);
    command
        ->add_option("--jobs", options->batch.jobs,
                     "candidates judged at a time (default: one per core and a few more)")
        ->check(CLI::Range(1, 1024))
        ->needs(batch);
    command
        ->add_flag("--no-cache", options->batch.no_cache,
                   "judge rows again whose verdicts an earlier batch left in the cache")
        ->needs(batch);
    command
        ->add_flag("--keep-going", options->batch.keep_going,
                   "a row without a task or candidate that can be read gets a verdict that says so, and does "
                   "not end the batch")
        ->needs(batch);
    options->judge.add_to(*command);
    command->callback([options, &exit_code] { exit_code = verify(*options); });
}

}  // namespace tritonsmith::cli
