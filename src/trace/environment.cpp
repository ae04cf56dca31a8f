#include "trace/environment.h"

#include <cstdlib>
#include <filesystem>

#include "base/sandbox/sandbox.h"

namespace tritonsmith::trace {

namespace fs = std::filesystem;

Spawn package_script(const TracerOptions& options, const std::string& script, const std::string& folder,
                     bool fake_device) {
    const std::string native = options.package_dir + "/native";
    const std::string path = options.package_dir + "/tritonsmith/services/" + script;
    std::vector<std::string> needed = {path, native + "/_sandbox.abi3.so"};
    if (fake_device)
        needed.insert(needed.end(), {native + "/libfakecudart.so", native + "/fake_cuda/libcuda.so.1"});
    for (const std::string& file : needed) {
        if (!fs::exists(file))
            throw MachineError("missing " + file + ": build the project (./tritonsmith does)");
    }
    Spawn what;
    what.argv = {options.python, "-I", path, "3"};
    what.environment = {
        {"PATH", "/usr/bin:/bin"},
        {"HOME", folder},
        {"TMPDIR", folder},
        {"USER", "tritonsmith"},  // libraries that name a cache folder after the user need not look him up
        {"LANG", "C.UTF-8"},
        {"OMP_NUM_THREADS", "1"},
        {"TRITON_CACHE_DIR", folder + "/triton"},
        // Huge pages: a fork has fewer to copy (python/tritonsmith/pages.py).
        {"GLIBC_TUNABLES", "glibc.malloc.hugetlb=1:glibc.malloc.top_pad=67108864"},
    };
    if (fake_device) {
        what.environment["LD_PRELOAD"] = native + "/libfakecudart.so";
        what.environment["LD_LIBRARY_PATH"] = native + "/fake_cuda";
        what.environment["PYTORCH_NO_CUDA_MEMORY_CACHING"] = "1";
        // PyTorch counts devices by NVML, which knows of every GPU of this machine; here is one.
        what.environment["CUDA_VISIBLE_DEVICES"] = "0";
    }
    if (!options.sandbox) what.environment["TRITONSMITH_NO_SANDBOX"] = "1";
    return what;
}

Spawn with_gpu(Spawn script) {
    for (const char* name : {"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CC", "CXX"})
        if (const char* value = std::getenv(name)) script.environment[name] = value;
    return script;
}

void require_sandbox(const TracerOptions& options) {
    if (options.sandbox && !sandbox_features().seccomp) {
        throw MachineError(
            "this kernel has no seccomp filters, so candidates cannot be confined: use a kernel that has "
            "(CONFIG_SECCOMP_FILTER), or trust every candidate with --unsafe-no-sandbox");
    }
}

}  // namespace tritonsmith::trace
