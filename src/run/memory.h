#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "plan/plan.h"
#include "ttir/memory.h"

namespace tritonsmith::run {

/// The device memory of one execution: a slot for each buffer of the plan. A slot's bytes live in a
/// ttir::Buffer (data and shadow), in a torch storage, or first in the one and then in the other when a
/// launch needs its shadow; ATen steps and interpreted launches share them. Not thread-safe; views must not
/// outlive `release` of their buffer.
class Memory {
  public:
    /// @param limit bytes that may be live at once. @param poison seeds the pattern of fresh memory.
    Memory(const plan::Plan& plan, int64_t limit, uint64_t poison);
    ~Memory();

    bool live(int buffer) const;
    /// Fresh memory filled with a loud pattern for this dtype, nothing written. @throws StepError
    /// out_of_memory, plan_invalid
    void allocate(int buffer, plan::DType dtype);
    /// The same for a tensor that is filled next: without the pattern where it fills the buffer.
    void allocate_for(const plan::Tensor& tensor);
    /// The buffer becomes `fresh`'s storage, without a copy, if it is unshared and lies as declared; false if
    /// not.
    bool adopt(const plan::Tensor& declared, const at::Tensor& fresh);
    void release(int buffer);

    /// A tensor over the buffer's bytes. Constants are made at first use. @throws StepError plan_invalid if
    /// the view does not lie inside, or the buffer is not live.
    at::Tensor view(const plan::Tensor& tensor);
    /// True if the storage of `tensor` is that of the buffer.
    bool holds(int buffer, const at::Tensor& tensor) const;

    /// The buffer for interpreted launches. @throws StepError
    ttir::Buffer& shadowed(int buffer);
    /// True if the buffer's shadow is kept, so that bytes of it may still be unwritten.
    bool tracked(int buffer) const;
    void mark_written(const plan::Tensor& tensor);
    /// As mark_written, for values that come from outside the plan. Where they fill the buffer, its shadow is
    /// of no use any more: that spares the shadow's memory, and the checks of all who read the buffer.
    void mark_given(const plan::Tensor& tensor);
    /// The shadow of `from` becomes that of `to` (same shape), which must be tracked or all of `from`
    /// written.
    void copy_written(const plan::Tensor& from, const plan::Tensor& to);
    /// Elements of the view that have a byte which nothing wrote; first: row-major index of the first one.
    struct Unwritten {
        int64_t count = 0, first = -1;
    };
    Unwritten unwritten(const plan::Tensor& tensor);

    int64_t bytes_live() const { return live_bytes_; }

  private:
    struct Slot;
    Slot& slot(int buffer);
    Slot& make(int buffer);
    Slot& present(int buffer);
    at::Tensor shadow_view(Slot& slot, const plan::Tensor& tensor);
    void charge(Slot& slot, int64_t bytes);

    const plan::Plan& plan_;
    std::vector<Slot> slots_;
    int64_t limit_, live_bytes_ = 0;
    uint64_t poison_;
};

/// Checks that a view lies inside `bytes`, without overflow. @throws StepError plan_invalid
void check_inside(const plan::Tensor& tensor, int64_t bytes);

}  // namespace tritonsmith::run
