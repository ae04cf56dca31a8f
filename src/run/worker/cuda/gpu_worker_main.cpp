#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "base/sandbox/sandbox.h"
#include "run/worker/cuda/accelerator.h"
#include "run/worker/sessions/serve.h"

namespace {

/// NVRTC looks its builtins up by bare name, which finds a toolkit's or none: those beside the runtime that
/// this program is linked with are loaded first, as torch's Python does. cuDNN's attention needs them.
void load_nvrtc_builtins() {
    Dl_info runtime{};
    if (::dladdr(reinterpret_cast<const void*>(&cudaRuntimeGetVersion), &runtime) == 0 || !runtime.dli_fname)
        return;
    std::error_code none;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(runtime.dli_fname).parent_path(), none)) {
        if (!entry.path().filename().string().starts_with("libnvrtc-builtins.so")) continue;
        ::dlopen(entry.path().c_str(), RTLD_NOW | RTLD_GLOBAL);
    }
}

}  // namespace

/// tritonsmith-gpu-worker --fd N --device cuda:0 [--sandbox off]: executes plans on a GPU for whoever holds
/// the other end of the socket (docs/protocols.md, sessions). Ends when the socket closes, or when the device
/// fails.
int main(int argc, char** argv) {
    using namespace tritonsmith;
    int socket = -1, ordinal = -1;
    bool confined = true;
    try {
        for (const auto& [name, value] : run::options_of(argc, argv)) {
            if (name == "fd") socket = std::stoi(value);
            if (name == "sandbox") confined = value != "off";
            if (name == "device" && value.starts_with("cuda:")) ordinal = std::stoi(value.substr(5));
        }
    } catch (const std::exception&) {
        socket = -1;
    }
    if (socket < 0 || ordinal < 0) {
        std::fprintf(stderr, "usage: tritonsmith-gpu-worker --fd N --device cuda:ORDINAL\n");
        return 2;
    }
    try {
        SandboxOptions sandbox;
        sandbox.gpu = true;
        sandbox.keep = {socket};
        sandbox.read_only = library_folders();
        load_nvrtc_builtins();
        if (confined) enter_sandbox(sandbox);
        run::WorkerState state;
        state.accelerator = run::cuda_accelerator(ordinal);
        return run::serve(socket, state);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tritonsmith-gpu-worker: %s\n", error.what());
        return 3;
    }
}
