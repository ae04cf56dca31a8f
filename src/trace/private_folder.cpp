#include "trace/private_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "base/error.h"
#include "base/process/process.h"

namespace tritonsmith::trace {
namespace {

constexpr int kDeepest = 64;

struct CloseFolder {
    void operator()(DIR* folder) const { ::closedir(folder); }
};
using Folder = std::unique_ptr<DIR, CloseFolder>;

Folder open_folder(int parent, const char* name) {
    int fd = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return nullptr;
    DIR* folder = ::fdopendir(fd);
    if (!folder) ::close(fd);
    return Folder(folder);
}

const char* next_name(DIR* folder) {
    while (dirent* entry = ::readdir(folder)) {
        if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0)
            return entry->d_name;
    }
    return nullptr;
}

bool is_folder(int parent, const char* name) {
    struct stat st;
    return ::fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

void measure_into(int parent, const char* name, int depth, int64_t most, PrivateFolder::Size& size) {
    if (depth > kDeepest) {
        size.entries = most;
        return;
    }
    Folder folder = open_folder(parent, name);
    if (!folder) return;
    const int fd = ::dirfd(folder.get());
    while (size.entries < most) {
        const char* entry = next_name(folder.get());
        if (!entry) return;
        ++size.entries;
        struct stat st;
        if (::fstatat(fd, entry, &st, AT_SYMLINK_NOFOLLOW) != 0) continue;
        size.bytes += int64_t{st.st_blocks} * 512;
        if (S_ISDIR(st.st_mode)) measure_into(fd, entry, depth + 1, most, size);
    }
}

/// Empties `name` below `top`: files are removed, folders move up into `top`. So depth costs no stack and no
/// long paths.
void flatten(int top, const char* name, int64_t& moved) {
    [[maybe_unused]] int ignored = ::fchmodat(top, name, 0700, 0);
    Folder folder = open_folder(top, name);
    if (!folder) return;
    const int fd = ::dirfd(folder.get());
    while (const char* entry = next_name(folder.get())) {
        if (is_folder(fd, entry)) {
            [[maybe_unused]] int ignored = ::fchmodat(fd, entry, 0700, 0);
            ::renameat(fd, entry, top, (".removed-" + std::to_string(moved++)).c_str());
        } else {
            ::unlinkat(fd, entry, 0);
        }
    }
}

void remove_everything(const std::string& path) {
    int64_t moved = 0;
    for (int idle = 0; idle < 3;) {
        Folder top = open_folder(AT_FDCWD, path.c_str());
        if (!top) return;
        const int fd = ::dirfd(top.get());
        bool progress = false;
        while (const char* entry = next_name(top.get())) {
            if (is_folder(fd, entry)) {
                const int64_t before = moved;
                flatten(fd, entry, moved);
                progress |= ::unlinkat(fd, entry, AT_REMOVEDIR) == 0 || moved != before;
            } else {
                progress |= ::unlinkat(fd, entry, 0) == 0;
            }
        }
        if (::rmdir(path.c_str()) == 0) return;
        idle = progress ? 0 : idle + 1;
    }
}

}  // namespace

std::string temporary_folder() {
    const char* chosen = std::getenv("TMPDIR");
    return chosen && *chosen == '/' ? chosen : "/tmp";
}

PrivateFolder::PrivateFolder(const std::string& prefix)
    : path_(temporary_folder() + "/" + prefix + "-XXXXXX") {
    if (!::mkdtemp(path_.data())) {
        throw MachineError("cannot make a folder in " + temporary_folder() + ": " + std::strerror(errno));
    }
}

PrivateFolder::~PrivateFolder() {
    remove_everything(path_);
}

PrivateFolder::Size PrivateFolder::measure(int64_t most) const {
    Size size;
    measure_into(AT_FDCWD, path_.c_str(), 0, most, size);
    return size;
}

}  // namespace tritonsmith::trace
