#include "rollout/cpu_attention.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>

#include "model/cpu_kernels.h"

namespace tritonsmith::rollout {
namespace {

constexpr int kQueryBlock = 32;  ///< queries that one task takes: their keys stay in the processor's cache

}  // namespace

CpuPagedAttention::CpuPagedAttention(PagedCache& cache, const model::Heads& heads,
                                     const std::vector<Segment>& segments)
    : cache_(cache), heads_(heads), segments_(segments) {
    int64_t row = 0;
    for (const Segment& segment : segments) {
        const int tokens = static_cast<int>(segment.tokens.size());
        for (int first = 0; first < tokens; first += kQueryBlock)
            for (int64_t head = 0; head < heads.keys; ++head)
                tasks_.push_back({&segment, row, first, std::min(tokens, first + kQueryBlock), head});
        row += tokens;
    }
}

void CpuPagedAttention::store(int layer, const float* qkv) {
    const int64_t width = heads_.keys * heads_.width;
    float* keys = cache_.keys.select(0, layer).mutable_data_ptr<float>();
    float* values = cache_.values.select(0, layer).mutable_data_ptr<float>();
    for (const Segment& segment : segments_)
        for (size_t i = 0; i < segment.tokens.size(); ++i, qkv += heads_.row()) {
            const int position = segment.start + static_cast<int>(i);
            const int block = (*segment.blocks)[static_cast<size_t>(position / cache_.block_size)];
            const int64_t slot =
                (static_cast<int64_t>(block) * cache_.block_size + position % cache_.block_size) * width;
            const float* key = qkv + heads_.queries * heads_.width;
            std::copy_n(key, width, keys + slot);
            std::copy_n(key + width, width, values + slot);
        }
}

void CpuPagedAttention::attend(int layer, const Task& task, const float* qkv, float* out) const {
    const int64_t width = heads_.width, group = heads_.queries / heads_.keys;
    const int64_t token = heads_.keys * width, block = token * cache_.block_size;
    const float* keys = cache_.keys.select(0, layer).const_data_ptr<float>() + task.key_head * width;
    const float* values = cache_.values.select(0, layer).const_data_ptr<float>() + task.key_head * width;
    const int last = task.segment->start + task.last;
    std::vector<const float*> key_pages, value_pages;
    for (int i = 0; i * cache_.block_size < last; ++i) {
        const int64_t at = (*task.segment->blocks)[static_cast<size_t>(i)] * block;
        key_pages.push_back(keys + at);
        value_pages.push_back(values + at);
    }
    int visible[kQueryBlock];
    for (int i = task.first; i < task.last; ++i) visible[i - task.first] = task.segment->start + i + 1;
    model::HeadAttention one;
    one.visible = visible;
    one.rows = task.last - task.first;
    one.width = width;
    one.query_stride = heads_.row();
    one.out_stride = heads_.queries * width;
    one.keys = key_pages.data();
    one.values = value_pages.data();
    one.page = cache_.block_size;
    one.key_stride = token;
    one.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(width)));
    const int64_t row = task.row + task.first;
    for (int64_t head = task.key_head * group; head < (task.key_head + 1) * group; ++head) {
        one.queries = qkv + row * heads_.row() + head * width;
        one.out = out + row * one.out_stride + head * width;
        model::cpu_kernels().attend(one);
    }
}

void CpuPagedAttention::attend(int layer, const at::Tensor& qkv, at::Tensor& out) {
    const float* from = qkv.const_data_ptr<float>();
    float* to = out.mutable_data_ptr<float>();
    store(layer, from);
    at::parallel_for(0, static_cast<int64_t>(tasks_.size()), 1, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) attend(layer, tasks_[static_cast<size_t>(i)], from, to);
    });
}

}  // namespace tritonsmith::rollout
