#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "base/sandbox/sandbox.h"
#include "run/worker/sessions/serve.h"

/// tritonsmith-worker --fd N [--memory BYTES] [--device cpu]: executes plans on the CPU for whoever holds the
/// other end of the socket (docs/protocols.md, Worker). Ends when the socket closes.
namespace {

using namespace tritonsmith;

int64_t machine_bytes() {
    return int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE);
}

/// ATen's own temporaries are not counted by the executor: the kernel refuses them beyond this.
void limit_memory(int64_t bytes) {
    rlimit limit{};
    ::getrlimit(RLIMIT_DATA, &limit);
    limit.rlim_cur = std::min(static_cast<rlim_t>(bytes), limit.rlim_max);  // samples lift it for a while
    ::setrlimit(RLIMIT_DATA, &limit);
    rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
}

}  // namespace

int main(int argc, char** argv) {
    // Shrunk tasks need little; several workers run beside each other.
    int64_t memory = std::max<int64_t>(machine_bytes() / 4, int64_t{1} << 30);
    int socket = -1;
    try {
        for (const auto& [name, value] : run::options_of(argc, argv)) {
            if (name == "fd") socket = std::stoi(value);
            if (name == "memory") memory = std::stoll(value);
        }
    } catch (const std::exception&) {
        socket = -1;
    }
    if (socket < 0) {
        std::fprintf(stderr, "usage: tritonsmith-worker --fd N [--memory BYTES]\n");
        return 2;
    }
    try {
        SandboxOptions sandbox;
        sandbox.keep = {socket};
        // oneDNN and OpenMP look at the machine when they start.
        sandbox.read_only = {"/proc/cpuinfo", "/sys/devices/system/cpu", "/proc/self", "/etc/localtime"};
        enter_sandbox(sandbox);
        limit_memory(memory + memory / 2);
        run::WorkerState state;
        state.memory_limit = memory;
        return run::serve(socket, state);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tritonsmith-worker: %s\n", error.what());
        return 3;
    }
}
