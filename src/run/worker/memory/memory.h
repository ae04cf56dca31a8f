#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

#include "base/error.h"
#include "plan/ir/plan.h"

namespace tritonsmith::run {

/// The memory of one execution: a slot for each buffer of the plan, on the CPU (HostMemory) or on a device
/// (DeviceMemory). Not thread-safe; views must not outlive `release` of their buffer.
class Memory {
  public:
    virtual ~Memory() = default;
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    virtual at::Device device() const = 0;
    virtual bool live(int buffer) const = 0;
    /// Fresh memory filled with a loud pattern for this dtype, nothing written. @throws StepError
    /// out_of_memory, plan_invalid
    virtual void allocate(int buffer, plan::DType dtype) = 0;
    /// The same for a tensor that is filled next: without the pattern where it fills the buffer.
    virtual void allocate_for(const plan::Tensor& tensor) = 0;
    /// The buffer becomes `fresh`'s storage, without a copy, if it is unshared and lies as declared; false if
    /// not.
    virtual bool adopt(const plan::Tensor& declared, const at::Tensor& fresh) = 0;
    virtual void release(int buffer) = 0;
    /// A further call of a module: of every two, the second makes its buffers at other addresses.
    virtual void begin_call() {}

    /// A tensor over the buffer's bytes. Constants are made at first use. @throws StepError plan_invalid if
    /// the view does not lie inside, or the buffer is not live.
    virtual at::Tensor view(const plan::Tensor& tensor) = 0;
    /// Bytes of the storage before the buffer's first byte.
    virtual int64_t storage_start(int buffer) const { return 0; }
    /// True if the storage of `tensor` is that of the buffer.
    virtual bool holds(int buffer, const at::Tensor& tensor) const = 0;

    /// True if it is known which of the buffer's bytes were written, and some may not have been. Memory that
    /// keeps no such record answers false, and the functions below do nothing.
    virtual bool tracked(int buffer) const { return false; }
    virtual void mark_written(const plan::Tensor& tensor) {}
    /// As mark_written, for values that come from outside the plan.
    virtual void mark_given(const plan::Tensor& tensor) {}
    /// The record of `from` becomes that of `to` (same shape), which must be tracked or all of `from`
    /// written.
    virtual void copy_written(const plan::Tensor& from, const plan::Tensor& to) {}
    /// Elements of the view that nothing wrote; first: row-major index of the first one.
    struct Unwritten {
        int64_t count = 0, first = -1;
    };
    virtual Unwritten unwritten(const plan::Tensor& tensor) { return {}; }
    /// Bytes written beyond a buffer's ends, where it has guard zones. Waits for the device.
    virtual std::optional<Finding> damaged_guard() { return std::nullopt; }

  protected:
    Memory() = default;
};

/// Checks that a view lies inside `bytes`, without overflow. @throws StepError plan_invalid
void check_inside(const plan::Tensor& tensor, int64_t bytes);

/// "buffer allocated at line 14", as messages name it.
std::string buffer_name(const plan::Buffer& buffer);

/// A view of `storage` in the tensor's dtype. Bounds were checked. @param offset of elements
at::Tensor tensor_over(const at::Storage& storage, at::Device device, at::ScalarType type,
                       at::IntArrayRef shape, at::IntArrayRef stride, int64_t offset);

/// Whether a tensor's elements are the buffer's bytes, each once, in whatever order of dimensions.
bool fills(const plan::Tensor& tensor, int64_t bytes);

}  // namespace tritonsmith::run
