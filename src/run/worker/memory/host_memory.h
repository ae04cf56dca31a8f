#pragma once

#include <memory>
#include <vector>

#include "run/worker/memory/memory.h"
#include "ttir/interp/memory/memory.h"

namespace tritonsmith::run {

/// Memory of the CPU. A slot's bytes live in a ttir::Buffer (data and shadow), in a torch storage, or first
/// in the one and then in the other when a launch needs its shadow; ATen steps and interpreted launches share
/// them.
class HostMemory : public Memory {
  public:
    /// @param limit bytes that may be live at once. @param poison seeds the pattern of fresh memory.
    HostMemory(const plan::Plan& plan, int64_t limit, uint64_t poison);
    ~HostMemory() override;

    at::Device device() const override { return at::kCPU; }
    bool live(int buffer) const override;
    void allocate(int buffer, plan::DType dtype) override;
    void allocate_for(const plan::Tensor& tensor) override;
    bool adopt(const plan::Tensor& declared, const at::Tensor& fresh) override;
    void release(int buffer) override;
    void begin_call() override { ++calls_; }
    at::Tensor view(const plan::Tensor& tensor) override;
    bool holds(int buffer, const at::Tensor& tensor) const override;

    /// The buffer for interpreted launches. @throws StepError
    ttir::Buffer& shadowed(int buffer);
    bool tracked(int buffer) const override;
    void mark_written(const plan::Tensor& tensor) override;
    /// Where they fill the buffer, its shadow is of no use any more: that spares the shadow's memory, and the
    /// checks of all who read the buffer.
    void mark_given(const plan::Tensor& tensor) override;
    void copy_written(const plan::Tensor& from, const plan::Tensor& to) override;
    Unwritten unwritten(const plan::Tensor& tensor) override;

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
    /// What the program sees, as if it lay there: no trace's addresses reach so far.
    uint64_t address(const plan::Buffer& buffer) const { return buffer.address + ((calls_ / 2) << 47); }

    int64_t limit_, live_bytes_ = 0;
    uint64_t calls_ = 0;  ///< behind it
    uint64_t poison_;
};

}  // namespace tritonsmith::run
