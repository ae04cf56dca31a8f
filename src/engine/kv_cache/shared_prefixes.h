#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/arguments.h"

namespace tritonsmith::engine {

/// Attention of one decoding step, as the kernel takes it.
struct DecodeStep {
    std::span<const int> table;  ///< [rows, table_stride] blocks of the cache
    int64_t table_stride = 0;
    int block_size = 0;
    std::span<const int> lengths;  ///< [rows] tokens in the cache, the fed one too; 0: an empty row
    int heads = 0, kv_heads = 0, head_dim = 0;
    int max_length = 0, multiprocessors = 0;
    int split_size = 0;        ///< if nothing is shared; 0: no parts
    bool fixed_split = false;  ///< split_size must not be changed
};

/// Number of leading tokens that each row and the row before it have in the same blocks, [rows]. Less than
/// either's length, so the tokens that are fed are not among them.
std::vector<int> tokens_shared_with_previous(const DecodeStep& step);

/// Groups of adjacent rows that share whole parts of `split_size` tokens, at most `most_rows` in each.
/// @param shared_tokens [rows], as above  @return [rows], for kernels::DecodeAttention::shared
std::vector<kernels::SharedPrefix> shared_prefixes(std::span<const int> shared_tokens, int split_size,
                                                   int most_rows);

struct Sharing {
    int split_size = 0;
    std::vector<kernels::SharedPrefix> prefixes;  ///< [rows], or empty if reading each row alone is faster
};

/// Which prefixes are read together in this step, and the part size that takes the least time.
Sharing find_sharing(const DecodeStep& step);

}  // namespace tritonsmith::engine
