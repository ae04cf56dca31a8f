#include "cuda/probe_sandbox.h"

#include <signal.h>
#include <ucontext.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/sandbox/sandbox_core.h"

namespace tritonsmith::cuda {
namespace {

std::array<std::atomic<int>, 512> refusals{};  ///< error + 1, by the call's number

/// Gives the call the error that the filter would have given, where that ends the process EPERM.
void note_refusal(int, siginfo_t* info, void* context) {
    const int error = info->si_errno ? info->si_errno : EPERM;
    const auto call = static_cast<size_t>(info->si_syscall);
    if (call < refusals.size()) refusals[call] = info->si_errno + 1;
    auto* machine = &static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    machine->gregs[REG_RAX] = -error;
#elif defined(__aarch64__)
    machine->regs[0] = static_cast<unsigned long long>(-error);
#endif
}

void report_refusals() {
    struct sigaction action {};
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
    action.sa_sigaction = note_refusal;
    ::sigaction(SIGSYS, &action, nullptr);
}

}  // namespace

void enter_probe_sandbox(const ProbeGuard& guard) {
    if (guard.name == "none") return;
    const char* shm[] = {guard.name == "shm" ? "/dev/shm" : nullptr, nullptr};
    const int keep[] = {guard.peer, guard.parent};
    sandbox_options options{};
    options.profile = SANDBOX_GPU;
    options.read_write = shm;
    options.keep = keep;
    options.keep_count = 2;
    options.no_landlock = guard.name == "no_landlock";
    options.report = guard.name == "report";
    if (options.report) report_refusals();
    char error[512];
    if (sandbox_enter(&options, error, sizeof error) != 0) throw MachineError(error);
}

Json refused_calls() {
    Json list = Json::array();
    for (size_t call = 0; call < refusals.size(); ++call) {
        if (const int noted = refusals[call]) list.push_back({{"call", call}, {"error", noted - 1}});
    }
    return list;
}

Json files_in_use() {
    std::set<std::string> paths;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        const size_t slash = line.find('/');
        if (slash != std::string::npos) paths.insert(line.substr(slash));
    }
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
        const std::string target = std::filesystem::read_symlink(entry.path(), error).string();
        if (target.starts_with("/")) paths.insert(target);
    }
    return paths;
}

}  // namespace tritonsmith::cuda
