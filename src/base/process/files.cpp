#include "base/process/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/process/process.h"

namespace tritonsmith {
namespace fs = std::filesystem;
namespace {

std::string because(const std::string& what) {
    return what + ": " + std::strerror(errno);
}

bool write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes.remove_prefix(static_cast<size_t>(written));
    }
    return true;
}

}  // namespace

std::string read_file(const fs::path& path, const std::string& what, int64_t max_bytes) {
    const std::string name = what + " " + path.string();
    Fd file(::open(path.c_str(),
                   O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // opening a pipe must not wait for a writer
    struct stat status;
    if (!file || ::fstat(file.get(), &status) != 0) throw InputError(because("cannot read " + name));
    if (!S_ISREG(status.st_mode)) throw InputError(name + " is not a file");
    std::string bytes;
    char buffer[1 << 16];
    for (;;) {
        ssize_t got = ::read(file.get(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw InputError(because("cannot read " + name));
        if (got == 0) return bytes;
        bytes.append(buffer, static_cast<size_t>(got));
        if (static_cast<int64_t>(bytes.size()) > max_bytes)
            throw InputError(name + " is larger than " + std::to_string(max_bytes) + " bytes");
    }
}

void write_file(const fs::path& path, std::string_view bytes) {
    std::error_code error;
    if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
    if (error)
        throw MachineError("cannot make the folder " + path.parent_path().string() + ": " + error.message());
    static std::atomic<int> counter = 0;
    const std::string part =
        path.string() + "." + std::to_string(::getpid()) + "." + std::to_string(++counter) + ".part";
    Fd file(::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file) throw MachineError(because("cannot write " + path.string()));
    bool done = write_all(file.get(), bytes) && ::close(file.release()) == 0 &&
                ::rename(part.c_str(), path.c_str()) == 0;
    if (done) return;
    std::string text = because("cannot write " + path.string());
    ::unlink(part.c_str());
    throw MachineError(text);
}

TemporaryFolder::TemporaryFolder(const std::string& prefix) {
    const char* folder = std::getenv("TMPDIR");
    std::string name = std::string(folder && *folder ? folder : "/tmp") + "/" + prefix + "-XXXXXX";
    if (!::mkdtemp(name.data())) throw MachineError(because("cannot make a temporary folder " + name));
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace tritonsmith
