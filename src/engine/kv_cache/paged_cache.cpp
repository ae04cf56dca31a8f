#include "engine/kv_cache/paged_cache.h"

#include <ATen/Functions.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace tritonsmith::engine {

CacheDtype parse_cache_dtype(const std::string& name, const at::Device& device) {
    if (name == "auto") return CacheDtype::activations;
    if (name != "fp8") throw InputError("--cache-dtype " + name + ": give auto or fp8");
    if (device.is_cpu())
        throw InputError("--cache-dtype fp8 needs a GPU: on the CPU keys and values are kept in float32");
    return CacheDtype::fp8;
}

PagedCache PagedCache::make(const model::Model& model, int blocks, int block_size, CacheDtype dtype) {
    const model::Heads heads = model.heads();
    const bool fp8 = dtype == CacheDtype::fp8;
    const auto options = at::TensorOptions().device(model.options().device);
    const auto of_rows = options.dtype(fp8 ? at::kFloat8_e4m3fn : model.activations());
    PagedCache cache;
    const std::vector<int64_t> sizes = {model.config().layers, blocks, block_size, heads.keys, heads.width};
    cache.keys = at::empty(sizes, of_rows);
    cache.values = at::empty(sizes, of_rows);
    if (fp8) {
        const std::vector<int64_t> of_scales = {model.config().layers, blocks, heads.keys, block_size};
        cache.key_scales = at::empty(of_scales, options.dtype(at::kFloat));
        cache.value_scales = at::empty(of_scales, options.dtype(at::kFloat));
    }
    cache.block_size = block_size;
    return cache;
}

void PagedCache::copy_block(int from, int to) {
    for (at::Tensor part : {keys, values, key_scales, value_scales}) {
        if (!part.defined()) continue;
        if (part.scalar_type() == at::kFloat8_e4m3fn)
            part = part.view(at::kByte);  // every device copies bytes
        part.select(1, to).copy_(part.select(1, from));
    }
}

int64_t block_bytes(const model::Model& model, int block_size, CacheDtype dtype) {
    const model::Config& config = model.config();
    if (dtype == CacheDtype::fp8)
        return (config.kv_bytes_per_token(1) + 2LL * config.layers * config.kv_heads * sizeof(float)) *
               block_size;
    return config.kv_bytes_per_token(static_cast<int>(at::elementSize(model.activations()))) * block_size;
}

int plan_blocks(const model::Model& model, int64_t bytes, int block_size, int max_batch, int least_tokens,
                CacheDtype dtype) {
    const int64_t of_one = (model.config().positions + block_size - 1) / block_size;
    const int64_t blocks =
        std::min({bytes / block_bytes(model, block_size, dtype), of_one * max_batch, int64_t{1} << 24});
    if (blocks * block_size < std::min(least_tokens, model.config().positions))
        throw MachineError(
            fmt::format("{} MiB for keys and values hold {} tokens: too few for one answer; set a "
                        "larger --cache-mib",
                        bytes >> 20, blocks * block_size));
    return static_cast<int>(blocks);
}

}  // namespace tritonsmith::engine
