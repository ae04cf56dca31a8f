#pragma once

#include <ATen/core/Tensor.h>

namespace tritonsmith::train {

/// A vector whose bytes can be released and taken again, while it and its views stay valid tensors: what
/// PyTorch's FSDP does with storage.resize_(0). Released ones must not be read or written.
class ReleasableMemory {
  public:
    ReleasableMemory() = default;
    /// Without bytes.
    ReleasableMemory(int64_t elements, const at::TensorOptions& options);

    /// Takes bytes of any content, unless it has them.
    void take();
    void release();
    bool is_taken() const { return flat_.storage().nbytes() > 0; }

    /// [elements]
    const at::Tensor& flat() const { return flat_; }
    /// A view of some elements. @param first of them
    at::Tensor view(int64_t first, at::IntArrayRef shape) const;
    /// Makes `tensor`, and whatever shares it, such a view; its values are lost. @param tensor contiguous, of
    /// this dtype and device
    void adopt(const at::Tensor& tensor, int64_t first) const;

  private:
    at::Tensor flat_;
    size_t bytes_ = 0;
};

}  // namespace tritonsmith::train
