#include "rollout/paged_cache.h"

#include <ATen/Functions.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace tritonsmith::rollout {

PagedCache PagedCache::make(const model::Model& model, int blocks, int block_size) {
    const model::Heads heads = model.heads();
    const auto options = at::TensorOptions().dtype(model.activations()).device(model.options().device);
    PagedCache cache;
    const std::vector<int64_t> sizes = {model.config().layers, blocks, block_size, heads.keys, heads.width};
    cache.keys = at::empty(sizes, options);
    cache.values = at::empty(sizes, options);
    cache.block_size = block_size;
    return cache;
}

void PagedCache::copy_block(int from, int to) {
    keys.select(1, to).copy_(keys.select(1, from));
    values.select(1, to).copy_(values.select(1, from));
}

int64_t block_bytes(const model::Model& model, int block_size) {
    return model.config().kv_bytes_per_token(static_cast<int>(at::elementSize(model.activations()))) *
           block_size;
}

int plan_blocks(const model::Model& model, int64_t bytes, int block_size, int max_batch, int least_tokens) {
    const int64_t of_one = (model.config().positions + block_size - 1) / block_size;
    const int64_t blocks =
        std::min({bytes / block_bytes(model, block_size), of_one * max_batch, int64_t{1} << 24});
    if (blocks * block_size < std::min(least_tokens, model.config().positions))
        throw MachineError(
            fmt::format("{} MiB for keys and values hold {} tokens: too few for one answer; give more memory "
                        "to the cache",
                        bytes >> 20, blocks * block_size));
    return static_cast<int>(blocks);
}

}  // namespace tritonsmith::rollout
