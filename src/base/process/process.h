#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace tritonsmith {

/// Owns a file descriptor.
class Fd {
  public:
    Fd() = default;
    explicit Fd(int fd) : fd_(fd) {}
    Fd(Fd&& other) noexcept : fd_(other.release()) {}
    Fd& operator=(Fd&& other) noexcept;
    ~Fd() { reset(); }
    int get() const { return fd_; }
    int release() {
        int fd = fd_;
        fd_ = -1;
        return fd;
    }
    void reset();
    explicit operator bool() const { return fd_ >= 0; }

  private:
    int fd_ = -1;
};

/// Another descriptor of the same file. @throws MachineError
Fd duplicate(const Fd& fd);

struct SocketPair {
    Fd ours, theirs;
};
/// Unix stream socket pair and pipe, close-on-exec. @throws MachineError
SocketPair socket_pair();
struct Pipe {
    Fd read, write;
};
Pipe make_pipe();
/// Sealed-size anonymous memory file of `bytes`, close-on-exec. @throws MachineError
Fd memory_file(const std::string& name, int64_t bytes);

using Clock = std::chrono::steady_clock;
using Deadline = std::optional<Clock::time_point>;

/// One frame: 4-byte little-endian length, then JSON (docs/protocols.md), with descriptors beside it (at most
/// 16).
/// @throws MachineError if the peer is gone.
void send_frame(int socket, const Json& message, const std::vector<int>& descriptors = {});
struct Frame {
    Json message;
    std::vector<Fd> descriptors;
};
enum class FrameError { none, closed, timeout, too_large, malformed };
/// Reads one frame from a socket or (without descriptors) a pipe. Never throws on what the peer sends.
FrameError receive_frame(int fd, Frame& frame, Deadline deadline, int64_t max_bytes = int64_t{256} << 20);

struct Spawn {
    std::vector<std::string> argv;                   ///< argv[0] is a path
    std::map<std::string, std::string> environment;  ///< complete: nothing is inherited
    std::vector<std::pair<int, int>> descriptors;    ///< {ours, number in the child}; all others are closed
    std::string directory;                           ///< working directory; empty: inherited
    int stdout_fd = -1, stderr_fd = -1;              ///< -1: stdout goes to /dev/null, stderr is inherited
};
/// fork + exec with PR_SET_PDEATHSIG(SIGKILL). @throws MachineError naming the program if exec fails.
pid_t spawn(const Spawn& what);
/// Kills (SIGKILL) and reaps.
void kill_and_reap(pid_t pid);

/// Folder of the running program's binary, to find its siblings (tritonsmith-worker, lib/).
std::string program_folder();
/// Path of a program beside this one. @throws MachineError where it was not built
std::string sibling_program(const std::string& name);

}  // namespace tritonsmith
