#include "engine/executor/cuda/attention.h"

#include <ATen/Functions.h>

#include <cmath>

#include "kernels/kernels.h"
#include "model/cuda/operators.h"

namespace tritonsmith::engine {
namespace {

/// One layer of the cache: [blocks, block_size, kv_heads, head_dim], or of its scales.
const void* layer_of(const at::Tensor& cache, int layer) {
    return static_cast<const char*>(cache.const_data_ptr()) + layer * cache.stride(0) * cache.element_size();
}

/// Of GatherCache or kernels::DecodeAttention: where one layer's keys and values are.
template <typename Arguments>
void point_to_layer(Arguments& a, const PagedCache& cache, int layer) {
    a.k_cache = layer_of(cache.keys, layer);
    a.v_cache = layer_of(cache.values, layer);
    if (cache.key_scales.defined()) {
        a.k_scales = static_cast<const float*>(layer_of(cache.key_scales, layer));
        a.v_scales = static_cast<const float*>(layer_of(cache.value_scales, layer));
    }
    a.cache_block_stride = cache.keys.stride(1);
    a.block_size = cache.block_size;
}

}  // namespace

std::optional<model::PagedCache> CachedAttention::cache(int layer) {
    const auto layer_or_none = [layer](const at::Tensor& scales) {
        return scales.defined() ? scales.select(0, layer) : at::Tensor();
    };
    return model::PagedCache{cache_.keys.select(0, layer), cache_.values.select(0, layer), places_.slots,
                             layer_or_none(cache_.key_scales), layer_or_none(cache_.value_scales)};
}

void PrefillAttention::attend(int layer, const at::Tensor& qkv, at::Tensor& out) {
    const int64_t tokens = qkv.size(0);
    const at::Tensor all = qkv.view({tokens, heads_.queries + 2 * heads_.keys, heads_.width});
    at::Tensor keys = all.narrow(1, heads_.queries, heads_.keys);
    at::Tensor values = all.narrow(1, heads_.queries + heads_.keys, heads_.keys);
    if (lengths_.from_cache) {
        if (!keys_.defined()) {  // one pair serves all layers
            keys_ = at::empty({lengths_.all_keys, heads_.keys, heads_.width}, qkv.options());
            values_ = at::empty_like(keys_);
        }
        kernels::GatherCache gather;
        point_to_layer(gather, cache_, layer);
        gather.k = keys_.mutable_data_ptr();
        gather.v = values_.mutable_data_ptr();
        gather.block_table = places_.table;
        gather.table_stride = places_.table_stride;
        gather.cu_seqlens = lengths_.keys.const_data_ptr<int>();
        gather.sequences = places_.sequences;
        gather.tokens = lengths_.all_keys;
        gather.kv_heads = static_cast<int>(heads_.keys);
        gather.head_dim = static_cast<int>(heads_.width);
        gather.dtype = model::dtype_of(qkv);
        kernels::gather_cache(gather, model::current_stream(qkv.device()));
        keys = keys_;
        values = values_;
    }
    const at::Tensor result = std::get<0>(at::_flash_attention_forward(
        all.narrow(1, 0, heads_.queries), keys, values, lengths_.queries, lengths_.keys,
        lengths_.longest_query, lengths_.longest_key, 0.0, /*is_causal=*/true, false));
    out.copy_(result.reshape(out.sizes()));
}

DecodeAttention::DecodeAttention(PagedCache& cache, const model::Heads& heads, const PagedPlaces& places,
                                 const Plan& plan)
    : CachedAttention(cache, heads, places), plan_(plan) {
    kernels::DecodeAttention shape;
    shape.batch = places.sequences;
    shape.heads = static_cast<int>(heads.queries);
    shape.head_dim = static_cast<int>(heads.width);
    shape.max_length = plan.max_length;
    shape.split_size = plan.split_size;
    workspace_ =
        at::empty({kernels::decode_attention_workspace(shape)}, cache.keys.options().dtype(at::kByte));
}

void DecodeAttention::attend(int layer, const at::Tensor& qkv, at::Tensor& out) {
    kernels::DecodeAttention a;
    point_to_layer(a, cache_, layer);
    a.out = out.mutable_data_ptr();
    a.q = qkv.const_data_ptr();
    a.out_stride = out.stride(0);
    a.q_stride = qkv.stride(0);
    a.block_table = places_.table;
    a.table_stride = places_.table_stride;
    a.lengths = plan_.lengths;
    a.batch = places_.sequences;
    a.heads = static_cast<int>(heads_.queries);
    a.kv_heads = static_cast<int>(heads_.keys);
    a.head_dim = static_cast<int>(heads_.width);
    a.max_length = plan_.max_length;
    a.split_size = plan_.split_size;
    a.shared = plan_.shared;
    a.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(heads_.width)));
    a.workspace = workspace_.mutable_data_ptr();
    a.workspace_bytes = workspace_.numel();
    a.dtype = model::dtype_of(qkv);
    kernels::decode_attention(a, model::current_stream(qkv.device()));
}

}  // namespace tritonsmith::engine
