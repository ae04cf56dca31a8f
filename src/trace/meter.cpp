#include "trace/meter.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace tritonsmith::trace {
namespace {

std::string slurp(int folder, const char* name) {
    Fd file(::openat(folder, name, O_RDONLY | O_CLOEXEC));
    if (!file) return {};
    char text[4096];
    const ssize_t got = ::read(file.get(), text, sizeof text);
    return got > 0 ? std::string(text, static_cast<size_t>(got)) : std::string();
}

/// The fields of /proc/PID/stat from the third on ("state ppid ..."): the name before them may hold anything.
std::string after_name(const std::string& stat) {
    const size_t end = stat.rfind(')');
    return end == std::string::npos ? std::string() : stat.substr(end + 1);
}

}  // namespace

Meter::Meter(pid_t pid, pid_t parent) : pid_(pid) {
    Fd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    Fd folder(::open(("/proc/" + std::to_string(pid)).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!pidfd || !folder) return;
    char state = 0;
    int its_parent = 0;
    if (std::sscanf(after_name(slurp(folder.get(), "stat")).c_str(), " %c %d", &state, &its_parent) != 2)
        return;
    if (its_parent != parent) return;
    pidfd_ = std::move(pidfd);
    folder_ = std::move(folder);
}

std::optional<Meter::Reading> Meter::read() const {
    if (!folder_) return std::nullopt;
    Reading reading;
    long long resident = 0, of_files = 0;
    // pages: total, resident, shared (files and shared memory)
    if (std::sscanf(slurp(folder_.get(), "statm").c_str(), "%*d %lld %lld", &resident, &of_files) != 2)
        return std::nullopt;
    const std::string status = slurp(folder_.get(), "status");
    const char* shared_memory = std::strstr(status.c_str(), "\nRssShmem:");
    const char* threads = std::strstr(status.c_str(), "\nThreads:");
    reading.resident = (resident - of_files) * ::sysconf(_SC_PAGESIZE);
    if (shared_memory) reading.resident += std::strtoll(shared_memory + 10, nullptr, 10) * 1024;
    if (threads) reading.threads = std::atoi(threads + 9);
    unsigned long long user = 0, system = 0;
    if (std::sscanf(after_name(slurp(folder_.get(), "stat")).c_str(),
                    " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &reading.state, &user,
                    &system) != 3)
        return std::nullopt;
    reading.cpu_seconds = static_cast<double>(user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
    const std::string io = slurp(folder_.get(), "io");
    if (const char* written = std::strstr(io.c_str(), "wchar:"))
        reading.written = std::strtoll(written + 6, nullptr, 10);
    return reading;
}

bool Meter::Reading::only_lacks_a_processor(double before) const {
    constexpr double kEnding = 1;
    const bool runnable = state == 'R' || state == 'D';
    return state == 'Z' || state == 'X' || (runnable && cpu_seconds - before < kEnding);
}

void Meter::kill() const {
    if (!pidfd_ || ::syscall(SYS_pidfd_send_signal, pidfd_.get(), SIGKILL, nullptr, 0) != 0) return;
    ::kill(-pid_, SIGKILL);  // not yet reaped (the line above worked), so the number is still its own
}

}  // namespace tritonsmith::trace
