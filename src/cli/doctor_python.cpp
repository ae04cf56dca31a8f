#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "base/process/process.h"
#include "cli/doctor.h"

namespace tritonsmith::cli {
namespace {

constexpr auto kImportDeadline =
    std::chrono::seconds(120);  // a first import of torch from a cold disk is slow

/// Prints one frame (docs/protocols.md). torch and triton are imported for real: a broken wheel shows only
/// then.
constexpr const char* kProbe = R"(
import importlib, json, os, struct, subprocess, sys, sysconfig
out = {"python": sys.version.split()[0], "headers": os.path.exists(sysconfig.get_path("include") + "/Python.h")}
for name in ("torch", "triton", "numpy", "einops"):
    try:
        out[name] = importlib.import_module(name).__version__
    except BaseException as error:
        out[name + "_error"] = f"{type(error).__name__}: {error}".split("\n")[0]
try:
    import triton.backends.nvidia as nvidia
    ptxas = os.path.join(os.path.dirname(nvidia.__file__), "bin", "ptxas")
    said = subprocess.run([ptxas, "--version"], capture_output=True, text=True, timeout=30).stdout
    out["ptxas"] = said.split("release ")[1].split(",")[0]
    out["ptxas_path"] = ptxas
except BaseException as error:
    out["ptxas_error"] = f"{type(error).__name__}: {error}".split("\n")[0]
body = json.dumps(out).encode()
os.write(3, struct.pack("<I", len(body)) + body)
)";

constexpr const char* kFixAll = "run ./tritonsmith from the project's root: it sets them up";

std::string inherited(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

/// What the interpreter says about itself, or null and why.
Json probe_python(const std::string& python, std::string& why) try {
    Pipe pipe = make_pipe();
    Fd quiet = memory_file("doctor-stderr", 0);
    Spawn what;
    what.argv = {python, "-I", "-c", kProbe};
    what.environment = {{"PATH", inherited("PATH")}, {"HOME", inherited("HOME")}};
    if (std::string path = inherited("LD_LIBRARY_PATH"); !path.empty())
        what.environment["LD_LIBRARY_PATH"] = path;
    what.descriptors = {{pipe.write.get(), 3}};
    pid_t pid = spawn(what);
    pipe.write.reset();
    Frame frame;
    FrameError error = receive_frame(pipe.read.get(), frame, Clock::now() + kImportDeadline, 1 << 16);
    kill_and_reap(pid);
    if (error == FrameError::none) return frame.message;
    why = error == FrameError::timeout ? "does not answer" : "ends without an answer";
    return nullptr;
} catch (const MachineError& error) {
    why = error.what();
    return nullptr;
}

Check library(const Json& said, const std::string& name, const std::string& wanted, bool needed) {
    Check check{name};
    check.details = {{"wanted", wanted}};
    std::string found = said.value(name, "");
    if (found.empty()) {
        check.state = needed ? State::missing : State::note;
        check.text = said.value(name + "_error", "absent");
    } else {
        check.text = found;
        check.details["version"] = found;
        // 2.11.0+cu130 is 2.11.0
        if (!wanted.empty() && found.substr(0, found.find('+')) != wanted) {
            check.state = State::missing;
            check.text += ", but " + wanted + " is needed";
        }
    }
    if (check.state != State::good) check.fix = kFixAll;
    return check;
}

/// numpy is not needed for judging; newer ones break Triton's interpreter, which tests compare with.
Check numpy(const Json& said) {
    Check check = library(said, "numpy", "", false);
    int major = 0, minor = 0;
    if (check.state != State::good || std::sscanf(check.text.c_str(), "%d.%d", &major, &minor) != 2)
        return check;
    if (major > 2 || (major == 2 && minor >= 4)) {
        check.state = State::note;
        check.fix =
            "install numpy<2.4 to have our interpreter compared with Triton's in the tests; judging does not "
            "need it";
    }
    return check;
}

}  // namespace

std::vector<Check> check_python(const std::string& python) {
    Check interpreter{"python"};
    std::string why;
    Json said = probe_python(python, why);
    if (said.is_null()) {
        interpreter.state = State::missing;
        interpreter.text = python + ": " + why;
        interpreter.fix = std::string(kFixAll) + "; or name an interpreter with TRITONSMITH_PYTHON";
        return {interpreter};
    }
    interpreter.text = said.value("python", "") + " at " + python;
    interpreter.details = {
        {"version", said.value("python", "")}, {"path", python}, {"headers", said.value("headers", false)}};
    return {interpreter,
            library(said, "torch", TRITONSMITH_TORCH, true),
            library(said, "triton", TRITONSMITH_TRITON, true),
            numpy(said),
            library(said, "einops", "", false),
            library(said, "ptxas", "", true)};
}

}  // namespace tritonsmith::cli
