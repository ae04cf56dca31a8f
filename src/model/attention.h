#pragma once

#include <ATen/core/Tensor.h>

namespace tritonsmith::model {

/// Where keys and values are kept, and who attends to what: the model's only part that knows of sequences.
/// One object serves one forward pass (of a packed batch, of a step of the rollout engine).
class Attention {
  public:
    virtual ~Attention() = default;
    /// Attention of one layer, causal, scaled by 1/sqrt(head_dim).
    /// @param qkv [tokens, (heads + 2 kv_heads) * head_dim]: queries, keys, values of each token; queries and
    /// keys are normed
    ///            and rotated already
    /// @param out [tokens, heads * head_dim], same dtype and device, to be filled
    virtual void attend(int layer, const at::Tensor& qkv, at::Tensor& out) = 0;
};

}  // namespace tritonsmith::model
