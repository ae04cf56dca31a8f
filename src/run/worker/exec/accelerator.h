#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/process/process.h"
#include "run/worker/exec/launcher.h"
#include "run/worker/memory/memory.h"

namespace tritonsmith::run {

class ElementKernels;

/// The device failed while it ran a plan. reason: gpu_illegal_address, gpu_misaligned_address, gpu_timeout,
/// gpu_fault, out_of_memory, gpu_lost (docs/reasons.md).
class DeviceFault : public std::runtime_error {
  public:
    DeviceFault(std::string reason, const std::string& message, bool lost)
        : std::runtime_error(message), reason(std::move(reason)), context_is_lost(lost) {}
    std::string reason;
    bool context_is_lost;  ///< nothing more can be run in this process
};

/// Memory that another process can map by its descriptor.
struct SharedBytes {
    at::Tensor bytes;  ///< u8; unmapped with its last owner
    Fd fd;
};

/// Steps that can be run again and again.
class Replay {
  public:
    virtual ~Replay() = default;
    virtual void run() = 0;
    virtual bool graph() const = 0;  ///< without the host's work: recorded as a CUDA graph
};

/// What a device adds to torch's operators: launches of kernels, memory that processes share, and the time
/// that its work takes. One per process.
class Accelerator {
  public:
    virtual ~Accelerator() = default;
    virtual at::Device device() const = 0;
    /// {"name","target","memory_bytes","free_bytes", …}: for people, and to plan memory by
    virtual Json describe() = 0;
    /// @param guards zones around buffers, where the device's kernels are not checked otherwise
    virtual std::unique_ptr<Memory> memory(const plan::Plan& plan, uint64_t poison, bool guards) = 0;
    /// @param kernels one for each of the plan's, as the request holds them (docs/protocols.md); empty where
    /// the launcher compiles nothing. @param cubins the file that they lie in. @throws InputError,
    /// DeviceFault
    virtual std::unique_ptr<Launcher> launcher(const plan::Plan& plan, const Json& kernels,
                                               const std::vector<std::byte>& cubins) = 0;
    virtual SharedBytes share(int64_t bytes) = 0;
    /// @throws InputError where the descriptor is no such memory or too small
    virtual at::Tensor map(Fd fd, int64_t bytes) = 0;
    /// Waits for all that was asked of the device. @throws DeviceFault
    virtual void synchronize(Deadline deadline) = 0;
    virtual int64_t free_bytes() = 0;
    /// What outputs are compared by; null: torch's operators do it.
    virtual const ElementKernels* element_kernels() const { return nullptr; }

    /// @param work may be called at once (and then never again), or by each run.
    virtual std::unique_ptr<Replay> record(std::function<void()> work) = 0;
    /// Milliseconds of each run of `replay`, which finds a cold cache. @param before, after are called around
    /// each run, outside of its time. @throws DeviceFault
    virtual std::vector<double> time(Replay& replay, int samples, const std::function<void(int)>& before,
                                     const std::function<void(int)>& after, Deadline deadline) = 0;
    /// What torch's own report of a failed call means. @param code of the runtime
    virtual DeviceFault fault(int code, const std::string& message) const {
        return {"gpu_fault", message, true};
    }
    /// Releases freed memory to other processes.
    virtual void trim() {}
};

/// The CPU as a device: launches are interpreted, files of memory are shared. For tests, and machines without
/// one.
std::unique_ptr<Accelerator> host_accelerator();

}  // namespace tritonsmith::run
