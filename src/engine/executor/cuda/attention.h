#pragma once

#include <ATen/core/Tensor.h>

#include "engine/kv_cache/paged_cache.h"
#include "kernels/arguments.h"
#include "model/attention.h"

namespace tritonsmith::engine {

/// Where a step's tokens lie: arrays on the device.
struct PagedPlaces {
    at::Tensor slots;            ///< [tokens] int64: block * block_size + offset
    const int* table = nullptr;  ///< [sequences, table_stride] blocks
    int64_t table_stride = 0;
    int sequences = 0;
};

/// Chunks of prompts: their keys and values go into the cache; flash attention over the chunk's own rows, or,
/// where a prompt's beginning is in the cache already, over what is gathered from there. Both are the same
/// bits, in a cache of fp8 too, since rows that are stored there are rounded likewise in qkv.
class PrefillAttention : public model::Attention {
  public:
    struct Lengths {
        at::Tensor queries, keys;  ///< [sequences + 1] int32, running sums
        int longest_query = 0, longest_key = 0, all_keys = 0;
        bool from_cache = false;  ///< some prompt's beginning is in the cache
    };
    PrefillAttention(PagedCache& cache, const model::Heads& heads, const PagedPlaces& places,
                     const Lengths& lengths);
    std::optional<model::PagedCache> cache(int layer) override;
    void attend(int layer, const at::Tensor& qkv, at::Tensor& out) override;

  private:
    PagedCache& cache_;
    const model::Heads heads_;
    const PagedPlaces places_;
    const Lengths lengths_;
    at::Tensor keys_, values_;  ///< [all_keys, kv_heads, head_dim], gathered
};

/// One token of each sequence, against all that the cache has of it.
class DecodeAttention : public model::Attention {
  public:
    struct Plan {
        const int* lengths = nullptr;  ///< [sequences], on the device
        int max_length = 0, split_size = 0;
        const kernels::SharedPrefix* shared = nullptr;  ///< [sequences], on the device, or null
    };
    DecodeAttention(PagedCache& cache, const model::Heads& heads, const PagedPlaces& places,
                    const Plan& plan);
    std::optional<model::PagedCache> cache(int layer) override;
    void attend(int layer, const at::Tensor& qkv, at::Tensor& out) override;

  private:
    PagedCache& cache_;
    const model::Heads heads_;
    const PagedPlaces places_;
    const Plan plan_;
    at::Tensor workspace_;
};

}  // namespace tritonsmith::engine
