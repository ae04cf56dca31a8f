#pragma once

namespace CLI {
class App;
}

/// The subcommands (command.h says what one is).
namespace tritonsmith::cli {

void add_bench(CLI::App& app, int& exit_code);  ///< for --help: another program does it
void add_data(CLI::App& app, int& exit_code);   ///< for --help: another program does it
void add_describe(CLI::App& app, int& exit_code);
void add_doctor(CLI::App& app, int& exit_code);
void add_generate(CLI::App& app, int& exit_code);  ///< for --help: another program does it
void add_lint(CLI::App& app, int& exit_code);
void add_report(CLI::App& app, int& exit_code);  ///< for --help: another program does it
void add_reward(CLI::App& app, int& exit_code);  ///< for --help: another program does it
void add_sanitize(CLI::App& app, int& exit_code);
void add_serve(CLI::App& app, int& exit_code);  ///< for --help: another program does it
void add_trace(CLI::App& app, int& exit_code);
void add_train(CLI::App& app, int& exit_code);  ///< for --help: another program does it
void add_verify(CLI::App& app, int& exit_code);

/// Becomes tritonsmith-generate, tritonsmith-engine or tritonsmith-train where the command line asks for one
/// of them, with all that follows the subcommand. They are programs of their own so that `verify` is built
/// without what they need: the clients of models, and the transformer. @throws MachineError where it was not
/// built
void become_other_program(int argc, char** argv);

/// What tritonsmith-generate has in place of add_generate, add_data ...
void add_generate_itself(CLI::App& app, int& exit_code);
void add_data_itself(CLI::App& app, int& exit_code);
void add_bench_itself(CLI::App& app, int& exit_code);
void add_report_itself(CLI::App& app, int& exit_code);
void add_reward_itself(CLI::App& app, int& exit_code);

}  // namespace tritonsmith::cli
