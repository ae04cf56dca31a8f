#pragma once

#include <span>

namespace CLI {
class App;
}

namespace tritonsmith::cli {

/// Adds one subcommand (command.h).
using AddCommand = void (*)(CLI::App& app, int& exit_code);

/// `main` of a program with these subcommands: reads the command line, does what it says, and turns what is
/// thrown into one line on stderr. @returns the exit code
/// @param before called with the command line before it is read
int run_program(std::span<const AddCommand> commands, int argc, char** argv,
                void (*before)(int argc, char** argv) = nullptr);

}  // namespace tritonsmith::cli
