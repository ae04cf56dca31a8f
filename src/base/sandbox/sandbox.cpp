#include "base/sandbox/sandbox.h"

#include <fstream>
#include <set>

#include "base/sandbox/sandbox_core.h"

namespace tritonsmith {
namespace {

std::vector<const char*> pointers(const std::vector<std::string>& strings) {
    std::vector<const char*> result;
    for (const std::string& s : strings) result.push_back(s.c_str());
    result.push_back(nullptr);
    return result;
}

}  // namespace

SandboxFeatures sandbox_features() {
    ::sandbox_features found{};
    sandbox_probe(&found);
    return {found.landlock_abi, found.seccomp != 0, found.user_namespaces != 0};
}

std::vector<std::string> library_folders() {
    std::set<std::string> folders;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        const size_t start = line.find('/'), end = line.rfind('/');
        if (start != std::string::npos && end > start && line.find(".so", end) != std::string::npos)
            folders.insert(line.substr(start, end - start));
    }
    return {folders.begin(), folders.end()};
}

void enter_sandbox(const SandboxOptions& options) {
    const auto read_only = pointers(options.read_only), read_write = pointers(options.read_write);
    ::sandbox_options core{};
    core.profile = options.gpu ? SANDBOX_GPU : SANDBOX_WORKER;
    core.read_only = read_only.data();
    core.read_write = read_write.data();
    core.keep = options.keep.data();
    core.keep_count = options.keep.size();
    core.file_bytes = options.file_bytes;
    core.cpu_seconds = options.cpu_seconds;
    core.open_files = options.open_files;
    char error[512];
    if (sandbox_enter(&core, error, sizeof error) != 0) throw MachineError(error);
}

}  // namespace tritonsmith
