#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "model/operators.h"

namespace tritonsmith::train {

/// Causal attention within each of several documents, scaled by 1/sqrt(head_dim), and its derivative. In 16
/// bits on CUDA it is PyTorch's flash operator over all documents at once; elsewhere products of whole blocks
/// in float32, one document at a time, whose memory is linear in a document's length. A document's result
/// does not depend on the others.
class DocumentAttention {
  public:
    /// @param exact on the CPU: values are those of model::PackedAttention, which has the engine's bits
    DocumentAttention(const model::Heads& heads, std::vector<int64_t> lengths, at::Device device,
                      bool exact = false);

    struct Result {
        at::Tensor values;           ///< [n, queries · width], of qkv's dtype
        at::Tensor log_normalisers;  ///< [queries, n] float32: logsumexp of each row of scores
        at::Tensor random_state;     ///< what the flash operator asks to be given back
    };
    /// @param qkv [n, (queries + 2 keys) · width], normed and rotated
    Result forward(const at::Tensor& qkv) const;
    /// @param gradient [n, queries · width] @return [n, (queries + 2 keys) · width]
    at::Tensor backward(const at::Tensor& gradient, const at::Tensor& qkv, const Result& result) const;

  private:
    bool uses_flash(const at::Tensor& qkv) const;
    Result flash_forward(const at::Tensor& qkv) const;
    at::Tensor flash_backward(const at::Tensor& gradient, const at::Tensor& qkv, const Result& result) const;

    model::Heads heads_;
    std::vector<int64_t> lengths_;
    bool exact_;
    int64_t longest_ = 0;
    at::Tensor starts_;  ///< [documents + 1] int32, on the device
};

}  // namespace tritonsmith::train
