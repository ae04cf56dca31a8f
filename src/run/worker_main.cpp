#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "base/process.h"
#include "base/sandbox.h"
#include "run/requests.h"

/// tritonsmith-worker --fd N [--memory BYTES]: executes plans for whoever holds the other end of the socket
/// (docs/protocols.md, Worker). Ends when the socket closes.
namespace {

using namespace tritonsmith;

int64_t machine_bytes() {
    return int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE);
}

/// ATen's own temporaries are not counted by the executor: the kernel refuses them beyond this.
void limit_memory(int64_t bytes) {
    rlimit limit{static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
    ::setrlimit(RLIMIT_DATA, &limit);
    rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
}

int serve(int socket, run::WorkerState& state) {
    for (;;) {
        Frame frame;
        FrameError error = receive_frame(socket, frame, std::nullopt);
        if (error != FrameError::none) return error == FrameError::closed ? 0 : 3;
        std::vector<Fd> files;
        Json answer = run::answer(frame.message, frame.descriptors, state, files);
        std::vector<int> descriptors;
        for (const Fd& file : files) descriptors.push_back(file.get());
        send_frame(socket, answer, descriptors);
    }
}

}  // namespace

int main(int argc, char** argv) {
    int socket = -1;
    // Shrunk tasks need little; several workers run beside each other.
    int64_t memory = std::max<int64_t>(machine_bytes() / 4, int64_t{1} << 30);
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::strcmp(argv[i], "--fd") == 0)
            socket = std::stoi(argv[i + 1]);
        else if (std::strcmp(argv[i], "--memory") == 0)
            memory = std::stoll(argv[i + 1]);
    }
    if (socket < 0 || argc % 2 == 0) {
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
        return serve(socket, state);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tritonsmith-worker: %s\n", error.what());
        return 3;
    }
}
