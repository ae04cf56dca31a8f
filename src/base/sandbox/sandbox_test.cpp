#include "base/sandbox/sandbox.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <thread>

#include "base/sandbox/sandbox_core.h"

namespace tritonsmith {
namespace {

struct Folder {
    std::string path;
    Folder() {
        char name[] = "/tmp/sandbox_test_XXXXXX";
        path = mkdtemp(name);
    }
    ~Folder() { std::filesystem::remove_all(path); }
};

struct End {
    int signal = 0, exit = 0;  ///< exit is what the body returned
};

/// Runs `body` in a child that has entered the sandbox; 99 where it could not be entered.
End inside(sandbox_profile profile, const std::string& folder, const std::function<int()>& body,
           const std::vector<const char*>& execute = {}) {
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0) {
        const char* readable[] = {"/usr", "/lib", "/lib64", "/proc/self", nullptr};
        const char* writable[] = {folder.c_str(), nullptr};
        std::vector<const char*> executable = execute;
        executable.push_back(nullptr);
        sandbox_options options{};
        options.profile = profile;
        options.read_only = readable;
        options.read_write = writable;
        options.execute = executable.data();
        options.file_bytes = 1 << 20;
        options.open_files = 64;
        options.cpu_seconds = 1;
        options.parent = parent;
        char error[256];
        if (sandbox_enter(&options, error, sizeof error) != 0) {
            fprintf(stderr, "%s\n", error);
            _exit(99);
        }
        _exit(body());
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return {WIFSIGNALED(status) ? WTERMSIG(status) : 0, WIFEXITED(status) ? WEXITSTATUS(status) : 0};
}

int errno_of(long result) {
    return result < 0 ? errno : 0;
}

class Sandbox : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!sandbox_features().seccomp) GTEST_SKIP() << "this kernel has no seccomp filters";
    }
    Folder folder_;
};

TEST_F(Sandbox, LetsOrdinaryWorkThrough) {
    End end = inside(SANDBOX_TRACE, folder_.path, [&] {
        std::string file = folder_.path + "/file";
        int fd = open(file.c_str(), O_CREAT | O_RDWR, 0600);
        if (fd < 0 || write(fd, "ab", 2) != 2 || rename(file.c_str(), (file + "2").c_str()) != 0) return 1;
        int seen = 0;
        std::thread([&] { seen = 7; }).join();
        if (seen != 7) return 2;
        return unlink((file + "2").c_str()) == 0 && open("/usr/bin/env", O_RDONLY) >= 0 ? 0 : 3;
    });
    EXPECT_EQ(end.signal, 0);
    EXPECT_EQ(end.exit, 0);
}

TEST_F(Sandbox, FilesOutsideTheListsAreOutOfReach) {
    if (sandbox_features().landlock_abi == 0) GTEST_SKIP() << "this kernel has no Landlock";
    const std::string secret = folder_.path + "-secret";
    close(open(secret.c_str(), O_CREAT | O_RDWR, 0600));
    EXPECT_EQ(
        inside(SANDBOX_TRACE, folder_.path, [&] { return errno_of(open(secret.c_str(), O_RDONLY)); }).exit,
        EACCES);
    EXPECT_EQ(inside(SANDBOX_TRACE, folder_.path, [&] { return errno_of(unlink(secret.c_str())); }).exit,
              EACCES);
    EXPECT_EQ(inside(SANDBOX_TRACE, folder_.path,
                     [&] { return errno_of(open((secret + "x").c_str(), O_CREAT | O_WRONLY, 0600)); })
                  .exit,
              EACCES);
    EXPECT_EQ(
        inside(SANDBOX_TRACE, folder_.path, [&] { return errno_of(open("/etc/passwd", O_RDONLY)); }).exit,
        EACCES);
    EXPECT_EQ(
        inside(SANDBOX_TRACE, folder_.path, [&] { return errno_of(open("/usr/bin/env", O_RDWR)); }).exit,
        EACCES);
    EXPECT_EQ(inside(SANDBOX_TRACE, folder_.path, [&] { return errno_of(chmod(secret.c_str(), 0)); }).exit,
              EPERM);
    EXPECT_EQ(inside(SANDBOX_TRACE, folder_.path, [&] { return errno_of(truncate(secret.c_str(), 0)); }).exit,
              EPERM);
    std::string parent = "/proc/" + std::to_string(getpid()) + "/environ";
    EXPECT_EQ(
        inside(SANDBOX_TRACE, folder_.path, [&] { return errno_of(open(parent.c_str(), O_RDONLY)); }).exit,
        EACCES);
    unlink(secret.c_str());
}

