#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "plan/plan.h"
#include "trace/tracer.h"

namespace tritonsmith::trace {

struct Compiled {
    std::string name;
    int num_warps = 0, registers = 0, spills = 0;
    int64_t shared = 0, global_scratch_size = 0, global_scratch_align = 1;
    Json tensordesc_meta;
    std::vector<uint8_t> cubin;
};

/// Client of the compiler service: TTIR text (re-printed by us) → cubin for a target, without a GPU. Results are kept in `cache_dir` by
/// content hash (text, target, options, versions). Thread-safe.
class Compiler {
  public:
    Compiler(TracerOptions options, std::string cache_dir);
    ~Compiler();
    /// Finding: compile_failed, out_of_resources, compile_timeout. @throws MachineError if the service cannot be started.
    std::variant<Compiled, Finding> compile(const std::string& ttir, const std::string& target,
                                            const std::map<std::string, plan::Value>& options);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tritonsmith::trace
