#include "cli/command.h"
#include "cli/generate.h"

namespace tritonsmith::cli {

void GenerateFlags::add_to(CLI::App& command) {
    command.add_option("task", task, "KernelBench-style .py file, or FILE.jsonl#ID")->required();
    command
        .add_option("--smith", smith,
                    "who writes the kernel: forge (tritonsmith's compiler), model (the one that comes with "
                    "tritonsmith, or --model), endpoint, or all: forge and model, and the best is taken "
                    "(default: a model where one is given, else the forge, and the model where it fails)")
        ->check(CLI::IsMember({"forge", "model", "endpoint", "all"}));
    add_sampling_to(command);
    command
        .add_option(
            "--samples", samples,
            "answers to ask for; of a model on a machine without a GPU the first that is accepted ends it")
        ->check(CLI::Range(1, 65536))
        ->capture_default_str();
    command
        .add_option("--rounds", rounds,
                    "while nothing is accepted, answer the judge's feedback: rounds in all")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    command.add_option("-o,--output", output, "the kernel goes there, if one is verified (default: stdout)");
    command.add_option(
        "--record", record,
        "where answers and verdicts are kept, to go on after an interruption (default: beside the output)");
    command.add_flag("--json", json, kJsonHelp);
    command.add_flag(
        "--dry-run", dry_run,
        "print the messages that the model would get, as JSON; of the forge the kernel, not judged");
    command.add_flag(
        "--explain", explain,
        "without a model: print the task's operators, the kernels they become, and the schedules tried");
    command.add_option(
        "--schedule", schedules,
        "of the forge's kernel: a schedule by the name that --explain gives it, in place of the "
        "first one (may be repeated: one change after the other)");
    command
        .add_option(
            "--budget", budget,
            "without a model, on a GPU: seconds in which other schedules are judged and timed (default: 0)")
        ->check(CLI::Range(0.0, 1e6))
        ->capture_default_str();
    command.add_option("--jobs", jobs, "candidates judged at a time (default: one per core and a few more)")
        ->check(CLI::Range(1, 1024));
    judge.add_to(command);
}

}  // namespace tritonsmith::cli
