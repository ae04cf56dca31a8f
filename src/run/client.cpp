#include "run/client.h"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "base/process.h"
#include "plan/json.h"

namespace tritonsmith::run {
namespace {

constexpr int kChildSocket = 3;
constexpr double kGrace =
    10;  ///< seconds that the worker has to report a deadline of its own before it is killed

std::vector<Finding> findings_from(const Json& list) {
    std::vector<Finding> out;
    for (const Json& json : list)
        out.push_back({json.at("reason").get<std::string>(), json.at("message").get<std::string>(),
                       json.at("line").get<int>(), json.at("evidence")});
    return out;
}

ReferenceResult reference_from(const Json& answer, std::vector<Fd>& files,
                               const std::vector<std::string>& want) {
    ReferenceResult result;
    if (files.size() != want.size())
        throw InputError("the worker sent another number of packs than it was asked for");
    for (size_t i = 0; i < want.size(); ++i) {
        Pack pack(files[i].release(), answer.at("packs").at(want[i]));
        if (want[i] == "inputs") result.inputs = std::move(pack);
        if (want[i] == "native") result.native = std::move(pack);
        if (want[i] == "f64") result.f64 = std::move(pack);
        if (want[i] == "absolute") result.absolute = std::move(pack);
    }
    result.longest_reduction = answer.at("longest_reduction").get<int64_t>();
    result.finite = answer.at("finite").get<bool>();
    result.random = answer.at("random").get<bool>();
    result.mutated = answer.at("mutated").get<std::vector<std::string>>();
    result.rounding = answer.at("rounding").get<std::vector<std::string>>();
    result.seconds = answer.at("seconds").get<double>();
    return result;
}

CandidateResult candidate_from(const Json& answer, std::vector<Fd>& files) {
    CandidateResult result;
    if (files.size() != 1) throw InputError("the worker sent no pack of outputs");
    result.outputs = Pack(files[0].release(), answer.at("packs").at("outputs"));
    result.findings = findings_from(answer.at("findings"));
    result.warnings = findings_from(answer.at("warnings"));
    result.mutated = answer.at("mutated").get<std::vector<std::string>>();
    result.prints = answer.at("prints").get<std::vector<std::string>>();
    for (const Json& json : answer.at("launches"))
        result.launches.push_back({json.at("kernel").get<std::string>(), json.at("programs").get<int64_t>(),
                                   json.at("bytes_read").get<int64_t>(),
                                   json.at("bytes_written").get<int64_t>(), json.at("flops").get<int64_t>(),
                                   json.at("seconds").get<double>(), json.at("line").get<int>(),
                                   json.at("waiting").get<int64_t>()});
    result.tf32 = answer.at("tf32").get<bool>();
    result.seconds = answer.at("seconds").get<double>();
    return result;
}

std::string how_it_ended(pid_t pid) {
    int status = 0;
    // The socket closed, so the end is near; but do not wait for a worker that only closed its socket.
    for (int i = 0; i < 200; ++i) {
        if (::waitpid(pid, &status, WNOHANG) == pid) {
            if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
            return "exit status " + std::to_string(WEXITSTATUS(status));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    kill_and_reap(pid);
    return "it closed its socket";
}

}  // namespace

struct Worker::Impl {
    std::string program;
    pid_t pid = -1;
    Fd socket;

    void start() {
        SocketPair pair = socket_pair();
        Spawn what;
        what.argv = {program, "--fd", std::to_string(kChildSocket)};
        // Threads that wait sleep: cores are shared with other workers. Freed memory stays for the next
        // tensor: new pages cost more than the arithmetic on them.
        what.environment = {
            {"OMP_WAIT_POLICY", "passive"},
            {"GOMP_SPINCOUNT", "0"},
            {"LC_ALL", "C"},
            {"GLIBC_TUNABLES",
             "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=33554432:"
             "glibc.malloc.trim_threshold=1073741824:glibc.malloc.top_pad=16777216"},
        };
        what.descriptors = {{pair.theirs.get(), kChildSocket}};
        pid = spawn(what);
        socket = std::move(pair.ours);
    }

    void stop() {
        socket.reset();
        if (pid > 0) kill_and_reap(pid);
        pid = -1;
    }

    WorkerError restart(std::string reason, std::string message) {
        stop();
        start();
        return {std::move(reason), std::move(message), -1, 0};
    }

    /// Sends a request and calls `read` on a good answer.
    template <class Result, class Read>
    std::variant<Result, WorkerError> ask(const Json& request, const std::vector<int>& descriptors,
                                          double seconds, Read read) {
        if (pid < 0) start();
        Deadline deadline = Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
        Frame frame;
        FrameError error = FrameError::closed;
        try {
            send_frame(socket.get(), request, descriptors);
            error = receive_frame(socket.get(), frame, deadline);
        } catch (const MachineError&) {
            // The peer is gone: told below.
        }
        if (error == FrameError::closed) {
            std::string end = how_it_ended(pid);
            pid = -1;
            return restart("worker_died", "the worker died while it ran the plan (" + end + ")");
        }
        if (error == FrameError::timeout)
            return restart("deadline_exceeded", "the plan ran longer than " + std::to_string(seconds) + " s");
        if (error != FrameError::none) return restart("worker_died", "the worker broke the protocol");
        try {
            const Json& answer = frame.message;
            if (answer.at("ok").get<bool>()) return read(answer, frame.descriptors);
            return WorkerError{answer.at("reason").get<std::string>(),
                               answer.at("message").get<std::string>(), answer.value("step", -1),
                               answer.value("line", 0)};
        } catch (const Json::exception& wrong) {
            return restart("worker_died", std::string("the worker broke the protocol: ") + wrong.what());
        } catch (const InputError& wrong) {
            return restart("worker_died", std::string("the worker broke the protocol: ") + wrong.what());
        }
    }
};

Worker::Worker(std::string program) : impl_(std::make_unique<Impl>()) {
    impl_->program = std::move(program);
    impl_->start();
}

Worker::~Worker() {
    if (impl_) impl_->stop();
}

std::variant<ReferenceResult, WorkerError> Worker::reference(const ReferenceRequest& request) {
    if (!request.plan) throw std::logic_error("a reference request needs a plan");
    int threads =
        request.threads > 0 ? request.threads : static_cast<int>(std::thread::hardware_concurrency());
    Json json{{"do", "reference"},
              {"plan", plan::to_json(*request.plan)},
              {"seed", request.seed},
              {"variant",
               {{"sign", request.variant.sign},
                {"scale", request.variant.scale},
                {"offset", request.variant.offset}}},
              {"redraw", request.redraw},
              {"threads", std::max(threads, 1)},
              {"want", request.want}};
    return impl_->ask<ReferenceResult>(json, {}, request.deadline_s,
                                       [&](const Json& answer, std::vector<Fd>& files) {
                                           return reference_from(answer, files, request.want);
                                       });
}

std::variant<CandidateResult, WorkerError> Worker::candidate(const CandidateRequest& request) {
    if (!request.plan || !request.inputs)
        throw std::logic_error("a candidate request needs a plan and inputs");
    Json json{{"do", "candidate"},
              {"plan", plan::to_json(*request.plan)},
              {"seed", request.seed},
              {"inputs", request.inputs->index()},
              {"links", request.links},
              {"choice", request.choice},
              {"threads", request.threads},
              {"checks", request.checks},
              {"full_size", request.full_size},
              {"disable_launch", request.disable_launch},
              {"calls", request.calls},
              {"deadline_s", request.deadline_s}};
    return impl_->ask<CandidateResult>(json, {request.inputs->fd()}, request.deadline_s + kGrace,
                                       candidate_from);
}

}  // namespace tritonsmith::run
