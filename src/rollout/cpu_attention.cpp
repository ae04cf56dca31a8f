#include "rollout/cpu_attention.h"

#include <ATen/Functions.h>

namespace tritonsmith::rollout {

CpuPagedAttention::CpuPagedAttention(PagedCache& cache, const model::Heads& heads,
                                     const std::vector<Segment>& segments)
    : cache_(cache), heads_(heads) {
    std::vector<int64_t> slots;
    for (const Segment& segment : segments) {
        const auto row = static_cast<int64_t>(slots.size()),
                   tokens = static_cast<int64_t>(segment.tokens.size());
        for (int64_t position = segment.start; position < segment.start + tokens; ++position) {
            const int64_t block = (*segment.blocks)[static_cast<size_t>(position / cache.block_size)];
            slots.push_back(block * cache.block_size + position % cache.block_size);
        }
        sequences_.push_back({*segment.blocks, row, tokens, segment.start + tokens});
    }
    slots_ = at::tensor(slots, at::kLong);
}

std::optional<model::PagedCache> CpuPagedAttention::cache(int layer) {
    return model::PagedCache{cache_.keys.select(0, layer), cache_.values.select(0, layer), slots_};
}

void CpuPagedAttention::attend(int layer, const at::Tensor& qkv, at::Tensor& out) {
    model::attend_paged(heads_, qkv, *cache(layer), sequences_, out);
}

}  // namespace tritonsmith::rollout
