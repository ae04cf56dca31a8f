#include "cuda/device_lock.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <optional>
#include <thread>

#include "base/error.h"
#include "base/process/files.h"

namespace tritonsmith::cuda {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class Lock : public ::testing::Test {
  protected:
    void SetUp() override { ::setenv("XDG_RUNTIME_DIR", runtime_.path().c_str(), 1); }
    void TearDown() override { ::unsetenv("XDG_RUNTIME_DIR"); }
    TemporaryFolder runtime_;
};

TEST_F(Lock, LetsManyWorkTogether) {
    const DeviceLock lock("GPU-1");
    const DeviceLock::Shared first(lock);
    std::atomic<bool> second{false};
    std::thread([&] {
        const DeviceLock::Shared also(lock);
        second = true;
    }).join();
    EXPECT_TRUE(second);
}

TEST_F(Lock, IsHeldAloneOrTogetherByThreads) {
    const DeviceLock lock("GPU-1");
    std::atomic<int> sharing{0}, alone{0}, broken{0};
    const auto share = [&] {
        for (int i = 0; i < 200; ++i) {
            const DeviceLock::Shared held(lock);
            ++sharing;
            if (alone != 0) ++broken;
            --sharing;
        }
    };
    const auto exclude = [&] {
        for (int i = 0; i < 100; ++i) {
            const DeviceLock::Exclusive held(lock);
            if (++alone != 1 || sharing != 0) ++broken;
            std::this_thread::yield();
            --alone;
        }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) threads.emplace_back(share);
    for (int i = 0; i < 2; ++i) threads.emplace_back(exclude);
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(broken, 0);
}

TEST_F(Lock, DevicesDoNotWaitForEachOther) {
    const DeviceLock one("GPU-1"), other("GPU-2");
    const DeviceLock::Exclusive held(one), also(other);
}

/// Runs `body` in a child of its own, which must end with 0.
pid_t child(const std::function<void()>& body) {
    const pid_t pid = ::fork();
    if (pid != 0) return pid;
    try {
        body();
    } catch (...) {
        ::_exit(1);
    }
    ::_exit(0);
}

TEST_F(Lock, WhoWaitsToBeAloneIsNotStarved) {
    const DeviceLock lock("GPU-1");
    // Processes whose turns overlap: without the gate somebody would nearly always be at work.
    std::vector<pid_t> workers;
    for (const int turn : {20, 23, 29}) {
        workers.push_back(child([&] {
            for (;;) {
                const DeviceLock::Shared held(lock);
                std::this_thread::sleep_for(milliseconds(turn));
            }
        }));
    }
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 10; ++i) {
        std::this_thread::sleep_for(milliseconds(15));
        const DeviceLock::Exclusive held(lock);
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, seconds(5));
    for (const pid_t worker : workers) EXPECT_EQ(::waitpid(worker, nullptr, WNOHANG), 0);
    for (const pid_t worker : workers) kill_and_reap(worker);
}

TEST_F(Lock, ProcessesWaitAndTheDeadLetGo) {
    const DeviceLock lock("GPU-1");
    const Pipe ready = make_pipe();
    const pid_t holder = child([&] {
        const DeviceLock::Exclusive held(lock);
        if (::write(ready.write.get(), "x", 1) != 1) ::_exit(2);
        for (;;) ::pause();
    });
    char byte = 0;
    ASSERT_EQ(::read(ready.read.get(), &byte, 1), 1);
    std::atomic<bool> passed{false};
    std::thread waiter([&] {
        const DeviceLock::Shared held(lock);
        passed = true;
    });
    std::this_thread::sleep_for(milliseconds(200));
    EXPECT_FALSE(passed);
    kill_and_reap(holder);
    waiter.join();
    EXPECT_TRUE(passed);
}

TEST_F(Lock, LiesInAFolderOfThisUserAlone) {
    DeviceLock("GPU-1");
    struct stat st {};
    ASSERT_EQ(::stat(DeviceLock::folder().c_str(), &st), 0);
    EXPECT_EQ(st.st_mode & 0777, 0700U);
    ::chmod(DeviceLock::folder().c_str(), 0777);
    EXPECT_THROW(DeviceLock("GPU-1"), MachineError);
    std::filesystem::remove_all(DeviceLock::folder());
    std::filesystem::create_symlink("/tmp", DeviceLock::folder());
    EXPECT_THROW(DeviceLock("GPU-1"), MachineError);
    ::unsetenv("XDG_RUNTIME_DIR");
    EXPECT_EQ(DeviceLock::folder(), "/tmp/tritonsmith-" + std::to_string(::geteuid()));
}

TEST_F(Lock, NeedsAUuid) {
    EXPECT_THROW(DeviceLock(""), InputError);
    EXPECT_THROW(DeviceLock("../x"), InputError);
}

}  // namespace
}  // namespace tritonsmith::cuda
