#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "model/attention.h"
#include "model/operators.h"

namespace tritonsmith::model {

/// Attention within whole sequences that are concatenated, without a cache: for scoring and training. On CUDA
/// it is PyTorch's flash operator; elsewhere float32 throughout, and a sequence's result does not depend on
/// the others.
class PackedAttention : public Attention {
  public:
    /// @param lengths of the sequences, each at least 1: their sum is the number of tokens
    /// @throws InputError
    PackedAttention(const Heads& heads, std::vector<int64_t> lengths, at::Device device);

    void attend(int layer, const at::Tensor& qkv, at::Tensor& out) override;

    /// [tokens] int64 on the device: 0, 1, ... within each sequence, for Model::forward.
    const at::Tensor& positions() const { return positions_; }

  private:
    void attend_cuda(const at::Tensor& qkv, at::Tensor& out) const;

    Heads heads_;
    std::vector<int64_t> lengths_;
    int64_t longest_ = 0;
    at::Tensor positions_;
    at::Tensor cu_seqlens_;  ///< [sequences + 1] int32: where each begins
};

}  // namespace tritonsmith::model
