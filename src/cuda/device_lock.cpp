#include "cuda/device_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.h"

namespace tritonsmith::cuda {
namespace {

/// A folder that nobody else can write to: in /tmp another user may have made it first.
void own_folder(const std::string& path) {
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
        throw MachineError(fmt::format("{}: {}", path, std::strerror(errno)));
    struct stat st {};
    if (::lstat(path.c_str(), &st) != 0)
        throw MachineError(fmt::format("{}: {}", path, std::strerror(errno)));
    if (!S_ISDIR(st.st_mode) || st.st_uid != ::geteuid() || (st.st_mode & 077) != 0)
        throw MachineError(path + " is not a folder of this user alone (mode 0700): remove it");
}

/// Each holder opens the file again: the lock belongs to the open file, not to the process.
Fd locked(const std::string& path, int how) {
    Fd fd(::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!fd) throw MachineError(fmt::format("{}: {}", path, std::strerror(errno)));
    while (::flock(fd.get(), how) != 0) {
        if (errno != EINTR) throw MachineError(fmt::format("{}: flock: {}", path, std::strerror(errno)));
    }
    return fd;
}

}  // namespace

DeviceLock::DeviceLock(const std::string& uuid) {
    const bool plain =
        std::all_of(uuid.begin(), uuid.end(), [](unsigned char c) { return std::isalnum(c) || c == '-'; });
    if (uuid.empty() || !plain) throw InputError("'" + uuid + "' is not the uuid of a device");
    const std::string where = folder();
    own_folder(where);
    gate_ = where + "/" + uuid + ".gate";
    work_ = where + "/" + uuid + ".work";
}

std::string DeviceLock::folder() {
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    struct stat st {};
    if (runtime && *runtime == '/' && ::stat(runtime, &st) == 0 && S_ISDIR(st.st_mode))
        return std::string(runtime) + "/tritonsmith";
    return fmt::format("/tmp/tritonsmith-{}", ::geteuid());
}

DeviceLock::Shared::Shared(const DeviceLock& lock) {
    const Fd gate = locked(lock.gate_, LOCK_EX);
    work_ = locked(lock.work_, LOCK_SH);  // at once: whoever is alone holds the gate as well
}

DeviceLock::Exclusive::Exclusive(const DeviceLock& lock)
    : gate_(locked(lock.gate_, LOCK_EX)), work_(locked(lock.work_, LOCK_EX)) {}

}  // namespace tritonsmith::cuda