TEST_F(Sandbox, EndsWhatAsksForProcessesSocketsOrOthers) {
    const std::map<std::string, std::function<int()>> attempts = {
        {"fork", [] { return int(fork()); }},
        {"vfork", [] { return int(syscall(SYS_vfork)); }},
        {"clone", [] { return int(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }},
        {"clone namespace", [] { return int(syscall(SYS_clone, 0x10000000 | SIGCHLD, 0, 0, 0, 0)); }},
        {"execve", [] { return execl("/usr/bin/env", "env", nullptr); }},
        {"socket", [] { return socket(AF_INET, SOCK_STREAM, 0); }},
        {"packet", [] { return socket(17, SOCK_RAW, 0); }},
        {"kill parent", [] { return kill(getppid(), SIGTERM); }},
        {"kill all", [] { return kill(-1, SIGTERM); }},
        {"kill self", [] { return kill(getpid(), SIGKILL); }},
        {"raise", [] { return raise(SIGKILL); }},
        {"queue self", [] { return sigqueue(getpid(), SIGKILL, {}); }},
        {"tgkill", [] { return int(syscall(SYS_tgkill, getppid(), getppid(), SIGTERM)); }},
        {"ptrace", [] { return int(ptrace(PTRACE_ATTACH, getppid(), 0, 0)); }},
        {"read other", [] { return int(syscall(SYS_process_vm_readv, getppid(), 0, 0, 0, 0, 0)); }},
        {"pidfd", [] { return int(syscall(SYS_pidfd_open, getppid(), 0)); }},
        {"limit other", [] { return int(syscall(SYS_prlimit64, getppid(), RLIMIT_CPU, nullptr, nullptr)); }},
        {"bpf", [] { return int(syscall(SYS_bpf, 0, 0, 0)); }},
        {"io_uring", [] { return int(syscall(SYS_io_uring_setup, 1, 0)); }},
        {"userfaultfd", [] { return int(syscall(SYS_userfaultfd, 0)); }},
        {"shared memory", [] { return int(syscall(SYS_shmget, 5, 4096, 01600)); }},
#ifdef __x86_64__
        {"x32", [] { return int(syscall(0x40000000 + SYS_getpid)); }},
#endif
    };
    for (const auto& [name, attempt] : attempts) {
        EXPECT_EQ(inside(SANDBOX_TRACE, folder_.path, attempt).signal, SIGSYS) << name;
    }
}

TEST_F(Sandbox, RefusesQuietlyWhatLibrariesProbe) {
    EXPECT_EQ(
        inside(SANDBOX_TRACE, folder_.path, [] { return errno_of(socket(AF_UNIX, SOCK_STREAM, 0)); }).exit,
        EACCES);
    EXPECT_EQ(inside(SANDBOX_TRACE, folder_.path, [] { return errno_of(memfd_create("x", 0)); }).exit,
              ENOSYS);
    EXPECT_EQ(
        inside(SANDBOX_TRACE, folder_.path, [] { return errno_of(fcntl(0, F_SETOWN, getppid())); }).exit,
        EPERM);
    EXPECT_EQ(inside(SANDBOX_TRACE, folder_.path, [] { return errno_of(setuid(1234)); }).exit, ENOSYS);
}

TEST_F(Sandbox, LimitsHoldForRootToo) {
    EXPECT_EQ(inside(SANDBOX_TRACE, folder_.path,
                     [] {
                         for (;;) {
                         }
                         return 0;
                     })
                  .signal,
              SIGXCPU);
    EXPECT_EQ(inside(SANDBOX_TRACE, folder_.path,
                     [] {
                         rlimit more{1000, 1000};
                         return errno_of(setrlimit(RLIMIT_NOFILE, &more));
                     })
                  .exit,
              EPERM);
    EXPECT_EQ(inside(SANDBOX_TRACE, folder_.path,
                     [] {
                         rlimit one{0, 0}, now{};
                         if (setrlimit(RLIMIT_CPU, &one) == 0) return 1;
                         return getrlimit(RLIMIT_CPU, &now) == 0 && now.rlim_max == 2 ? 0 : 2;
                     })
                  .exit,
              0);
    EXPECT_EQ(inside(SANDBOX_TRACE, folder_.path,
                     [] {
                         sigevent event{};
                         event.sigev_notify = SIGEV_SIGNAL;
                         event.sigev_signo = SIGKILL;
                         timer_t timer;
                         return errno_of(syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer));
                     })
                  .exit,
              ENOSYS);
    End end = inside(SANDBOX_TRACE, folder_.path, [&] {
        signal(SIGXFSZ, SIG_IGN);
        int fd = open((folder_.path + "/big").c_str(), O_CREAT | O_RDWR, 0600);
        return errno_of(ftruncate(fd, 2 << 20));
    });
    EXPECT_EQ(end.exit, EFBIG);
}

