#include "cli/program.h"

#include <signal.h>

#include <cstdio>
#include <exception>
#include <string>

#include "cli/command.h"

namespace tritonsmith::cli {
namespace {

/// One line, whatever the text holds: scripts show the last line of stderr.
int complain(std::string text, int exit_code) {
    for (char& c : text)
        if (c == '\n') c = ' ';
    std::fprintf(stderr, "tritonsmith: %s\n", text.c_str());
    return exit_code;
}

std::string usage_error(const CLI::App& app, const CLI::ParseError& error, const std::string& first) {
    std::string command = "tritonsmith";
    for (const CLI::App* sub : app.get_subcommands()) command += " " + sub->get_name();
    std::string what = error.what();
    if (!first.empty() && first[0] != '-' && app.get_subcommands().empty())
        what = "there is no subcommand '" + first + "'";
    return what + " (see " + command + " --help)";
}

}  // namespace

int run_program(std::span<const AddCommand> commands, int argc, char** argv,
                void (*before)(int argc, char** argv)) {
    ::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error at the write that meets it
    CLI::App app(
        "Judges Triton kernels against PyTorch modules, without running a line of them for its results.",
        "tritonsmith");
    app.set_version_flag("--version", "tritonsmith " TRITONSMITH_VERSION);
    app.require_subcommand(1);
    int exit_code = kDone;
    for (AddCommand add : commands) add(app, exit_code);
    try {
        if (before) before(argc, argv);
        app.parse(argc, argv);
        return exit_code;
    } catch (const CLI::Success& asked) {  // --help, --version
        return app.exit(asked);
    } catch (const CLI::ParseError& error) {
        return complain(usage_error(app, error, argc > 1 ? argv[1] : ""), kBadInput);
    } catch (const InputError& error) {
        return complain(error.what(), kBadInput);
    } catch (const MachineError& error) {
        return complain(error.what(), kMachineFailed);
    } catch (const std::bad_alloc&) {
        return complain("out of memory", kMachineFailed);
    } catch (const std::exception& error) {
        return complain(std::string("internal error, please report it: ") + error.what(), kMachineFailed);
    }
}

}  // namespace tritonsmith::cli
