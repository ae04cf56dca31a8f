#include "generate/engine_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "base/process/environment.h"
#include "endpoint/client.h"

namespace tritonsmith::generate {

EngineProcess::EngineProcess(const Options& options) : folder_("tritonsmith-engine") {
    const std::string socket = folder_.path() / "model.sock";
    address_ = endpoint::parse_address("unix:" + socket);
    if (!std::filesystem::is_directory(options.model))
        throw InputError("--model " + options.model +
                         ": no such folder: give one with config.json, tokenizer.json and safetensors");
    Spawn what;
    what.argv = {sibling_program("tritonsmith-engine"), "--model", std::filesystem::absolute(options.model),
                 "--socket", socket};
    what.argv.insert(what.argv.end(), options.arguments.begin(), options.arguments.end());
    what.environment = environment_without_keys();
    const Fd log(::open((folder_.path() / "log").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    if (!log) throw MachineError("cannot write " + folder_.path().string());
    what.stderr_fd = log.get();
    pid_ = spawn(what);
    try {
        wait_until_ready(options);
    } catch (...) {
        if (pid_ > 0) kill_and_reap(pid_);
        throw;
    }
}

void EngineProcess::wait_until_ready(const Options& options) {
    const Clock::time_point deadline =
        Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(options.start_seconds * 1e3));
    endpoint::Watchdog watchdog(options.cancel);
    const endpoint::Key no_key;
    for (;;) {
        int status = 0;
        if (::waitpid(pid_, &status, WNOHANG) == pid_) {
            pid_ = -1;
            const std::string words = last_words();
            if (WIFEXITED(status) && WEXITSTATUS(status) == 2) throw InputError(words);
            throw MachineError("tritonsmith-engine " +
                               (WIFSIGNALED(status) ? fmt::format("was killed by signal {}", WTERMSIG(status))
                                                    : fmt::format("ended with {}", WEXITSTATUS(status))) +
                               (words.empty() ? "" : ": " + words));
        }
        endpoint::HttpRequest request;
        request.address = &address_;
        request.key = &no_key;
        request.method = "GET";
        request.path = "/health";
        request.connect_seconds = request.silent_seconds = 5;
        if (::access(address_.host.c_str(), F_OK) == 0 && http_call(request, watchdog).status == 200) return;
        if (Clock::now() >= deadline)
            throw MachineError(
                fmt::format("tritonsmith-engine was not ready after {:.0f} s", options.start_seconds));
        if (!watchdog.sleep(0.05, {})) throw endpoint::Cancelled();
    }
}

/// The last line it wrote, without the program's name.
std::string EngineProcess::last_words() const {
    std::string text = read_file(folder_.path() / "log", "log", int64_t{1} << 30);
    text.erase(text.find_last_not_of(" \t\r\n") + 1);
    text = text.substr(text.find_last_of('\n') + 1);
    const std::string name = "tritonsmith: ";
    return text.starts_with(name) ? text.substr(name.size()) : text;
}

EngineProcess::~EngineProcess() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGTERM);
    for (int i = 0; i < 100; ++i) {
        if (::waitpid(pid_, nullptr, WNOHANG) == pid_) return;
        ::usleep(50000);
    }
    kill_and_reap(pid_);
}

}  // namespace tritonsmith::generate
