#include "engine/executor/cpu_attention.h"

#include <ATen/Functions.h>

namespace tritonsmith::engine {

CpuPagedAttention::CpuPagedAttention(std::span<const model::PagedCache> layers, const model::Heads& heads,
                                     const std::vector<Segment>& segments)
    : layers_(layers), heads_(heads) {
    const int64_t block_size = layers.front().keys.size(1);
    std::vector<int64_t> slots;
    for (const Segment& segment : segments) {
        const auto row = static_cast<int64_t>(slots.size()),
                   tokens = static_cast<int64_t>(segment.tokens.size());
        for (int64_t position = segment.start; position < segment.start + tokens; ++position) {
            const int64_t block = (*segment.blocks)[static_cast<size_t>(position / block_size)];
            slots.push_back(block * block_size + position % block_size);
        }
        sequences_.push_back({*segment.blocks, row, tokens, segment.start + tokens});
    }
    slots_ = at::tensor(slots, at::kLong);
}

std::optional<model::PagedCache> CpuPagedAttention::cache(int layer) {
    model::PagedCache cache = layers_[static_cast<size_t>(layer)];
    cache.slots = slots_;
    return cache;
}

void CpuPagedAttention::attend(int layer, const at::Tensor& qkv, at::Tensor& out) {
    model::attend_paged(heads_, qkv, layers_[static_cast<size_t>(layer)], sequences_, out);
}

}  // namespace tritonsmith::engine
