#include "model/paged_attention.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/cpu_kernels.h"

namespace tritonsmith::model {
namespace {

constexpr int64_t query_block = 32;

/// Where the pages of one head begin, for one sequence.
std::vector<const float*> pages_of(const at::Tensor& cache, const PagedSequence& sequence, int64_t head) {
    const int64_t count = (sequence.length + cache.size(1) - 1) / cache.size(1);
    std::vector<const float*> pages(static_cast<size_t>(count));
    const float* start = cache.const_data_ptr<float>() + head * cache.stride(2);
    for (size_t i = 0; i < pages.size(); ++i) pages[i] = start + sequence.blocks[i] * cache.stride(0);
    return pages;
}

void attend_head(const Heads& heads, const at::Tensor& qkv, const PagedCache& cache,
                 const PagedSequence& sequence, int64_t key_head, float* out) {
    const std::vector<const float*> keys = pages_of(cache.keys, sequence, key_head),
                                    values = pages_of(cache.values, sequence, key_head);
    const int64_t group = heads.queries / heads.keys;
    HeadAttention task;
    task.width = heads.width;
    task.query_stride = heads.row();
    task.out_stride = heads.queries * heads.width;
    task.keys = keys.data();
    task.values = values.data();
    task.page = cache.keys.size(1);
    task.key_stride = cache.keys.stride(1);
    task.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(heads.width)));
    const float* rows = qkv.const_data_ptr<float>();
    int visible[query_block];
    for (int64_t first = 0; first < sequence.queries; first += query_block) {
        task.rows = std::min(query_block, sequence.queries - first);
        task.visible = visible;
        for (int64_t i = 0; i < task.rows; ++i)
            visible[i] = static_cast<int>(sequence.length - sequence.queries + first + i + 1);
        const int64_t row = sequence.first_row + first;
        for (int64_t head = key_head * group; head < (key_head + 1) * group; ++head) {
            task.queries = rows + row * task.query_stride + head * heads.width;
            task.out = out + row * task.out_stride + head * heads.width;
            cpu_kernels().attend(task);
        }
    }
}

}  // namespace

void attend_paged(const Heads& heads, const at::Tensor& qkv, const PagedCache& cache,
                  std::span<const PagedSequence> sequences, at::Tensor& out) {
    float* to = out.mutable_data_ptr<float>();
    const auto tasks = static_cast<int64_t>(sequences.size()) * heads.keys;
    int64_t work = 0;
    for (const PagedSequence& sequence : sequences) work += sequence.queries * sequence.length;
    // Less than some ten microseconds are not worth a second thread.
    const int64_t grain = work * heads.queries * heads.width < 1 << 16 ? tasks : 1;
    at::parallel_for(0, tasks, grain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
            attend_head(heads, qkv, cache, sequences[static_cast<size_t>(i / heads.keys)], i % heads.keys,
                        to);
    });
}

}  // namespace tritonsmith::model
