#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "numerics/precision.h"
#include "trace/tracer.h"

namespace tritonsmith::judge {

struct BaselineTask {
    std::string source, filename, entry = "Model";
    std::map<std::string, int64_t> constants;  ///< overrides of the task's integers (plan::Plan::constants)
    std::string device = "cuda:0";             ///< or "cpu"
    std::vector<numerics::Precision> precisions{numerics::Precision::defaults};
    std::string mode = "default";  ///< torch.compile's
};
struct OpenedBaseline {
    bool graph = false;  ///< calls are replayed as CUDA graphs
    double seconds = 0;  ///< compilation, warm-up and capture
};
struct BaselineError {
    /// compile_failed, out_of_memory, task_error; deadline_exceeded (the process was killed), process_died
    std::string reason;
    std::string message;
};

/// The reference under torch.compile, in a Python process of its own
/// (python/tritonsmith/services/baseline.py), which is started when first needed and again after it died.
/// Holds one task at a time. Not thread-safe.
class CompiledBaseline {
  public:
    explicit CompiledBaseline(trace::TracerOptions options);
    ~CompiledBaseline();

    /// Compiles the task and gets it ready for timing; a task that was open is closed. @throws MachineError
    /// if the process cannot be started.
    std::variant<OpenedBaseline, BaselineError> open(
        const BaselineTask& task, std::chrono::milliseconds deadline = std::chrono::seconds(120));
    /// Times of calls of the open task, in ms: at most `samples`, fewer where they take longer than `budget`.
    /// @param precision one of those that the task was opened with
    std::variant<std::vector<double>, BaselineError> time(
        int samples, std::chrono::milliseconds budget,
        numerics::Precision precision = numerics::Precision::defaults);
    /// Frees the device's memory.
    void close();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tritonsmith::judge
