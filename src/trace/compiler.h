#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "plan/ir/plan.h"
#include "trace/compile_budget.h"
#include "trace/tracer.h"

namespace tritonsmith::trace {

struct Compiled {
    std::string name;
    int num_warps = 0;   ///< of the compiled kernel: warp specialisation adds some
    int registers = 0;   ///< of a thread
    int spills = 0;      ///< 32-bit words that a thread stores to local memory for lack of registers
    int64_t shared = 0;  ///< bytes of a block
    bool reorders =
        false;  ///< a reshape that may reorder elements does, other than for a reduction of them all
    int64_t global_scratch_size = 0, global_scratch_align = 1;
    Json tensordesc_meta;  ///< Triton's, one entry for each tensor descriptor argument
    std::vector<uint8_t> cubin;
};

/// Memory operations in loops of the compiled kernel: number of the operation, loop, rounds ahead, place in
/// the loop (ttir/analysis/issue_order.h).
using IssueOrder = std::vector<std::array<int, 4>>;

/// Client of the compiler service: TTIR text (re-printed by us) → cubin for a target, without a GPU. Results
/// are kept in `cache_dir` by content hash (text, target, options, versions); an empty `cache_dir` keeps
/// nothing. Thread-safe.
class Compiler {
  public:
    Compiler(TracerOptions options, std::string cache_dir);
    virtual ~Compiler();
    /// @param options num_warps, num_ctas, num_stages, maxnreg, enable_fp_fusion, launch_cooperative_grid;
    /// others fail. @param budget of the candidate, where it has one. Finding: compile_failed,
    /// out_of_resources, compile_timeout. @throws MachineError if the service cannot be started.
    virtual std::variant<Compiled, Finding> compile(const std::string& ttir, const std::string& target,
                                                    const std::map<std::string, plan::Value>& options,
                                                    CompileBudget* budget = nullptr);

    /// Where the kernel issues the memory operations of its loops, once compiled for the target: its TTGIR is
    /// read.
    /// @param ttir with_numbered_locations, printed. The same findings.
    virtual std::variant<IssueOrder, Finding> issue_order(const std::string& ttir, const std::string& target,
                                                          const std::map<std::string, plan::Value>& options,
                                                          CompileBudget* budget = nullptr);

  protected:
    Compiler();  ///< for tests: without a process

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tritonsmith::trace
