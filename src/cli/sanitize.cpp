#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "base/json.h"
#include "cli/command.h"
#include "judge/services/services.h"

namespace tritonsmith::cli {

namespace {

struct SanitizeOptions {
    std::string file;
    std::vector<std::string> arguments, only;
    bool json = false;
    int most = 0;
    double seconds = 120;
};

/// This process becomes the script's: signals, terminal, working directory and exit code are its own.
[[noreturn]] void become(const std::vector<std::string>& words) {
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    ::signal(SIGPIPE, SIG_DFL);
    ::execv(argv[0], argv.data());
    throw MachineError("cannot start " + words[0] + ": " + std::strerror(errno));
}

int run_sanitize(const SanitizeOptions& flags) {
    if (std::filesystem::is_directory(flags.file))
        throw InputError(flags.file + " is a folder: name a script");
    if (::access(flags.file.c_str(), R_OK) != 0)
        throw InputError("cannot read " + flags.file + ": " + std::strerror(errno));
    if (flags.most < 0) throw InputError("--max-findings: give a number from 1 on");
    if (!(flags.seconds > 0)) throw InputError("--launch-seconds: give more than 0");
    const judge::Paths paths = judge::find_paths();
    const Json options = {
        {"json", flags.json}, {"only", flags.only}, {"most", flags.most}, {"seconds", flags.seconds}};
    std::vector<std::string> words = {paths.python, paths.package + "/tritonsmith/sanitize/sanitize.py",
                                      dump(options), flags.file};
    words.insert(words.end(), flags.arguments.begin(), flags.arguments.end());
    become(words);
}

}  // namespace

void add_sanitize(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<SanitizeOptions>();
    CLI::App* command = app.add_subcommand(
        "sanitize", "run a script on the CPU and check its Triton launches (docs/sanitize.md)");
    command->add_option("file", options->file, "Python script; it runs with your rights, unconfined")
        ->required();
    command->add_option("arguments", options->arguments, "what the script is given, behind --");
    command->add_flag("--json", options->json,
                      "print one JSON object on stdout at the end; the script's stdout goes to stderr");
    command->add_option("--only", options->only, "check this kernel only; others are run")
        ->take_all()
        ->expected(1);
    command->add_option("--max-findings", options->most, "end the script after so many different findings");
    command
        ->add_option("--launch-seconds", options->seconds, "processor time after which a launch is given up")
        ->capture_default_str();
    command->callback([options, &exit_code] { exit_code = run_sanitize(*options); });
}

}  // namespace tritonsmith::cli
