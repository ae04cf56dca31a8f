#include "judge/services.h"

#include <cstdlib>
#include <filesystem>

#include "base/process.h"

namespace tritonsmith::judge {

namespace fs = std::filesystem;

namespace {

std::string from_environment(const char* name, const std::string& otherwise) {
    const char* value = std::getenv(name);
    return value && *value ? value : otherwise;
}

std::string existing(const std::string& path, const std::string& what) {
    if (!fs::exists(path))
        throw MachineError(what + " is missing at " + path + ": run ./tritonsmith once to set it up");
    return path;
}

}  // namespace

Paths find_paths() {
    Paths paths;
    const fs::path program = program_folder();
    paths.python = existing(from_environment("TRITONSMITH_PYTHON", TRITONSMITH_DEFAULT_PYTHON),
                            "the Python interpreter");
    paths.package =
        existing(from_environment("TRITONSMITH_PACKAGE", TRITONSMITH_DEFAULT_PACKAGE), "the Python package");
    paths.worker = existing((program / "tritonsmith-worker").string(), "the worker program");
    const std::string home = from_environment("HOME", "/tmp");
    paths.cache = from_environment("TRITONSMITH_CACHE",
                                   from_environment("XDG_CACHE_HOME", home + "/.cache") + "/tritonsmith");
    return paths;
}

Services::Services(const Paths& paths)
    : tracer({paths.python, paths.package}),
      compiler({paths.python, paths.package}, paths.cache + "/kernels"),
      reference_worker(paths.worker),
      candidate_worker(paths.worker) {}

}  // namespace tritonsmith::judge
