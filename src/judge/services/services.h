#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "judge/services/as_written.h"
#include "judge/services/compiled_baseline.h"
#include "judge/services/device_services.h"
#include "judge/services/processor_places.h"
#include "judge/services/worker_pool.h"
#include "trace/compiler.h"
#include "trace/tracer.h"

namespace tritonsmith::judge {

/// Where the judge's other programs live. Environment: TRITONSMITH_PYTHON, TRITONSMITH_CACHE.
struct Paths {
    std::string python;      ///< interpreter with torch and triton
    std::string package;     ///< folder of the tritonsmith Python package
    std::string worker;      ///< tritonsmith-worker
    std::string gpu_worker;  ///< tritonsmith-gpu-worker
    /// Where plans run at full size: "cuda:0"; "emulated": on the CPU, for tests; empty: nowhere
    std::string device;
    bool sandbox = true;  ///< false: candidates are traced unconfined (--unsafe-no-sandbox)
    std::string cache;    ///< compiled kernels and verdicts; default: $XDG_CACHE_HOME/tritonsmith
};
/// @throws MachineError naming what is missing and the fix.
Paths find_paths();

/// The judge's helper processes, thread-safe. References and candidates run in different workers: no process
/// that runs a candidate's kernels ever holds expected outputs.
struct Services {
    explicit Services(const Paths& paths);
    /// With another tracer and compiler, in tests.
    Services(const Paths& paths, std::unique_ptr<trace::Tracer> tracer,
             std::unique_ptr<trace::Compiler> compiler);
    std::unique_ptr<trace::Tracer> tracer;
    std::unique_ptr<trace::Compiler> compiler;
    WorkerPool reference_workers;
    WorkerPool candidate_workers;
    std::unique_ptr<DeviceServices> device;  ///< null where there is none
    AsWritten as_written;
    ProcessorPlaces processors;
    std::mutex compiled_mutex;
    CompiledBaseline compiled;  ///< under the mutex
    std::string compiled_task;  ///< which task it holds
};

}  // namespace tritonsmith::judge
