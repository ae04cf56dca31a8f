#include <cstdlib>

#include "base/process/process.h"
#include "cli/doctor.h"
#include "cuda/device_info.h"

namespace tritonsmith::cli {
namespace {

constexpr auto kProbeDeadline =
    std::chrono::seconds(300);  // several attempts, each of which starts the driver

/// What tritonsmith-gpu-probe answers. @throws MachineError
Json probe_gpu() {
    SocketPair pair = socket_pair();
    Spawn what;
    what.argv = {program_folder() + "/tritonsmith-gpu-probe", "--fd", "3"};
    for (const char* name : {"PATH", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"}) {
        if (const char* value = std::getenv(name)) what.environment[name] = value;
    }
    what.descriptors = {{pair.theirs.get(), 3}};
    const pid_t pid = spawn(what);
    pair.theirs.reset();
    Frame frame;
    const FrameError error = receive_frame(pair.ours.get(), frame, Clock::now() + kProbeDeadline, 1 << 22);
    kill_and_reap(pid);
    if (error != FrameError::none)
        throw MachineError(error == FrameError::timeout ? "the probe does not answer"
                                                        : "the probe ends without an answer");
    return frame.message;
}

/// "cuInit: CUDA_ERROR_…" of the first attempt's first step that failed.
std::string failure(const Json& attempt) {
    for (const char* side : {"export", "import"}) {
        const Json& process = attempt.at(side);
        if (process.contains("died")) return "the process died " + process["died"].get<std::string>();
        for (const auto& [step, said] : process.at("steps").items()) {
            if (said != "ok") return step + ": " + said.get<std::string>();
        }
    }
    return "no step failed";
}

/// What a process may do that can use the GPU, to say what is in the way.
std::string first_that_worked(const Json& attempts) {
    for (const Json& attempt : attempts) {
        if (attempt.at("ok") == true) return attempt.at("sandbox").get<std::string>();
    }
    return {};
}

}  // namespace

std::optional<Check> check_gpu_sandbox() {
    Check check{"gpu_sandbox"};
    try {
        if (cuda::devices().empty()) return std::nullopt;
        const Json answer = probe_gpu();
        check.details = answer;
        if (answer.at("ok") == true) {
            check.text = "ok: a sandboxed process can use the GPU and share its memory";
            return check;
        }
        const Json& attempts = answer.at("attempts");
        const std::string worked = first_that_worked(attempts);
        check.text = "a sandboxed process cannot use the GPU: " + failure(attempts.at(0));
        check.fix = worked.empty()
                        ? "nor can one outside of the sandbox: see to the driver first"
                        : "it can with the guard '" + worked + "': see tritonsmith-gpu-probe --all";
    } catch (const std::exception& error) {
        check.text = error.what();
    }
    check.state = State::note;
    return check;
}

}  // namespace tritonsmith::cli
