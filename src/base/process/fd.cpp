#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/process/process.h"

namespace tritonsmith {

Fd& Fd::operator=(Fd&& other) noexcept {
    if (this != &other) {
        reset();
        fd_ = other.release();
    }
    return *this;
}

void Fd::reset() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
}

Fd duplicate(const Fd& fd) {
    Fd other(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 3));
    if (!other) throw MachineError(std::string("cannot duplicate a descriptor: ") + std::strerror(errno));
    return other;
}

SocketPair socket_pair() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        throw MachineError(std::string("cannot make a socket pair: ") + std::strerror(errno));
    return {Fd(ends[0]), Fd(ends[1])};
}

Pipe make_pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw MachineError(std::string("cannot make a pipe: ") + std::strerror(errno));
    return {Fd(ends[0]), Fd(ends[1])};
}

Fd memory_file(const std::string& name, int64_t bytes) {
    Fd file(::memfd_create(name.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!file || bytes < 0 || ::ftruncate(file.get(), bytes) != 0 ||
        ::fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)
        throw MachineError("cannot make a memory file of " + std::to_string(bytes) +
                           " bytes: " + (bytes < 0 ? "negative size" : std::strerror(errno)));
    return file;
}

std::string program_folder() {
    char path[PATH_MAX];
    ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
    if (length <= 0) throw MachineError("cannot read /proc/self/exe: is /proc mounted?");
    std::string program(path, static_cast<size_t>(length));
    return program.substr(0, program.rfind('/'));
}

std::string sibling_program(const std::string& name) {
    const std::string path = program_folder() + "/" + name;
    if (::access(path.c_str(), X_OK) != 0)
        throw MachineError("there is no " + path + ": the same command with ./tritonsmith builds it");
    return path;
}

}  // namespace tritonsmith