TEST_F(Sandbox, ClosesDescriptorsThatAreNotKept) {
    int fd = open("/dev/null", O_RDONLY);
    EXPECT_EQ(inside(SANDBOX_TRACE, folder_.path, [fd] { return errno_of(fcntl(fd, F_GETFD)); }).exit, EBADF);
    close(fd);
}

TEST_F(Sandbox, TheCompilerStartsItsAssemblerAndNothingElse) {
    auto run = [](const char* program) {
        return [program] {
            pid_t pid = fork();
            if (pid == 0) {
                execl(program, program, nullptr);
                _exit(errno);
            }
            int status = 0;
            waitpid(pid, &status, 0);
            return WIFEXITED(status) ? WEXITSTATUS(status) : 77;
        };
    };
    std::vector<const char*> execute = {"/usr/bin/true"};
    for (const char* loader : {"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"}) {
        if (access(loader, F_OK) == 0) execute.push_back(loader);
    }
    EXPECT_EQ(inside(SANDBOX_COMPILE, folder_.path, run("/usr/bin/true"), execute).exit, 0);
    if (sandbox_features().landlock_abi == 0) GTEST_SKIP() << "this kernel has no Landlock";
    EXPECT_EQ(inside(SANDBOX_COMPILE, folder_.path, run("/usr/bin/env"), execute).exit, EACCES);
}

