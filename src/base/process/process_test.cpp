#include "base/process/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

namespace tritonsmith {
namespace {

using namespace std::chrono_literals;

std::string read_all(int fd) {
    std::string text;
    char buffer[4096];
    for (ssize_t got; (got = ::read(fd, buffer, sizeof buffer)) > 0;) text.append(buffer, got);
    return text;
}

int wait_for(pid_t pid) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    return status;
}

/// Runs /bin/sh -c `script` and returns what it printed.
std::string shell(const std::string& script, Spawn what = {}) {
    Pipe pipe = make_pipe();
    what.argv = {"/bin/sh", "-c", script};
    what.stdout_fd = pipe.write.get();
    pid_t pid = spawn(what);
    pipe.write.reset();
    std::string text = read_all(pipe.read.get());
    wait_for(pid);
    return text;
}

TEST(Frame, ArrivesWithItsDescriptors) {
    SocketPair pair = socket_pair();
    Fd file = memory_file("x", 8);
    ASSERT_EQ(::pwrite(file.get(), "content", 8, 0), 8);
    send_frame(pair.ours.get(), {{"a", {1, 2, "ü"}}}, {file.get()});
    send_frame(pair.ours.get(), {{"second", true}});
    Frame frame;
    ASSERT_EQ(receive_frame(pair.theirs.get(), frame, Clock::now() + 5s), FrameError::none);
    EXPECT_EQ(frame.message, (Json{{"a", {1, 2, "ü"}}}));
    ASSERT_EQ(frame.descriptors.size(), 1u);
    char text[8];
    ASSERT_EQ(::pread(frame.descriptors[0].get(), text, 8, 0), 8);
    EXPECT_STREQ(text, "content");
    EXPECT_TRUE(::fcntl(frame.descriptors[0].get(), F_GETFD) & FD_CLOEXEC);
    ASSERT_EQ(receive_frame(pair.theirs.get(), frame, Clock::now() + 5s), FrameError::none);
    EXPECT_TRUE(frame.message.at("second"));
    EXPECT_TRUE(frame.descriptors.empty());
}

TEST(Frame, LargerThanTheSocketBuffer) {
    SocketPair pair = socket_pair();
    Json big = std::string(20 << 20, 'x');
    std::thread sender([&] { send_frame(pair.ours.get(), big); });
    Frame frame;
    FrameError error = receive_frame(pair.theirs.get(), frame, Clock::now() + 30s);
    sender.join();
    ASSERT_EQ(error, FrameError::none);
    EXPECT_EQ(frame.message, big);
}

TEST(Frame, TimesOutWhenThePeerIsSilentOrStopsHalfway) {
    SocketPair pair = socket_pair();
    Frame frame;
    auto start = Clock::now();
    EXPECT_EQ(receive_frame(pair.theirs.get(), frame, start + 50ms), FrameError::timeout);
    ASSERT_EQ(::write(pair.ours.get(), "\x09\0\0\0[1,", 7), 7);
    EXPECT_EQ(receive_frame(pair.theirs.get(), frame, start + 100ms), FrameError::timeout);
    EXPECT_GE(Clock::now(), start + 100ms);
}

TEST(Frame, NamesWhatIsWrongWithHostileBytes) {
    auto answer = [](const std::string& bytes, int64_t limit = 1 << 20) {
        Pipe pipe = make_pipe();
        EXPECT_EQ(::write(pipe.write.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
        pipe.write.reset();
        Frame frame;
        return receive_frame(pipe.read.get(), frame, Clock::now() + 5s, limit);
    };
    EXPECT_EQ(answer(""), FrameError::closed);
    EXPECT_EQ(answer(std::string("\x02\0", 2)), FrameError::closed);
    EXPECT_EQ(answer(std::string("\x05\0\0\0{}", 6)), FrameError::closed);
    EXPECT_EQ(answer("\xff\xff\xff\xff"), FrameError::too_large);
    EXPECT_EQ(answer(std::string("\x02\0\0\0{]", 6)), FrameError::malformed);
    EXPECT_EQ(answer(std::string("\x03\0\0\0\"\xff\"", 7)), FrameError::malformed);
    EXPECT_EQ(answer(std::string("\0\0\0\0", 4)), FrameError::malformed);
    std::string deep = std::string(5000, '[') + std::string(5000, ']');
    EXPECT_EQ(answer(std::string("\x10\x27\0\0", 4) + deep), FrameError::malformed);
    EXPECT_EQ(answer(std::string("\x06\0\0\0\"[[[[\"", 10)), FrameError::none);
}

TEST(Frame, ToADeadPeerIsAMachineError) {
    SocketPair pair = socket_pair();
    pair.theirs.reset();
    EXPECT_THROW(send_frame(pair.ours.get(), {{"a", 1}}), MachineError);
}

TEST(Frame, MoreDescriptorsThanAllowedAreRefusedAndClosed) {
    SocketPair pair = socket_pair();
    EXPECT_THROW(send_frame(pair.ours.get(), 1, std::vector<int>(17, 0)), MachineError);
}

TEST(MemoryFile, KeepsItsSize) {
    Fd file = memory_file("x", 4096);
    EXPECT_NE(::ftruncate(file.get(), 8192), 0);
    EXPECT_NE(::ftruncate(file.get(), 0), 0);
    EXPECT_THROW(memory_file("x", -1), MachineError);
}

TEST(SpawnProcess, GetsOnlyItsEnvironmentAndDescriptors) {
    Fd stray(::open("/dev/null", O_RDONLY));  // not close-on-exec on purpose
    Pipe first = make_pipe(), second = make_pipe();
    Spawn what;
    what.environment = {{"COLOUR", "blue"}};
    // Crossed on purpose: each source is the other's target.
    what.descriptors = {{first.write.get(), second.write.get()}, {second.write.get(), first.write.get()}};
    // Asked by number: a pipe or a listing of /proc/$$/fd would open descriptors of the shell's own while it
    // looks.
    const std::string fds = "/proc/$$/fd/";
    std::string text = shell("echo $COLOUR $HOME; for fd in 0 1 2 " + std::to_string(stray.get()) + " " +
                                 std::to_string(first.read.get()) + "; do test -e " + fds +
                                 "$fd && echo $fd; done; echo A >&" + std::to_string(second.write.get()) +
                                 "; echo B >&" + std::to_string(first.write.get()),
                             what);
    first.write.reset();
    second.write.reset();
    EXPECT_EQ(text, "blue\n0\n1\n2\n");
    EXPECT_EQ(read_all(first.read.get()), "A\n");
    EXPECT_EQ(read_all(second.read.get()), "B\n");
}

TEST(SpawnProcess, RunsInTheFolderWithEmptyInput) {
    Spawn what;
    what.directory = "/usr";
    EXPECT_EQ(shell("pwd; cat", what), "/usr\n");
}

TEST(SpawnProcess, NamesTheProgramThatCannotStart) {
    Spawn what;
    what.argv = {"/no/such/program"};
    try {
        spawn(what);
        FAIL() << "started";
    } catch (const MachineError& error) {
        EXPECT_STREQ(error.what(), "cannot start /no/such/program: No such file or directory");
    }
    what.argv = {"/bin/true"};
    what.directory = "/no/such/folder";
    EXPECT_THROW(spawn(what), MachineError);
    EXPECT_THROW(spawn({}), MachineError);
}

TEST(SpawnProcess, OutlivesTheThreadThatStartedIt) {
    Pipe pipe = make_pipe();
    Spawn what;
    what.argv = {"/bin/sh", "-c", "sleep 0.3; echo alive"};
    what.stdout_fd = pipe.write.get();
    pid_t pid = -1;
    std::thread([&] { pid = spawn(what); }).join();
    pipe.write.reset();
    EXPECT_EQ(read_all(pipe.read.get()), "alive\n");
    wait_for(pid);
}

TEST(SpawnProcess, DiesWithItsParent) {
    Pipe pipe = make_pipe();
    pid_t middle = ::fork();
    if (middle == 0) {
        Spawn what;
        what.argv = {"/bin/sleep", "60"};
        what.stdout_fd = pipe.write.get();
        // The fork has only this thread, so the spawner is made again here if no test made it before.
        std::thread([&] { spawn(what); }).join();
        ::raise(SIGKILL);
    }
    pipe.write.reset();
    wait_for(middle);
    Frame frame;  // end of file comes only when the grandchild is gone too
    EXPECT_EQ(receive_frame(pipe.read.get(), frame, Clock::now() + 10s), FrameError::closed);
}

TEST(SpawnProcess, IsKilledAndReaped) {
    Spawn what;
    what.argv = {"/bin/sleep", "60"};
    pid_t pid = spawn(what);
    kill_and_reap(pid);
    EXPECT_EQ(::kill(pid, 0), -1);
    EXPECT_EQ(errno, ESRCH);
}

TEST(ProgramFolder, HoldsTheRunningProgram) {
    EXPECT_EQ(::access((program_folder() + "/base_test").c_str(), X_OK), 0);
}

}  // namespace
}  // namespace tritonsmith
