#pragma once

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "cli/commands.h"

/// The frame of the command line. One subcommand is one file `NAME.cpp` that defines `add_NAME`:
///
///     void add_verify(CLI::App& app, int& exit_code) {
///         auto options = std::make_shared<Options>();               // lives as long as the callback
///         CLI::App* command = app.add_subcommand("verify", "…");
///         command->add_option("task", options->task, "…")->required();
///         command->add_flag("--json", options->json, kJsonHelp);
///         command->callback([options, &exit_code] { exit_code = verify(*options); });
///     }
///
/// and is listed in commands.h and main.cpp. The callback returns one of the exit codes below, or throws:
/// InputError becomes exit code 2 and MachineError 3, each with its text as one line on stderr. People read
/// stderr; stdout is for results.
namespace tritonsmith::cli {

enum ExitCode : int {
    kDone = 0,           ///< done, accepted
    kRejected = 1,       ///< rejected, or a goal not met
    kBadInput = 2,       ///< bad usage or bad input
    kMachineFailed = 3,  ///< no GPU, disk full, a worker could not start
    kUnjudgeable = 4,    ///< the task is random or degenerate, or needs an unsupported operation
    kInterrupted = 130,  ///< Ctrl-C; what was found until then is kept
};

inline constexpr const char* kJsonHelp = "print one JSON object on stdout";

inline constexpr const char* bench_help =
    "judge answers to a benchmark: rates, speedups, intervals (docs/bench.md)";
inline constexpr const char* report_help =
    "a run of bench or train as one page of HTML, as Markdown, as JSON or as a figure";
inline constexpr const char* reward_help = "the reward of an answer in training (docs/training.md)";
inline constexpr const char* data_help = "make training data (docs/data.md)";
inline constexpr const char* train_help = "train a model (docs/training.md)";
inline constexpr const char* generate_help = "write a Triton kernel with a model, and verify it";

/// Writes `text` to stdout at once. A reader that went away is no error. @throws MachineError (disk full)
void print(const std::string& text);
/// Writes one JSON object as one line, or indented when stdout is a terminal.
void print_json(const Json& object);

}  // namespace tritonsmith::cli
