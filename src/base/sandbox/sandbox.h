#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"

namespace tritonsmith {

/// What the kernel offers here. Without `seccomp` nothing untrusted is run (MachineError) unless the user
/// says so.
struct SandboxFeatures {
    int landlock_abi = 0;          ///< 0: none, files are then guarded by ordinary permissions only
    bool seccomp = false;          ///< system call filters that end the process
    bool user_namespaces = false;  ///< may be made; the sandbox does without
};
SandboxFeatures sandbox_features();

struct SandboxOptions {
    std::vector<std::string> read_only = {};   ///< folders and files; those that do not exist are skipped
    std::vector<std::string> read_write = {};  ///< folders; each must exist
    std::vector<int> keep = {};                ///< descriptors that stay open beside 0, 1 and 2
    int64_t file_bytes = 0;                    ///< largest file it may write; 0: not limited
    int64_t cpu_seconds = 0, open_files = 0;
    /// NVIDIA's driver shall start inside: its files and devices are within reach, and what is forbidden
    /// fails with an error where it would end others. The driver must not have been initialised before.
    bool gpu = false;
};

/// The folders that hold this process's shared libraries, for `read_only`: cuDNN and others load more of
/// their own kind from there when they are first used.
std::vector<std::string> library_folders();

/// Restricts this process, which must have one thread, for good: files beyond the lists, new processes, new
/// sockets, signals to others, capabilities. For the worker; Python children enter through the module
/// _sandbox, which is the same code (sandbox_core.h). @throws MachineError; the process must then end.
void enter_sandbox(const SandboxOptions& options);

}  // namespace tritonsmith
