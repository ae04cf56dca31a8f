#include "run/client/worker_process.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <thread>
#include <utility>

#include "run/client/build_id.h"

namespace tritonsmith::run {
namespace {

constexpr int kChildSocket = 3;
/// The exit status of the loader where a library is missing, as of shells where there is no such program.
constexpr int kCannotStart = 127;

WorkerError death_of(pid_t pid, const std::string& program) {
    auto died = [](const std::string& how) {
        return WorkerError{"worker_died", "the worker died while it ran the plan (" + how + ")"};
    };
    int status = 0;
    rusage used{};
    // The socket closed, so the end is near; but do not wait for a worker that only closed its socket.
    for (int i = 0; i < 200; ++i) {
        if (::wait4(pid, &status, WNOHANG, &used) == pid) {
            if (WIFEXITED(status) && WEXITSTATUS(status) == kOtherBuild)
                throw MachineError("the worker '" + program +
                                   "' is of another build than the program that started it: build both "
                                   "(ninja program)");
            if (WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == kCannotStart))
                throw MachineError(
                    "the worker '" + program +
                    "' cannot start (a library is missing, or it may not be run): see its message "
                    "above");
            if (!WIFSIGNALED(status)) return died("exit status " + std::to_string(WEXITSTATUS(status)));
            WorkerError error = died("signal " + std::to_string(WTERMSIG(status)));
            error.death = {WTERMSIG(status), int64_t{used.ru_maxrss} * 1024};
            return error;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    kill_and_reap(pid);
    return died("it closed its socket");
}

}  // namespace

std::vector<Finding> findings_from(const Json& list) {
    std::vector<Finding> out;
    for (const Json& json : list)
        out.push_back({json.at("reason").get<std::string>(), json.at("message").get<std::string>(),
                       json.at("line").get<int>(), json.at("evidence"),
                       json.at("output").get<std::string>()});
    return out;
}

Json findings_json(const std::vector<Finding>& findings) {
    Json out = Json::array();
    for (const Finding& finding : findings)
        out.push_back({{"reason", finding.reason},
                       {"message", finding.message},
                       {"line", finding.line},
                       {"evidence", finding.evidence},
                       {"output", finding.output}});
    return out;
}

WorkerProcess::WorkerProcess(std::string program, std::vector<std::string> arguments)
    : program_(std::move(program)), arguments_(std::move(arguments)) {
    start();
}

WorkerProcess::~WorkerProcess() {
    stop();
}

void WorkerProcess::start() {
    SocketPair pair = socket_pair();
    Spawn what;
    what.argv = {program_, "--fd", std::to_string(kChildSocket), "--build", build_id()};
    what.argv.insert(what.argv.end(), arguments_.begin(), arguments_.end());
    // Threads that wait sleep: cores are shared with other workers. Freed memory stays for the next tensor:
    // new pages cost more than the arithmetic on them.
    what.environment = {
        {"OMP_WAIT_POLICY", "passive"},
        {"GOMP_SPINCOUNT", "0"},
        {"LC_ALL", "C"},
        {"GLIBC_TUNABLES",
         "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=33554432:"
         "glibc.malloc.trim_threshold=1073741824:glibc.malloc.top_pad=16777216"},
    };
    what.descriptors = {{pair.theirs.get(), kChildSocket}};
    pid_ = spawn(what);
    socket_ = std::move(pair.ours);
    ++generation_;
}

void WorkerProcess::stop() {
    socket_.reset();
    if (pid_ > 0) kill_and_reap(pid_);
    pid_ = -1;
}

void WorkerProcess::revive() {
    int status = 0;
    if (pid_ > 0 && ::waitpid(pid_, &status, WNOHANG) != pid_) return;
    pid_ = -1;
    start();
}

WorkerError WorkerProcess::restart(std::string reason, std::string message) {
    stop();
    start();
    return {std::move(reason), std::move(message)};
}

std::optional<WorkerError> WorkerProcess::exchange(const Json& request, const std::vector<int>& descriptors,
                                                   double seconds, Frame& frame) {
    if (pid_ < 0) start();
    const Deadline deadline = Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
    FrameError error = FrameError::closed;
    try {
        send_frame(socket_.get(), request, descriptors);
        error = receive_frame(socket_.get(), frame, deadline);
    } catch (const MachineError&) {
        // The peer is gone: reported below.
    }
    if (error == FrameError::closed) {
        const WorkerError death = death_of(std::exchange(pid_, -1), program_);
        start();
        return death;
    }
    if (error == FrameError::timeout)
        return restart("deadline_exceeded", "the plan ran longer than " + std::to_string(seconds) + " s");
    if (error != FrameError::none) return restart("worker_died", "the worker broke the protocol");
    try {
        const Json& answer = frame.message;
        if (answer.at("ok").get<bool>()) return std::nullopt;
        WorkerError refused{answer.at("reason").get<std::string>(), answer.at("message").get<std::string>(),
                            answer.value("step", -1), answer.value("line", 0)};
        if (answer.value("lost", false)) return restart(refused.reason, refused.message);
        return refused;
    } catch (const Json::exception& wrong) {
        return restart("worker_died", std::string("the worker broke the protocol: ") + wrong.what());
    }
}

}  // namespace tritonsmith::run
