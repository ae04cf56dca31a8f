#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>

#include "model/attention.h"
#include "model/operators.h"

namespace tritonsmith::model {

/// Tokens of one sequence in a forward pass, and where its keys and values are.
struct PagedSequence {
    std::span<const int32_t> blocks;  ///< of the cache, in order
    int64_t first_row = 0;            ///< of its queries in qkv
    int64_t queries = 1;              ///< rows
    int64_t length = 0;               ///< keys in the cache, including those of these rows (the last ones)
};

/// Causal attention on the CPU over a paged cache, in float32. A query's result does not depend on how the
/// prompt was divided, on the block size (a divisor or multiple of 64), or on other sequences, and equals
/// that of PackedAttention bit for bit.
/// @param cache  with the keys and values of these tokens; its slots are not used
/// @param out    [tokens, heads * head_dim] float32, contiguous
void attend_paged(const Heads& heads, const at::Tensor& qkv, const PagedCache& cache,
                  std::span<const PagedSequence> sequences, at::Tensor& out);

}  // namespace tritonsmith::model
