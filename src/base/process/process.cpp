#include "base/process/process.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <future>
#include <mutex>
#include <queue>
#include <thread>

namespace tritonsmith {
namespace {

/// What the child reports through the error pipe when it cannot become the program.
struct Failure {
    enum Step : int { descriptors, folder, exec, parent_gone } step;
    int error;
};

/// Everything the child needs, made before fork: after it only async-signal-safe calls are allowed.
struct Prepared {
    std::vector<char*> argv, environment;
    std::vector<std::string> storage;
    std::vector<int> sources;  ///< filled by the child
    const Spawn* what = nullptr;
    int stdin_fd = -1, stdout_fd = -1, error_fd = -1;
    pid_t parent = 0;
};

[[noreturn]] void fail(int fd, Failure::Step step) {
    Failure failure{step, errno};
    [[maybe_unused]] ssize_t ignored = ::write(fd, &failure, sizeof failure);
    ::_exit(127);
}

void close_all_on_exec() {
    if (::syscall(SYS_close_range, 3u, ~0u, CLOSE_RANGE_CLOEXEC) == 0) return;
    long limit = std::clamp(::sysconf(_SC_OPEN_MAX), 256L, 65536L);  // kernels before 5.11
    for (int fd = 3; fd < limit; ++fd) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
}

[[noreturn]] void become(Prepared& prepared) {
    const Spawn& what = *prepared.what;
    // Move every source above all target numbers first, so that no dup2 overwrites a later source.
    int base = 3;
    for (const auto& [ours, number] : what.descriptors) base = std::max(base, number + 1);
    int error_fd = ::fcntl(prepared.error_fd, F_DUPFD_CLOEXEC, base);
    if (error_fd < 0) fail(prepared.error_fd, Failure::descriptors);

    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != prepared.parent) fail(error_fd, Failure::parent_gone);
    ::setsid();  // the terminal's interrupt goes to us, and we end our children
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::signal(SIGPIPE, SIG_DFL);

    auto raise_above = [&](int fd) {
        int copy = ::fcntl(fd, F_DUPFD_CLOEXEC, base);
        if (copy < 0) fail(error_fd, Failure::descriptors);
        return copy;
    };
    int input = raise_above(prepared.stdin_fd);
    int output = raise_above(prepared.stdout_fd);
    int errors = raise_above(what.stderr_fd >= 0 ? what.stderr_fd : 2);
    for (size_t i = 0; i < what.descriptors.size(); ++i)
        prepared.sources[i] = raise_above(what.descriptors[i].first);
    close_all_on_exec();
    if (::dup2(input, 0) < 0 || ::dup2(output, 1) < 0 || ::dup2(errors, 2) < 0)
        fail(error_fd, Failure::descriptors);
    for (size_t i = 0; i < what.descriptors.size(); ++i)
        if (::dup2(prepared.sources[i], what.descriptors[i].second) < 0) fail(error_fd, Failure::descriptors);

    if (!what.directory.empty() && ::chdir(what.directory.c_str()) != 0) fail(error_fd, Failure::folder);
    ::execve(prepared.argv[0], prepared.argv.data(), prepared.environment.data());
    fail(error_fd, Failure::exec);
}

std::string describe(const Failure& failure, const Spawn& what) {
    std::string why = std::strerror(failure.error);
    switch (failure.step) {
        case Failure::descriptors:
            return "cannot pass descriptors to " + what.argv[0] + ": " + why;
        case Failure::folder:
            return "cannot start " + what.argv[0] + " in " + what.directory + ": " + why;
        case Failure::parent_gone:
            return "cannot start " + what.argv[0] + ": the program is ending";
        case Failure::exec:
            break;
    }
    return "cannot start " + what.argv[0] + ": " + why;
}

pid_t spawn_here(const Spawn& what) {
    if (what.argv.empty()) throw MachineError("cannot start a program without a name");
    Prepared prepared;
    prepared.what = &what;
    prepared.parent = ::getpid();
    prepared.storage = what.argv;
    prepared.sources.resize(what.descriptors.size(), -1);
    for (const auto& [name, value] : what.environment) prepared.storage.push_back(name + "=" + value);
    for (size_t i = 0; i < prepared.storage.size(); ++i)
        (i < what.argv.size() ? prepared.argv : prepared.environment).push_back(prepared.storage[i].data());
    prepared.argv.push_back(nullptr);
    prepared.environment.push_back(nullptr);
    Fd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
    if (!null) throw MachineError(std::string("cannot open /dev/null: ") + std::strerror(errno));
    prepared.stdin_fd = null.get();
    prepared.stdout_fd = what.stdout_fd >= 0 ? what.stdout_fd : null.get();
    Pipe errors = make_pipe();
    prepared.error_fd = errors.write.get();

    pid_t pid = ::fork();
    if (pid < 0) throw MachineError("cannot start " + what.argv[0] + ": " + std::strerror(errno));
    if (pid == 0) become(prepared);
    errors.write.reset();
    Failure failure;
    ssize_t got;
    do got = ::read(errors.read.get(), &failure, sizeof failure);
    while (got < 0 && errno == EINTR);
    if (got == 0) return pid;
    kill_and_reap(pid);
    if (got != sizeof failure) throw MachineError("cannot start " + what.argv[0] + ": it died before it ran");
    throw MachineError(describe(failure, what));
}

/// The parent-death signal is sent when the *thread* that forked ends, so one thread that never ends does it.
class Spawner {
  public:
    Spawner() { std::thread(&Spawner::serve, this).detach(); }

    pid_t spawn(const Spawn& what) {
        std::packaged_task<pid_t()> task([&] { return spawn_here(what); });
        std::future<pid_t> result = task.get_future();
        {
            std::lock_guard lock(mutex_);
            tasks_.push(std::move(task));
        }
        ready_.notify_one();
        return result.get();
    }

  private:
    [[noreturn]] void serve() {
        ::pthread_setname_np(::pthread_self(), "spawner");
        for (;;) {
            std::unique_lock lock(mutex_);
            ready_.wait(lock, [&] { return !tasks_.empty(); });
            std::packaged_task<pid_t()> task = std::move(tasks_.front());
            tasks_.pop();
            lock.unlock();
            task();
        }
    }

    std::mutex mutex_;
    std::condition_variable ready_;
    std::queue<std::packaged_task<pid_t()>> tasks_;
};

}  // namespace

pid_t spawn(const Spawn& what) {
    static std::mutex mutex;
    static Spawner* spawner = nullptr;  // never destroyed: its thread uses it until the process ends
    static pid_t owner = 0;             // a fork of us has no such thread
    {
        std::lock_guard lock(mutex);
        if (owner != ::getpid()) {
            spawner = new Spawner;
            owner = ::getpid();
        }
    }
    return spawner->spawn(what);
}

void kill_and_reap(pid_t pid) {
    if (pid <= 0) return;
    ::kill(pid, SIGKILL);
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
}

}  // namespace tritonsmith
