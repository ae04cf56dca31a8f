#pragma once

#include <string>

namespace CLI {
class App;
}

/// Subcommands of `tritonsmith train`.
namespace tritonsmith::cli {

void add_train_itself(CLI::App& app, int& exit_code);
void add_sft(CLI::App& train, int& exit_code);
void add_grpo(CLI::App& train, int& exit_code);
void add_tokenizer(CLI::App& train, int& exit_code);
void add_export(CLI::App& train, int& exit_code);

/// Becomes tritonsmith-gpu-train, with the same command line, where a configuration asks for a GPU and this
/// program is the one without torch's CUDA library. @throws MachineError where it was not built
void become_gpu_program(const std::string& device);

/// Of several processes on GPUs each has the one of its number on its machine. @param device the
/// configuration's @throws InputError
std::string own_device(const std::string& device);

}  // namespace tritonsmith::cli
