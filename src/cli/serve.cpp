#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/command.h"
#include "generate/engine_process.h"

namespace tritonsmith::cli {

namespace {

/// Becomes the engine: torch is in that program alone, and its options are its own.
int serve_model(const std::vector<std::string>& arguments) {
    const std::string program = generate::engine_program();
    std::vector<char*> argv = {const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    ::execv(program.c_str(), argv.data());
    throw MachineError("cannot start " + program + ": " + std::strerror(errno));
}

}  // namespace

void add_serve(CLI::App& app, int& exit_code) {
    CLI::App* command = app.add_subcommand("serve", "serve a model by OpenAI's API (docs/engine.md)");
    command->require_subcommand(1);
    CLI::App* model =
        command->add_subcommand("model", "a Hugging Face folder: tritonsmith serve model --model DIR");
    // All that follows is the engine's, --help included.
    model->set_help_flag();
    model->prefix_command();
    model->callback([model, &exit_code] { exit_code = serve_model(model->remaining()); });
}

}  // namespace tritonsmith::cli
