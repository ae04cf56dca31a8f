// tritonsmith-train, and tritonsmith-gpu-train, which links torch's CUDA library: `tritonsmith train` becomes
// them.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "base/process/process.h"
#include "cli/command.h"
#include "cli/program.h"
#include "cli/train/commands.h"
#include "train/parallel/ranks.h"

namespace tritonsmith::cli {
namespace {

char** command_line = nullptr;

}  // namespace

void become_gpu_program(const std::string& device) {
#ifndef TRITONSMITH_GPU_PROGRAM
    if (device.starts_with("cuda")) {
        const std::string path = sibling_program("tritonsmith-gpu-train");
        ::execv(path.c_str(), command_line);
        throw MachineError("cannot start " + path + ": " + std::strerror(errno));
    }
#endif
    (void)device;
}

std::string own_device(const std::string& device) {
    const train::Ranks ranks = train::ranks_of_this_process();
    if (ranks.count == 1 || !device.starts_with("cuda")) return device;
    if (device != "cuda") throw InputError("run.device: several processes need \"cuda\", without a number");
    return fmt::format("cuda:{}", ranks.local);
}

int end_of_run(const Json& result, bool speaks, bool json) {
    const int signal = result["signal"].get<int>();
    if (signal != 0 && speaks)
        fmt::print(stderr, "stopped behind step {}; the same command with --resume goes on from there\n",
                   result["steps"].get<int64_t>());
    if (json && speaks) print_json(result);
    return signal != 0 ? 128 + signal : kDone;
}

void add_train_itself(CLI::App& app, int& exit_code) {
    CLI::App* train = app.add_subcommand("train", train_help);
    train->require_subcommand(1);
    add_sft(*train, exit_code);
    add_grpo(*train, exit_code);
    add_ablate(*train, exit_code);
    add_tokenizer(*train, exit_code);
    add_export(*train, exit_code);
}

}  // namespace tritonsmith::cli

int main(int argc, char** argv) {
    using namespace tritonsmith::cli;
    command_line = argv;
    const AddCommand commands[] = {add_train_itself};
    return run_program(commands, argc, argv);
}
