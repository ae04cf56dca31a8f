#include "trace/meter.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <thread>

namespace tritonsmith::trace {
namespace {

using namespace std::chrono_literals;

/// A child that does `body` and then waits for its end.
template <typename Body>
pid_t child(Body body) {
    Pipe ready = make_pipe();
    const pid_t pid = fork();
    if (pid == 0) {
        body();
        if (write(ready.write.get(), "x", 1) != 1) _exit(1);
        for (;;) pause();
    }
    char byte;
    ready.write.reset();
    if (read(ready.read.get(), &byte, 1) != 1) ADD_FAILURE() << "the child died";
    return pid;
}

TEST(Meter, SeesMemoryOfEveryKind) {
    constexpr size_t kBytes = 64 << 20;
    const pid_t plain = child([] {});
    const pid_t own = child([] {
        memset(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 1, kBytes);
    });
    const pid_t shared = child([] {
        memset(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), 1, kBytes);
    });
    const pid_t reserved =
        child([] { mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0); });
    auto resident = [](pid_t pid) { return static_cast<double>(Meter(pid, getpid()).read()->resident); };
    const double base = resident(plain);
    EXPECT_NEAR(resident(own) - base, kBytes, 8 << 20);
    EXPECT_NEAR(resident(shared) - base, kBytes, 8 << 20);
    EXPECT_NEAR(resident(reserved) - base, 0, 8 << 20);
    for (pid_t pid : {plain, own, shared, reserved}) kill_and_reap(pid);
}

TEST(Meter, SeesThreadsAndWrites) {
    const pid_t pid = child([] {
        for (int i = 0; i < 5; ++i) std::thread([] { pause(); }).detach();
        Pipe pipe = make_pipe();
        const std::string text(10'000, 'x');
        if (write(pipe.write.get(), text.data(), text.size()) != 10'000) _exit(1);
    });
    const auto reading = Meter(pid, getpid()).read();
    ASSERT_TRUE(reading);
    EXPECT_EQ(reading->threads, 6);
    EXPECT_GE(reading->written, 10'000);
    EXPECT_LT(reading->written, 100'000);
    kill_and_reap(pid);
}

TEST(Meter, TellsAnEndedOrStarvedProcessFromOneThatGoesOn) {
    std::atomic<bool> for_ever = true;
    const pid_t asleep = child([] {}), busy = child([&] {
                                           std::thread([&] {
                                               while (for_ever) {
                                               }
                                           }).detach();
                                       });
    const pid_t ended = child([] {});
    Meter of_ended(ended, getpid());
    ASSERT_EQ(kill(ended, SIGTERM), 0);
    siginfo_t info;
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(ended), &info, WEXITED | WNOWAIT), 0);
    ASSERT_TRUE(of_ended.read());
    EXPECT_EQ(of_ended.read()->state, 'Z');
    EXPECT_TRUE(of_ended.read()->only_lacks_a_processor(0));
    Meter::Reading reading;
    while (reading.state != 'S') reading = *Meter(asleep, getpid()).read();
    EXPECT_FALSE(reading.only_lacks_a_processor(0));
    while (reading.cpu_seconds < 0.05) reading = *Meter(busy, getpid()).read();
    EXPECT_FALSE(reading.only_lacks_a_processor(0)) << "its first thread sleeps";
    reading.state = 'R';
    EXPECT_TRUE(reading.only_lacks_a_processor(reading.cpu_seconds - 0.5));
    EXPECT_FALSE(reading.only_lacks_a_processor(reading.cpu_seconds - 1.5));
    for (pid_t pid : {asleep, busy, ended}) kill_and_reap(pid);
}

TEST(Meter, KillsTheWholeGroup) {
    Pipe alive = make_pipe();  // ends when nobody holds the writing side any more
    const pid_t pid = child([] {
        setsid();
        if (fork() == 0) {
            for (;;) pause();
        }
    });
    alive.write.reset();
    Meter meter(pid, getpid());
    meter.kill();
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_EQ(WTERMSIG(status), SIGKILL);
    char byte;
    EXPECT_EQ(read(alive.read.get(), &byte, 1), 0) << "its child lives on";
    EXPECT_FALSE(meter.read());
    meter.kill();  // harmless now
}

TEST(Meter, IsEmptyForOthers) {
    const pid_t pid = child([] {});
    Meter other(pid, 1);
    EXPECT_FALSE(other.read());
    other.kill();
    EXPECT_EQ(kill(pid, 0), 0);
    kill_and_reap(pid);
    EXPECT_FALSE(Meter(pid, getpid()).read());
}

}  // namespace
}  // namespace tritonsmith::trace
