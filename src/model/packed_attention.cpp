#include "model/packed_attention.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "model/cpu/kernels.h"
#include "model/cpu/parallel.h"

namespace tritonsmith::model {
namespace {

/// Queries that one task takes: their keys stay in the cache.
constexpr int64_t packed_query_block = 32;

/// @param qkv [tokens, row] float32 of one sequence  @param out [tokens, queries * width]
void attend_block(const Heads& heads, const float* qkv, int64_t first, int64_t last, int64_t key_head,
                  float* out) {
    const int64_t group = heads.queries / heads.keys;
    int visible[packed_query_block];
    for (int64_t i = first; i < last; ++i) visible[i - first] = static_cast<int>(i + 1);
    // One page: the whole sequence.
    const float* keys = qkv + (heads.queries + key_head) * heads.width;
    const float* values = keys + heads.keys * heads.width;
    HeadAttention task;
    task.visible = visible;
    task.rows = last - first;
    task.width = heads.width;
    task.query_stride = heads.row();
    task.out_stride = heads.queries * heads.width;
    task.keys = &keys;
    task.values = &values;
    task.page = last;
    task.key_stride = heads.row();
    task.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(heads.width)));
    for (int64_t head = key_head * group; head < (key_head + 1) * group; ++head) {
        task.queries = qkv + first * heads.row() + head * heads.width;
        task.out = out + first * task.out_stride + head * heads.width;
        cpu_kernels().attend(task);
    }
}

struct PackedTask {
    int64_t start, first, last, key_head;  ///< of the sequence; of the queries in it
};

std::vector<PackedTask> tasks_of(const Heads& heads, const std::vector<int64_t>& lengths) {
    std::vector<PackedTask> tasks;
    int64_t start = 0;
    for (int64_t length : lengths) {
        for (int64_t first = 0; first < length; first += packed_query_block)
            for (int64_t head = 0; head < heads.keys; ++head)
                tasks.push_back({start, first, std::min(length, first + packed_query_block), head});
        start += length;
    }
    return tasks;
}

}  // namespace

PackedAttention::PackedAttention(const Heads& heads, std::vector<int64_t> lengths, at::Device device)
    : heads_(heads), lengths_(std::move(lengths)) {
    std::vector<int> starts = {0};
    std::vector<int64_t> positions;
    for (int64_t length : lengths_) {
        if (length < 1 || length > (int64_t{1} << 30) - starts.back())
            throw InputError("a sequence must have at least one token, all together at most 2^30");
        for (int64_t i = 0; i < length; ++i) positions.push_back(i);
        starts.push_back(starts.back() + static_cast<int>(length));
        longest_ = std::max(longest_, length);
    }
    positions_ = at::tensor(positions, at::kLong).to(device);
    cu_seqlens_ = at::tensor(starts, at::kInt).to(device);
}

void PackedAttention::attend_cuda(const at::Tensor& qkv, at::Tensor& out) const {
    const int64_t tokens = qkv.size(0), width = heads_.width;
    const at::Tensor all = qkv.view({tokens, heads_.queries + 2 * heads_.keys, width});
    const at::Tensor queries = all.narrow(1, 0, heads_.queries),
                     keys = all.narrow(1, heads_.queries, heads_.keys);
    const at::Tensor values = all.narrow(1, heads_.queries + heads_.keys, heads_.keys);
    if (qkv.scalar_type() != at::kFloat) {
        const auto results = at::_flash_attention_forward(queries, keys, values, cu_seqlens_, cu_seqlens_,
                                                          longest_, longest_, 0.0, true, false);
        out.copy_(std::get<0>(results).reshape({tokens, heads_.queries * width}));
        return;
    }
    // The flash operator has no float32: one sequence at a time, for tests and small models.
    int64_t start = 0;
    for (int64_t length : lengths_) {
        const auto part = [&](const at::Tensor& rows) {
            return rows.narrow(0, start, length).transpose(0, 1).unsqueeze(0);
        };
        const at::Tensor result = at::scaled_dot_product_attention(part(queries), part(keys), part(values),
                                                                   {}, 0.0, true, {}, true);
        out.narrow(0, start, length)
            .copy_(result.squeeze(0).transpose(0, 1).reshape({length, heads_.queries * width}));
        start += length;
    }
}

void PackedAttention::attend(int, const at::Tensor& qkv, at::Tensor& out) {
    const int64_t width = heads_.width;
    if (qkv.is_cuda()) return attend_cuda(qkv, out);
    const at::Tensor wide = qkv.to(at::kFloat).contiguous();
    const at::Tensor result =
        out.scalar_type() == at::kFloat && out.is_contiguous() ? out : at::empty(out.sizes(), at::kFloat);
    const float* from = wide.const_data_ptr<float>();
    float* to = result.mutable_data_ptr<float>();
    const std::vector<PackedTask> tasks = tasks_of(heads_, lengths_);
    parallel_for(static_cast<int64_t>(tasks.size()), 1, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const PackedTask& task = tasks[static_cast<size_t>(i)];
            attend_block(heads_, from + task.start * heads_.row(), task.first, task.last, task.key_head,
                         to + task.start * heads_.queries * width);
        }
    });
    if (!result.is_same(out)) out.copy_(result);
}

}  // namespace tritonsmith::model