TEST_F(Sandbox, IsNotEnteredBesideOtherThreads) {
    pid_t pid = fork();
    if (pid == 0) {
        std::thread other([] { sleep(5); });
        try {
            enter_sandbox({});
        } catch (const MachineError& error) {
            _exit(std::string(error.what()).find("threads") != std::string::npos ? 0 : 2);
        }
        _exit(1);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
}

TEST_F(Sandbox, TheWorkerMayShareMemory) {
    pid_t pid = fork();
    if (pid == 0) {
        try {
            enter_sandbox({.read_only = {"/usr"}, .read_write = {folder_.path}});
        } catch (const MachineError&) {
            _exit(1);
        }
        _exit(memfd_create("pack", MFD_CLOEXEC) >= 0 && errno_of(open("/etc/passwd", O_RDONLY)) == EACCES
                  ? 0
                  : 2);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
}

/// What NVIDIA's driver tries when it starts must come back as an error: it would not survive the others'
/// end.
TEST_F(Sandbox, TheGpuProfileRefusesWhereOthersEnd) {
    const std::map<std::string, std::function<int()>> attempts = {
        {"fork", [] { return errno_of(fork()); }},
        {"vfork", [] { return errno_of(syscall(SYS_vfork)); }},
        {"execve", [] { return errno_of(execl("/usr/bin/env", "env", nullptr)); }},
        {"mknod", [] { return errno_of(mknod("/dev/nvidia0", S_IFCHR, 0)); }},
        {"connect", [] { return errno_of(connect(0, nullptr, 0)); }},
        {"pidfd", [] { return errno_of(syscall(SYS_pidfd_open, getppid(), 0)); }},
        {"kill", [] { return errno_of(kill(getppid(), SIGTERM)); }},
        {"kill self", [] { return errno_of(kill(getpid(), SIGKILL)); }},
        {"ptrace", [] { return errno_of(ptrace(PTRACE_ATTACH, getppid(), 0, 0)); }},
        {"limit other",
         [] { return errno_of(syscall(SYS_prlimit64, getppid(), RLIMIT_CPU, nullptr, nullptr)); }},
        {"owner", [] { return errno_of(fcntl(0, F_SETOWN, getppid())); }},
    };
    for (const auto& [name, attempt] : attempts) {
        const End end = inside(SANDBOX_GPU, folder_.path, attempt);
        EXPECT_EQ(end.signal, 0) << name;
        EXPECT_EQ(end.exit, EPERM) << name;
    }
    auto socket_of = [&](int family) {
        return inside(SANDBOX_GPU, folder_.path, [&] { return errno_of(socket(family, SOCK_STREAM, 0)); })
            .exit;
    };
    EXPECT_EQ(socket_of(AF_INET), EACCES);
    EXPECT_EQ(socket_of(17), EACCES);
    // The driver gives up where it cannot make a local socket, or name its threads.
    EXPECT_EQ(socket_of(AF_UNIX), 0);
    auto name_a_thread = [] {
        std::atomic<bool> done = false;
        std::atomic<int> id = 0;
        std::thread thread([&] {
            id = static_cast<int>(syscall(SYS_gettid));
            while (!done) sched_yield();
        });
        while (id == 0) sched_yield();
        const std::string file = "/proc/self/task/" + std::to_string(id) + "/comm";
        const int opened = errno_of(open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666));
        done = true;
        thread.join();
        return opened;
    };
    EXPECT_EQ(inside(SANDBOX_GPU, folder_.path, name_a_thread).exit, 0);
    const auto request = [&](unsigned long number) {
        return inside(SANDBOX_GPU, folder_.path,
                      [&] {
                          char line = 'x';
                          const int fd = memfd_create("x", 0);
                          return errno_of(ioctl(fd, number, &line)) + 1000 * errno_of(mlock(&line, 1));
                      })
            .exit;
    };
    EXPECT_EQ(request(TIOCSTI), ENOTTY);
    // The driver's own numbers go through to the file, which knows none of them.
    EXPECT_EQ(request(0xc0384627), ENOTTY);
}

TEST_F(Sandbox, TheGpuProfileMayStartCompilersWhereItIsToldTo) {
    auto run = [] {
        pid_t pid = fork();
        if (pid == 0) {
            execl("/usr/bin/true", "true", nullptr);
            _exit(errno);
        }
        int status = 0;
        waitpid(pid, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 77;
    };
    std::vector<const char*> execute = {"/usr/bin/true"};
    for (const char* loader : {"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"}) {
        if (access(loader, F_OK) == 0) execute.push_back(loader);
    }
    EXPECT_EQ(inside(SANDBOX_GPU_COMPILE, folder_.path, run, execute).exit, 0);
    if (sandbox_features().landlock_abi == 0) GTEST_SKIP() << "this kernel has no Landlock";
    EXPECT_EQ(inside(SANDBOX_GPU_COMPILE, folder_.path, run).exit, EACCES);
}

TEST_F(Sandbox, TheGpuProfileGuardsFiles) {
    if (sandbox_features().landlock_abi == 0) GTEST_SKIP() << "this kernel has no Landlock";
    pid_t pid = fork();
    if (pid == 0) {
        enter_sandbox({.read_write = {folder_.path}, .gpu = true});
        const bool guarded = errno_of(open("/etc/passwd", O_RDONLY)) == EACCES &&
                             errno_of(open("/dev/shm/x", O_CREAT | O_RDWR, 0600)) == EACCES;
        const bool usable = open("/proc/cpuinfo", O_RDONLY) >= 0 && open("/proc/self/maps", O_RDONLY) >= 0;
        _exit(guarded && usable ? 0 : 1);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
}

TEST_F(Sandbox, KnowsWhereTheLibrariesLie) {
    Dl_info libc{};
    ASSERT_NE(dladdr(reinterpret_cast<void*>(&printf), &libc), 0);
    const std::string real = std::filesystem::canonical(libc.dli_fname).parent_path();
    const std::vector<std::string> folders = library_folders();
    EXPECT_NE(std::find(folders.begin(), folders.end(), real), folders.end()) << real;
    for (const std::string& folder : folders) EXPECT_TRUE(std::filesystem::is_directory(folder)) << folder;
}

/// For diagnosis: the handler learns which call would have been refused, and with which error.
TEST_F(Sandbox, MayReportWhatItWouldRefuse) {
    pid_t pid = fork();
    if (pid == 0) {
        static volatile sig_atomic_t seen = 0;
        struct sigaction action {};
        action.sa_flags = SA_SIGINFO;
        action.sa_sigaction = [](int, siginfo_t* info, void*) {
            seen = info->si_syscall == SYS_execve ? info->si_errno : -1;
        };
        sigaction(SIGSYS, &action, nullptr);
        sandbox_options options{};
        options.profile = SANDBOX_GPU;
        options.report = 1;
        char error[256];
        if (sandbox_enter(&options, error, sizeof error) != 0) _exit(99);
        execl("/usr/bin/env", "env", nullptr);
        _exit(seen == EPERM ? 0 : 1);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace tritonsmith
