#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <variant>

#include "base/error.h"
#include "base/process/process.h"
#include "trace/tracer.h"

namespace tritonsmith::judge {

/// What one child may take.
struct FileLimits {
    std::chrono::milliseconds deadline{60000};  ///< on the clock
    int64_t memory_bytes = int64_t{24} << 30;   ///< of the host
    int64_t output_bytes = 0;                   ///< room for the tensors that it gives back
};

/// What a child said. It is not believed.
struct FileAnswer {
    Json json;   ///< an object
    Fd outputs;  ///< the memory file of its tensors; the child is gone
};

/// The Python process that runs programs for real, each in a sandboxed child of its own
/// (python/tritonsmith/services/as_written.py). Started when first needed. Thread-safe.
class FileProcess {
  public:
    explicit FileProcess(trace::TracerOptions options);
    ~FileProcess();

    /// @param request of docs/protocols.md, less what this class knows @param given descriptor of the inputs'
    /// pack
    /// @return how the child ended, by a trace's reason, where it gave no whole answer
    /// @throws MachineError if the process cannot be started
    std::variant<FileAnswer, Finding> ask(const Json& request, int given, const FileLimits& limits);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tritonsmith::judge
