#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/process/process.h"
#include "cli/command.h"

namespace tritonsmith::cli {

namespace {

/// @param first argument that the other program gets after its name
[[noreturn]] void become(const std::string& program, char** first) {
    const std::string path = sibling_program(program);
    std::string name = program;
    std::vector<char*> argv = {name.data()};
    while (*first) argv.push_back(*first++);
    argv.push_back(nullptr);
    ::execv(path.c_str(), argv.data());
    throw MachineError("cannot start " + path + ": " + std::strerror(errno));
}

}  // namespace

void become_other_program(int argc, char** argv) {
    const std::string_view command = argc > 1 ? argv[1] : "", what = argc > 2 ? argv[2] : "";
    if (command == "generate" || command == "data" || command == "bench" || command == "report" ||
        command == "reward")
        become("tritonsmith-generate", argv + 1);
    if (command == "train") become("tritonsmith-train", argv + 1);
    if (command == "serve" && what == "model") become("tritonsmith-engine", argv + 3);
}

void add_generate(CLI::App& app, int&) {
    app.add_subcommand("generate", generate_help);
}

void add_bench(CLI::App& app, int&) {
    app.add_subcommand("bench", bench_help);
}

void add_report(CLI::App& app, int&) {
    app.add_subcommand("report", report_help);
}

void add_reward(CLI::App& app, int&) {
    app.add_subcommand("reward", reward_help);
}

void add_data(CLI::App& app, int&) {
    app.add_subcommand("data", data_help);
}

void add_train(CLI::App& app, int&) {
    app.add_subcommand("train", train_help);
}

void add_serve(CLI::App& app, int&) {
    CLI::App* command = app.add_subcommand("serve", "serve a model by OpenAI's API (docs/engine.md)");
    command->require_subcommand(1);
    command->add_subcommand("model", "a Hugging Face folder: tritonsmith serve model --model DIR");
}

}  // namespace tritonsmith::cli
