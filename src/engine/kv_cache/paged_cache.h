#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "model/model.h"

namespace tritonsmith::engine {

/// The dtype of keys and values: that of the model's activations, or, on CUDA, float8_e4m3fn with a float32
/// scale for each head of each token. The latter takes half the bytes; samples see earlier tokens rounded to
/// 4 significant bits.
enum class CacheDtype { activations, fp8 };

/// "auto" or "fp8". @throws InputError for other names, and for fp8 on the CPU
CacheDtype parse_cache_dtype(const std::string& name, const at::Device& device);

/// Keys and values of all layers in blocks of `block_size` tokens.
struct PagedCache {
    at::Tensor keys, values;  ///< [layers, blocks, block_size, kv_heads, head_dim]
    at::Tensor key_scales,
        value_scales;  ///< [layers, blocks, kv_heads, block_size] float32 of fp8, else undefined
    int block_size = 0;

    /// Uninitialised memory for `blocks` blocks, on the model's device.
    static PagedCache make(const model::Model& model, int blocks, int block_size,
                           CacheDtype dtype = CacheDtype::activations);
    int blocks() const { return static_cast<int>(keys.size(1)); }
    void copy_block(int from, int to);
};

/// Bytes of one block, scales included.
int64_t block_bytes(const model::Model& model, int block_size, CacheDtype dtype = CacheDtype::activations);

/// The number of blocks that fit into `bytes`, but no more than `max_batch` samples of the model's whole
/// context can use.
/// @throws MachineError if they do not hold one sequence of `least_tokens`
int plan_blocks(const model::Model& model, int64_t bytes, int block_size, int max_batch, int least_tokens,
                CacheDtype dtype = CacheDtype::activations);

}  // namespace tritonsmith::engine
