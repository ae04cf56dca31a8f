#include "cli/train/ablation_runs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <thread>

#include "base/process/environment.h"
#include "base/process/process.h"

namespace tritonsmith::cli {

namespace fs = std::filesystem;

AblationRuns::AblationRuns(const AblationPlan& plan, bool unsafe_no_sandbox,
                           std::function<void(const AblationCell&, const std::string&)> ended)
    : plan_(plan),
      unsafe_no_sandbox_(unsafe_no_sandbox),
      ended_(std::move(ended)),
      slots_(plan.devices.size()) {}

AblationRuns::~AblationRuns() {
    for (const Slot& slot : slots_)
        if (slot.pid > 0) kill_and_reap(slot.pid);
}

fs::path AblationRuns::log_of(const AblationCell& cell) const {
    return plan_.folder / "logs" / (cell.name + ".log");
}

void AblationRuns::start(Slot& slot) {
    const AblationCell& cell = *slot.waiting.front();
    slot.waiting.pop_front();
    std::error_code error;
    fs::create_directories(plan_.folder / "logs", error);
    const Fd log(::open(log_of(cell).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (!log)
        throw MachineError(fmt::format("cannot write {}: {}", log_of(cell).string(), std::strerror(errno)));
    Spawn what;
    what.argv = {sibling_program("tritonsmith-train")};
    what.argv.insert(what.argv.end(), cell.arguments.begin(), cell.arguments.end());
    if (unsafe_no_sandbox_) what.argv.emplace_back("--unsafe-no-sandbox");
    what.environment = environment_without_keys();
    what.stderr_fd = log.get();
    slot.pid = spawn(what);
    slot.running = &cell;
}

/// What a run said at its end.
std::string AblationRuns::last_words(const AblationCell& cell) const {
    std::ifstream log(log_of(cell));
    std::string last;
    for (std::string line; std::getline(log, line);)
        if (!line.empty()) last = line;
    constexpr std::string_view name = "tritonsmith: ";
    return last.starts_with(name) ? last.substr(name.size()) : last;
}

/// @return whether its run has ended
bool AblationRuns::look_after(Slot& slot) {
    int status = 0;
    const pid_t got = ::waitpid(slot.pid, &status, WNOHANG);
    if (got == 0 || (got < 0 && errno == EINTR)) return false;
    const AblationCell& cell = *slot.running;
    slot.pid = -1;
    slot.running = nullptr;
    if (got > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        ended_(cell, "");
    else if (got > 0 && WIFSIGNALED(status))
        ended_(cell, fmt::format("ended by signal {}", WTERMSIG(status)));
    else
        ended_(cell, last_words(cell));
    return true;
}

void AblationRuns::run(const std::vector<const AblationCell*>& cells, const std::atomic<int>& signal) {
    // By its number in the plan, so that a run goes on with the device that it began on.
    for (const AblationCell* cell : cells)
        slots_[static_cast<size_t>(cell - plan_.cells.data()) % slots_.size()].waiting.push_back(cell);
    bool told = false;
    for (;;) {
        bool busy = false;
        for (Slot& slot : slots_) {
            if (slot.pid > 0 && !look_after(slot)) busy = true;
            if (slot.pid > 0 || slot.waiting.empty() || signal.load() != 0) continue;
            start(slot);
            busy = true;
        }
        if (!busy) return;
        if (signal.load() != 0 && !told) {
            for (const Slot& slot : slots_)
                if (slot.pid > 0) ::kill(slot.pid, SIGTERM);
            told = true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
}

}  // namespace tritonsmith::cli
