#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/json.h"
#include "base/process/process.h"
#include "cuda/probe.h"

/// tritonsmith-gpu-probe [--all | --fd SOCKET]: can sandboxed processes use the GPU, and share its memory?
/// Prints one line of JSON: {"ok":true,"attempts":[{"sandbox":"gpu","ok":true,"export":{…},"import":{…}}]},
/// where a failed attempt is followed by others with less of a sandbox, down to none, which tell what is in
/// the way; --all makes all of them. Exit code 0 where the sandbox is no obstacle and the GPU works, else 1.
namespace {

using namespace tritonsmith;

constexpr int kPeer = 3, kParent = 4;  // descriptors of the children
constexpr int kSecondsOfAChild = 90;

std::map<std::string, std::string> environment() {
    std::map<std::string, std::string> result;
    for (const char* name : {"PATH", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_MODULE_LOADING",
                             "CUDA_CACHE_DISABLE", "NVIDIA_VISIBLE_DEVICES"}) {
        if (const char* value = std::getenv(name)) result[name] = value;
    }
    return result;
}

struct Child {
    pid_t pid = -1;
    Fd answer;
};

Child start(const std::string& guard, const char* role, int peer) {
    SocketPair answer = socket_pair();
    Spawn spawning;
    spawning.argv = {std::filesystem::read_symlink("/proc/self/exe").string(), "--child", guard, role};
    spawning.environment = environment();
    spawning.descriptors = {{peer, kPeer}, {answer.theirs.get(), kParent}};
    return {spawn(spawning), std::move(answer.ours)};
}

Json finish(Child& child) {
    Frame frame;
    const Deadline deadline = Clock::now() + std::chrono::seconds(kSecondsOfAChild);
    const FrameError error = receive_frame(child.answer.get(), frame, deadline, 1 << 20);
    if (error == FrameError::none) {
        kill_and_reap(child.pid);
        return frame.message;
    }
    Json died = {{"ok", false}};
    if (error == FrameError::timeout) {
        died["died"] = "gave no answer in time";
        kill_and_reap(child.pid);
        return died;
    }
    int status = 0;
    ::waitpid(child.pid, &status, 0);
    died["died"] = WIFSIGNALED(status) ? std::string("by signal ") + std::to_string(WTERMSIG(status))
                                       : "with exit code " + std::to_string(WEXITSTATUS(status));
    return died;
}

Json attempt(const std::string& guard) {
    SocketPair between = socket_pair();
    Child exporter = start(guard, "export", between.ours.get());
    Child importer = start(guard, "import", between.theirs.get());
    between = {};  // so that each sees when the other is gone
    Json exported = finish(exporter), imported = finish(importer);
    const bool ok = exported.value("ok", false) && imported.value("ok", false);
    return {{"sandbox", guard}, {"ok", ok}, {"export", std::move(exported)}, {"import", std::move(imported)}};
}

int child(const char* guard, const char* role) {
    cuda::ProbeGuard options;
    options.name = guard;
    options.exporter = std::strcmp(role, "export") == 0;
    options.peer = kPeer;
    options.parent = kParent;
    send_frame(kParent, cuda::probe(options));
    return 0;
}

Json attempts(bool all) {
    Json answer = {{"ok", false}, {"attempts", Json::array()}};
    for (const char* guard : {"gpu", "report", "shm", "no_landlock", "none"}) {
        answer["attempts"].push_back(attempt(guard));
        if (answer["attempts"].size() == 1) answer["ok"] = answer["attempts"][0]["ok"];
        if (answer["ok"] == true && !all) break;
    }
    return answer;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc == 4 && std::strcmp(argv[1], "--child") == 0) return child(argv[2], argv[3]);
        const bool all = argc == 2 && std::strcmp(argv[1], "--all") == 0;
        const bool framed = argc == 3 && std::strcmp(argv[1], "--fd") == 0;
        if (argc > 1 && !all && !framed) {
            std::fprintf(stderr, "usage: tritonsmith-gpu-probe [--all | --fd SOCKET]\n");
            return 2;
        }
        const Json answer = attempts(all);
        if (framed)
            send_frame(std::atoi(argv[2]), answer);
        else
            std::printf("%s\n", dump(answer).c_str());
        return answer["ok"] == true ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tritonsmith-gpu-probe: %s\n", error.what());
        return 3;
    }
}
