#pragma once

#include <ATen/core/Tensor.h>

#include "engine/kv_cache/paged_cache.h"
#include "kernels/arguments.h"
#include "model/attention.h"

namespace tritonsmith::engine {

/// Where a step's tokens are in the cache: arrays on the device.
struct PagedPlaces {
    at::Tensor slots;            ///< [tokens] int64: block * block_size + offset
    const int* table = nullptr;  ///< [sequences, table_stride] blocks
    int64_t table_stride = 0;
    int sequences = 0;
};

/// Attention whose keys and values are stored in a paged cache.
class CachedAttention : public model::Attention {
  public:
    std::optional<model::PagedCache> cache(int layer) override;

  protected:
    CachedAttention(PagedCache& cache, const model::Heads& heads, const PagedPlaces& places)
        : cache_(cache), heads_(heads), places_(places) {}

    PagedCache& cache_;
    const model::Heads heads_;
    const PagedPlaces places_;
};

/// Attention for chunks of prompts. Keys and values go into the cache; flash attention reads the chunk's own
/// rows, or, if earlier tokens of a prompt are in the cache, rows that are gathered from there. Both give the
/// same bits, in an fp8 cache too, since stored rows are rounded in qkv in the same way.
class PrefillAttention : public CachedAttention {
  public:
    struct Lengths {
        at::Tensor queries, keys;  ///< [sequences + 1] int32, running sums
        int longest_query = 0, longest_key = 0, all_keys = 0;
        bool from_cache = false;  ///< some prompt has earlier tokens in the cache
    };
    PrefillAttention(PagedCache& cache, const model::Heads& heads, const PagedPlaces& places,
                     const Lengths& lengths)
        : CachedAttention(cache, heads, places), lengths_(lengths) {}
    void attend(int layer, const at::Tensor& qkv, at::Tensor& out) override;

  private:
    const Lengths lengths_;
    at::Tensor keys_, values_;  ///< [all_keys, kv_heads, head_dim], gathered
};

/// Attention for decoding: one token of each sequence against its keys and values in the cache.
class DecodeAttention : public CachedAttention {
  public:
    struct Plan {
        const int* lengths = nullptr;  ///< [sequences], on the device
        int max_length = 0, split_size = 0;
        const kernels::SharedPrefix* shared = nullptr;  ///< [sequences], on the device, or null
    };
    DecodeAttention(PagedCache& cache, const model::Heads& heads, const PagedPlaces& places,
                    const Plan& plan);
    void attend(int layer, const at::Tensor& qkv, at::Tensor& out) override;

  private:
    const Plan plan_;
    at::Tensor workspace_;
};

}  // namespace tritonsmith::engine
