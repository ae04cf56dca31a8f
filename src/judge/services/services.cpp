#include "judge/services/services.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/process/process.h"

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
    paths.package = existing(
        from_environment("TRITONSMITH_PACKAGE", (program / "../package").lexically_normal().string()),
        "the Python package");
    paths.worker = existing((program / "tritonsmith-worker").string(), "the worker program");
    paths.gpu_worker = (program / "tritonsmith-gpu-worker").string();
    const std::string home = from_environment("HOME", "/tmp");
    paths.cache = from_environment("TRITONSMITH_CACHE",
                                   from_environment("XDG_CACHE_HOME", home + "/.cache") + "/tritonsmith");
    return paths;
}

namespace {
trace::TracerOptions tracer_options(const Paths& paths) {
    trace::TracerOptions options;
    options.python = paths.python;
    options.package_dir = paths.package;
    options.sandbox = paths.sandbox;
    return options;
}
}  // namespace

Services::Services(const Paths& paths)
    : Services(paths, std::make_unique<trace::Tracer>(tracer_options(paths)),
               std::make_unique<trace::Compiler>(tracer_options(paths), paths.cache + "/kernels")) {}

Services::Services(const Paths& paths, std::unique_ptr<trace::Tracer> traces,
                   std::unique_ptr<trace::Compiler> compiles)
    : tracer(std::move(traces)),
      compiler(std::move(compiles)),
      reference_workers(paths.worker),
      candidate_workers(paths.worker),
      as_written(tracer_options(paths)),
      compiled(tracer_options(paths)) {
    if (paths.device == "emulated")
        device = std::make_unique<DeviceServices>(paths.worker, "cpu");
    else if (!paths.device.empty())
        device = std::make_unique<DeviceServices>(existing(paths.gpu_worker, "the GPU worker"), paths.device,
                                                  paths.sandbox);
}

}  // namespace tritonsmith::judge
