#pragma once

#include <cuda.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "cuda/parameters.h"

namespace tritonsmith::cuda {

/// What a compile gives and a launch needs (trace::Compiled without what only people read).
struct CompiledKernel {
    std::string name;
    int num_warps = 4, num_ctas = 1;  ///< num_warps as compiled: warp specialisation adds some
    bool cooperative = false;         ///< launch_cooperative_grid
    int64_t shared = 0;               ///< bytes of a block
    int64_t global_scratch_size = 0, global_scratch_align = 1;  ///< bytes for each CTA
    Json tensordesc_meta;
    std::vector<uint8_t> cubin;
};

/// The kernel does not fit this device: shared memory, threads of a block. Triton's OutOfResources.
class OutOfResources : public InputError {
  public:
    using InputError::InputError;
};

using Grid = std::array<int64_t, 3>;

/// A compiled kernel, loaded into the context that is current when it is made, which must outlive it. Must
/// not be made while a stream of this thread is being captured; launching then is fine. Not thread-safe.
class Kernel {
  public:
    /// @throws OutOfResources, InputError (no cubin), Error
    explicit Kernel(const CompiledKernel& compiled);
    ~Kernel();
    Kernel(Kernel&& other) noexcept;
    Kernel(const Kernel&) = delete;
    Kernel& operator=(Kernel&&) = delete;

    /// Enqueues one launch as Triton 3.6's launcher does; an empty grid launches nothing. The parameters are
    /// copied before it returns.
    /// @param global_scratch device address of scratch_bytes(grid) bytes aligned to scratch_align(), or 0.
    /// @throws InputError (a grid beyond the device's limits, parameters that are not the kernel's), Error
    void launch(Grid grid, Parameters& parameters, CUstream stream, uint64_t global_scratch) const;

    /// Bytes of global scratch that one launch needs. @throws InputError where they are uncountable
    int64_t scratch_bytes(Grid grid) const;
    int64_t scratch_align() const { return scratch_align_; }
    const std::string& name() const { return name_; }
    int registers() const { return registers_; }

  private:
    void fit(const CompiledKernel& compiled);
    void compare(const Parameters& parameters) const;

    std::string name_;
    unsigned num_warps_, num_ctas_;
    bool cooperative_;
    unsigned shared_;
    int64_t scratch_size_, scratch_align_;
    CUmodule module_ = nullptr;
    CUfunction function_ = nullptr;
    int registers_ = 0;
    std::vector<size_t> parameter_sizes_;  ///< the cubin's own; empty where the driver does not tell
};

}  // namespace tritonsmith::cuda
