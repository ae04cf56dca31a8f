#pragma once

#include <string>

#include "base/error.h"

namespace CLI {
class App;
}

/// Subcommands of `tritonsmith train`.
namespace tritonsmith::cli {

void add_train_itself(CLI::App& app, int& exit_code);
void add_sft(CLI::App& train, int& exit_code);
void add_grpo(CLI::App& train, int& exit_code);
void add_ablate(CLI::App& train, int& exit_code);
void add_tokenizer(CLI::App& train, int& exit_code);
void add_export(CLI::App& train, int& exit_code);

/// Becomes tritonsmith-gpu-train, with the same command line, where a configuration asks for a GPU and this
/// program is the one without torch's CUDA library. @throws MachineError where it was not built
void become_gpu_program(const std::string& device);

/// Of several processes on GPUs each has the one of its number on its machine. @param device the
/// configuration's @throws InputError
std::string own_device(const std::string& device);

/// Says how a run ended. @param result with the "steps" that are done and the "signal" that ended it, or 0
/// @param speaks whether this is the process that speaks for all @param json prints the result
/// @return the exit code
int end_of_run(const Json& result, bool speaks, bool json);

}  // namespace tritonsmith::cli
