#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

namespace tritonsmith::model {

/// Where keys and values of one layer are kept between forward passes.
struct PagedCache {
    at::Tensor keys,
        values;        ///< [blocks, block_size, kv_heads, head_dim], of the activations' dtype and device
    at::Tensor slots;  ///< [tokens] int64: block * block_size + offset of each token; negative: not stored
    /// [blocks, kv_heads, block_size] float32 where keys and values are float8_e4m3fn
    /// (kernels::RotateAndStore; CUDA alone), else undefined.
    at::Tensor key_scales = {}, value_scales = {};
};

/// Where keys and values are kept, and which token attends to which: the only part of the model that knows
/// sequences. One object serves one forward pass (of a packed batch, or of one step of the engine).
class Attention {
  public:
    virtual ~Attention() = default;
    /// The cache that the model stores keys and values of this layer into after rotating them; none: attend()
    /// stores them. On CUDA this costs nothing (one kernel does both) and can be captured into a graph.
    virtual std::optional<PagedCache> cache(int) { return std::nullopt; }
    /// Attention of one layer, causal, scaled by 1/sqrt(head_dim).
    /// @param qkv [tokens, (heads + 2 kv_heads) * head_dim]: queries, keys, values of each token; queries and
    /// keys are normed
    ///            and rotated already
    /// @param out [tokens, heads * head_dim], same dtype and device, to be filled
    virtual void attend(int layer, const at::Tensor& qkv, at::Tensor& out) = 0;
};

}  // namespace tritonsmith::model
