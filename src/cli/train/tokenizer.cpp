#include "text/tokenizer/tokenizer.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>

#include "base/json.h"
#include "base/process/files.h"
#include "base/process/process.h"
#include "cli/command.h"
#include "cli/train/commands.h"
#include "judge/services/services.h"
#include "train/settings/toml.h"
#include "train/tokenizer/texts.h"

namespace tritonsmith::cli {
namespace {

struct TokenizerFlags {
    std::string configuration;
    std::vector<std::string> changes;
};

/// A Python process that reads lines.
class PythonReader {
  public:
    explicit PythonReader(const std::string& module) {
        const judge::Paths paths = judge::find_paths();
        Pipe pipe = make_pipe();
        std::map<std::string, std::string> environment = {{"PYTHONPATH", paths.package}};
        for (const char* name : {"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"})
            if (const char* value = std::getenv(name)) environment[name] = value;
        pid_ = spawn({.argv = {paths.python, "-m", module},
                      .environment = environment,
                      .descriptors = {{pipe.read.get(), 0}},
                      .directory = {}});
        to_ = std::move(pipe.write);
    }
    ~PythonReader() {
        if (pid_ > 0) kill_and_reap(pid_);
    }
    PythonReader(const PythonReader&) = delete;
    PythonReader& operator=(const PythonReader&) = delete;

    void write_line(const Json& value) {
        const std::string line = dump(value) + "\n";
        for (size_t done = 0; done < line.size();) {
            const ssize_t bytes = ::write(to_.get(), line.data() + done, line.size() - done);
            if (bytes < 0 && errno == EINTR) continue;
            if (bytes <= 0) return;  // it ended: finish() says so
            done += static_cast<size_t>(bytes);
        }
    }
    /// @throws MachineError where it failed; what it said is on stderr
    void finish() {
        to_.reset();
        int status = 0;
        while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
        pid_ = -1;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            throw MachineError("the tokenizer's training failed (see above)");
    }

  private:
    pid_t pid_ = -1;
    Fd to_;
};

int train_tokenizer(const TokenizerFlags& flags) {
    Json configuration =
        train::parse_toml(read_file(flags.configuration, "the configuration", 16 << 20), flags.configuration);
    for (const std::string& change : flags.changes) train::set_toml(configuration, change);
    const train::TokenizerSettings settings =
        train::read_tokenizer_settings(configuration, flags.configuration);
    const std::filesystem::path out = settings.folder / "tokenizer.json";
    if (std::filesystem::exists(out)) throw InputError(out.string() + " exists: name another folder");
    write_tokenizer_files(settings);
    PythonReader python("tritonsmith.training.train_tokenizer");
    const std::filesystem::path part = settings.folder / ".tokenizer.json.part";
    python.write_line(
        {{"vocabulary", settings.vocabulary}, {"special", train::special_tokens()}, {"out", part.string()}});
    const int64_t bytes =
        train::for_each_text(settings, [&](const std::string& text) { python.write_line(text); });
    fmt::print(stderr, "{:.1f} MB of text; merging to {} tokens\n", static_cast<double>(bytes) / 1e6,
               settings.vocabulary);
    python.finish();
    std::filesystem::rename(part, out);
    const text::Tokenizer tokenizer = text::Tokenizer::load(settings.folder);
    fmt::print(stderr, "{}: {} tokens\n", settings.folder.string(), tokenizer.size());
    return kDone;
}

}  // namespace

void add_tokenizer(CLI::App& train, int& exit_code) {
    auto flags = std::make_shared<TokenizerFlags>();
    CLI::App* command = train.add_subcommand("tokenizer", "a byte-level BPE of texts (docs/training.md)");
    command->add_option("configuration", flags->configuration, "TOML file")->required();
    command->add_option("--set", flags->changes, "a field in place of the file's: tokenizer.vocabulary=8192")
        ->type_name("TABLE.FIELD=VALUE")
        ->allow_extra_args(false);
    command->callback([flags, &exit_code] { exit_code = train_tokenizer(*flags); });
}

}  // namespace tritonsmith::cli
