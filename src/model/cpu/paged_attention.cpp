#include "model/cpu/paged_attention.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/cpu/kernels.h"
#include "model/cpu/parallel.h"

namespace tritonsmith::model {
namespace {

/// Queries that one task takes: their keys stay in the processor's cache.
constexpr int64_t paged_query_block = 32;

struct PagedTask {
    const PagedSequence* sequence;
    int64_t first, last;  ///< of its queries
    int64_t key_head;
};

/// Starts of one head's pages with the first `tokens` of a sequence.
std::vector<const float*> pages_of(const at::Tensor& cache, const PagedTask& task, int64_t tokens) {
    const int64_t block_size = cache.size(1);
    std::vector<const float*> pages(static_cast<size_t>((tokens + block_size - 1) / block_size));
    const float* start = cache.const_data_ptr<float>() + task.key_head * cache.stride(2);
    for (size_t i = 0; i < pages.size(); ++i) pages[i] = start + task.sequence->blocks[i] * cache.stride(0);
    return pages;
}

void attend_task(const Heads& heads, const float* qkv, const PagedCache& cache, const PagedTask& task,
                 float* out) {
    const PagedSequence& sequence = *task.sequence;
    const int64_t group = heads.queries / heads.keys, before = sequence.length - sequence.queries;
    const std::vector<const float*> keys = pages_of(cache.keys, task, before + task.last),
                                    values = pages_of(cache.values, task, before + task.last);
    int visible[paged_query_block];
    for (int64_t i = task.first; i < task.last; ++i)
        visible[i - task.first] = static_cast<int>(before + i + 1);
    HeadAttention one;
    one.visible = visible;
    one.rows = task.last - task.first;
    one.width = heads.width;
    one.query_stride = heads.row();
    one.out_stride = heads.queries * heads.width;
    one.keys = keys.data();
    one.values = values.data();
    one.page = cache.keys.size(1);
    one.key_stride = cache.keys.stride(1);
    one.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(heads.width)));
    const int64_t row = sequence.first_row + task.first;
    if (one.rows == 1 &&
        group <= paged_query_block) {  // rows are the heads instead, so that keys are read once
        std::fill_n(visible, group, visible[0]);
        one.rows = group;
        one.query_stride = one.out_stride = heads.width;
        one.queries = qkv + row * heads.row() + task.key_head * group * heads.width;
        one.out = out + (row * heads.queries + task.key_head * group) * heads.width;
        return cpu_kernels().attend(one);
    }
    for (int64_t head = task.key_head * group; head < (task.key_head + 1) * group; ++head) {
        one.queries = qkv + row * one.query_stride + head * heads.width;
        one.out = out + row * one.out_stride + head * heads.width;
        cpu_kernels().attend(one);
    }
}

}  // namespace

void attend_paged(const Heads& heads, const at::Tensor& qkv, const PagedCache& cache,
                  std::span<const PagedSequence> sequences, at::Tensor& out) {
    std::vector<PagedTask> tasks;
    int64_t work = 0;
    for (const PagedSequence& sequence : sequences) {
        for (int64_t first = 0; first < sequence.queries; first += paged_query_block)
            for (int64_t head = 0; head < heads.keys; ++head)
                tasks.push_back(
                    {&sequence, first, std::min(sequence.queries, first + paged_query_block), head});
        work += sequence.queries * sequence.length;
    }
    const float* from = qkv.const_data_ptr<float>();
    float* to = out.mutable_data_ptr<float>();
    const auto count = static_cast<int64_t>(tasks.size());
    // Less than a few microseconds are not worth a second thread.
    const int64_t grain = work * heads.queries * heads.width < 1 << 13 ? std::max<int64_t>(count, 1) : 1;
    parallel_for(count, grain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
            attend_task(heads, from, cache, tasks[static_cast<size_t>(i)], to);
    });
}

}  // namespace tritonsmith::model
