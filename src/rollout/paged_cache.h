#pragma once

#include <ATen/core/Tensor.h>

#include "model/model.h"

namespace tritonsmith::rollout {

/// Keys and values of all layers in blocks of `block_size` tokens.
struct PagedCache {
    at::Tensor keys,
        values;  ///< [layers, blocks, block_size, kv_heads, head_dim], of the model's activations
    int block_size = 0;

    /// Uninitialised memory for so many blocks, on the model's device.
    static PagedCache make(const model::Model& model, int blocks, int block_size);
    int blocks() const { return static_cast<int>(keys.size(1)); }
    void copy_block(int from, int to);
};

/// Bytes of one block.
int64_t block_bytes(const model::Model& model, int block_size);

/// How many blocks: as the bytes allow, but no more than `max_batch` samples of the model's whole context can
/// use.
/// @throws MachineError where they do not hold one sequence of `least_tokens`
int plan_blocks(const model::Model& model, int64_t bytes, int block_size, int max_batch, int least_tokens);

}  // namespace tritonsmith::rollout
