#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "ttir/analysis/issue_order.h"
#include "ttir/interp/memory/memory.h"
#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

struct PointerArgument {
    Buffer* buffer = nullptr;
    int64_t offset = 0;
};  ///< offset in bytes
/// Host-made tensor descriptor; shape and stride in elements.
struct DescriptorArgument {
    PointerArgument base;
    std::vector<int64_t> shape, stride, block;
    bool nan_padding = false;
};
/// One for each parameter of the entry function. Integers and floats are converted to the parameter's type.
using Argument = std::variant<PointerArgument, DescriptorArgument, int64_t, double>;

struct LaunchOptions {
    uint64_t seed = 0;  ///< order in which programs run
    int threads = 1;
    bool checks = true;  ///< races, initialisation, promises (bounds are always checked)
    std::optional<std::vector<int64_t>> sample;  ///< run only these programs (linear index x + gx*(y + gy*z))
    /// Sampled runs after other sampled launches: unwritten memory is unknown and not an error.
    bool unknown_memory = false;
    std::optional<std::chrono::steady_clock::time_point> deadline;
    int64_t max_operations_per_program = int64_t{1} << 33;  ///< runaway loops
    /// Looked at as the deadline is: set by another thread, it ends the launch, which reports timed_out.
    const std::atomic<bool>* cancelled = nullptr;
    std::atomic<int64_t>* finished = nullptr;  ///< counts the programs that have ended, as they do
    /// Tensor descriptors obey the hardware's rule: base and strides in multiples of 16 bytes (CUDA driver
    /// API, cuTensorMapEncodeTiled), the last stride one element. Else misaligned_access.
    bool aligned_descriptors = false;
    /// Values are made what was promised of them (tl.max_contiguous, tl.max_constancy), as the compiler takes
    /// them; loads that this sends out of bounds give zeros. Where a promise is broken in lanes that count,
    /// the answer changes; else launches only warn of such lanes (broken_promise).
    bool keep_promises = false;
    int num_warps = 4;  ///< of the kernel; in one warp all lanes go together, and cannot race
    /// So many programs run side by side, started in the order of their index, as on a device; a launch ends
    /// early when as many have ended. 0: any number, in random order.
    int64_t resident = 0;
    /// Integers may become pointers, also those that lie in memory as pointers.
    bool allow_int_to_ptr = false;
    /// Buffers beside the arguments' that such addresses may lie in.
    std::vector<Buffer*> reachable;
    std::string
        source;  ///< file whose lines findings name; empty: the innermost frame outside Triton's own library
};

struct LaunchReport {
    std::vector<Finding>
        findings;  ///< out_of_bounds, uninitialised_read, race, false_promise, shift_out_of_range,
                   ///< address_overflow, device_assert, int_to_ptr, inline_asm; first of each kind
    std::vector<Finding> warnings;    ///< masked load without other used, equal-value plain writes ...
    std::vector<std::string> prints;  ///< device_print, at most 100
    int64_t programs = 0;
    int64_t bytes_read = 0, bytes_written = 0;  ///< requested by unmasked lanes
    int64_t flops = 0;                          ///< arithmetic on floating values; a dot counts 2·M·N·K
    bool timed_out = false;                     ///< deadline or max_operations reached, or cancelled
    int64_t waiting = 0;  ///< the most programs that were set aside at one time, to wait for others
    /// All `resident` programs wait, and the others cannot start: the launch never ends.
    bool stuck = false;
    bool tf32 = false;        ///< a dot on float32 operands ran in TF32
    std::string unsupported;  ///< not empty: an operation that the interpreter does not have
};

/// A kernel made ready to run many times: values laid out, operations resolved to typed routines. Immutable,
/// thread-safe.
class Program {
  public:
    /// @throws ParseError-free: the module was checked by parse(). An unknown operation is reported at
    /// launch, when reached.
    /// @param issued where the compiled kernel issues memory operations of loops: a load that comes before a
    /// store whose value it finds here is stale_pipelined_load. Empty: in the order of the text.
    explicit Program(std::shared_ptr<const Module> module, const IssueOrder& issued = {});
    ~Program();

    /// Runs the grid on the CPU, programs in random order over `threads` threads. Stops at the first finding
    /// of a kind that makes continuing meaningless. Reads and writes the buffers of the arguments.
    LaunchReport launch(const std::array<int64_t, 3>& grid, const std::vector<Argument>& arguments,
                        const LaunchOptions& options) const;

  private:
    struct Impl;
    std::unique_ptr<const Impl> impl_;
};

}  // namespace tritonsmith::ttir
