#include "train/network/attention.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "model/packed_attention.h"
#include "train/network/upload.h"

namespace tritonsmith::train {
namespace {

using model::Heads;

double scale_of(const Heads& heads) {
    return 1.0 / std::sqrt(static_cast<double>(heads.width));
}

/// Queries, keys and values of some tokens. @param qkv [n, row] @return [n, heads, width] each
struct Parts {
    at::Tensor queries, keys, values;
};
Parts parts_of(const Heads& heads, const at::Tensor& qkv) {
    const at::Tensor all = qkv.view({qkv.size(0), heads.queries + 2 * heads.keys, heads.width});
    return {all.narrow(1, 0, heads.queries), all.narrow(1, heads.queries, heads.keys),
            all.narrow(1, heads.queries + heads.keys, heads.keys)};
}

/// Rows of one document, grouped by the key head that they read. Queries that share a key head are one
/// matrix.
class DocumentBlocks {
  public:
    explicit DocumentBlocks(const Heads& heads) : heads_(heads), group_(heads.queries / heads.keys) {}

    /// [tokens, keys, width] → [keys, tokens, width] float32
    at::Tensor by_key(const at::Tensor& rows) const {
        return rows.to(at::kFloat).transpose(0, 1).contiguous();
    }
    /// [tokens, queries, width] → [keys, group · tokens, width] float32
    at::Tensor by_query(const at::Tensor& rows) const {
        return rows.to(at::kFloat)
            .transpose(0, 1)
            .reshape({heads_.keys, group_ * rows.size(0), heads_.width});
    }
    /// The way back.
    at::Tensor to_tokens(const at::Tensor& grouped, int64_t tokens) const {
        return grouped.view({heads_.queries, tokens, heads_.width}).transpose(0, 1);
    }
    /// Scores of the queries [first, first + count) with all keys up to the last of them; those that a query
    /// must not see are -infinity. @return [keys, group · count, first + count]
    at::Tensor scores(const at::Tensor& queries, const at::Tensor& keys, int64_t first, int64_t count) const {
        at::Tensor scores = at::bmm(queries, keys.transpose(1, 2)).mul_(scale_of(heads_));
        const auto device = at::TensorOptions().device(queries.device());
        const at::Tensor hidden = at::arange(first + count, device).unsqueeze(0) >
                                  at::arange(first, first + count, device).unsqueeze(1);
        scores.view({heads_.queries, count, first + count})
            .masked_fill_(hidden, -std::numeric_limits<float>::infinity());
        return scores;
    }

  private:
    Heads heads_;
    int64_t group_;
};

/// Queries that one product takes: bounds the memory of scores.
constexpr int64_t query_block = 256;

/// Calls f(first, count) for the blocks of a document.
template <class Function>
void for_blocks(int64_t length, const Function& f) {
    for (int64_t first = 0; first < length; first += query_block)
        f(first, std::min(query_block, length - first));
}

}  // namespace

DocumentAttention::DocumentAttention(const Heads& heads, std::vector<int64_t> lengths, at::Device device,
                                     bool exact)
    : heads_(heads), lengths_(std::move(lengths)), exact_(exact) {
    std::vector<int> starts = {0};
    for (const int64_t length : lengths_) {
        if (length < 1 || length > (int64_t{1} << 30) - starts.back())
            throw InputError("a document must have at least one token, all together at most 2^30");
        starts.push_back(starts.back() + static_cast<int>(length));
        longest_ = std::max(longest_, length);
    }
    starts_ = upload(at::tensor(starts, at::kInt), device);
}

bool DocumentAttention::uses_flash(const at::Tensor& qkv) const {
    // The flash operator takes 16 bits, and heads of up to 256 elements.
    return qkv.is_cuda() && qkv.scalar_type() != at::kFloat && heads_.width <= 256 && heads_.width % 8 == 0;
}

DocumentAttention::Result DocumentAttention::flash_forward(const at::Tensor& qkv) const {
    const Parts parts = parts_of(heads_, qkv);
    const auto results = at::_flash_attention_forward(parts.queries, parts.keys, parts.values, starts_,
                                                      starts_, longest_, longest_, 0.0, true, false);
    return {std::get<0>(results).reshape({qkv.size(0), heads_.queries * heads_.width}), std::get<1>(results),
            std::get<2>(results)};
}

at::Tensor DocumentAttention::flash_backward(const at::Tensor& gradient, const at::Tensor& qkv,
                                             const Result& result) const {
    const Parts parts = parts_of(heads_, qkv);
    const int64_t n = qkv.size(0);
    const auto rows = [&](const at::Tensor& values) {
        return values.view({n, heads_.queries, heads_.width});
    };
    const auto [queries, keys, values] = at::_flash_attention_backward(
        rows(gradient.contiguous()), parts.queries, parts.keys, parts.values, rows(result.values),
        result.log_normalisers, starts_, starts_, longest_, longest_, 0.0, true, result.random_state,
        at::empty({0}, qkv.options().dtype(at::kLong)));
    return at::cat({queries, keys, values}, 1).view({n, heads_.row()});
}

DocumentAttention::Result DocumentAttention::forward(const at::Tensor& qkv) const {
    if (uses_flash(qkv)) return flash_forward(qkv);
    const Parts parts = parts_of(heads_, qkv);
    const DocumentBlocks blocks(heads_);
    const int64_t n = qkv.size(0);
    Result result{at::empty({n, heads_.queries * heads_.width}, qkv.options()),
                  at::empty({heads_.queries, n}, qkv.options().dtype(at::kFloat)),
                  {}};
    const at::Tensor out = result.values.view({n, heads_.queries, heads_.width});
    int64_t start = 0;
    for (const int64_t length : lengths_) {
        const at::Tensor keys = blocks.by_key(parts.keys.narrow(0, start, length)),
                         values = blocks.by_key(parts.values.narrow(0, start, length));
        for_blocks(length, [&](int64_t first, int64_t count) {
            const at::Tensor queries = blocks.by_query(parts.queries.narrow(0, start + first, count));
            const at::Tensor scores = blocks.scores(queries, keys.narrow(1, 0, first + count), first, count);
            const at::Tensor normaliser = at::logsumexp(scores, {-1}, true);
            result.log_normalisers.narrow(1, start + first, count)
                .copy_(normaliser.view({heads_.queries, count}));
            if (exact_) return;
            const at::Tensor attended =
                at::bmm((scores - normaliser).exp_(), values.narrow(1, 0, first + count));
            out.narrow(0, start + first, count).copy_(blocks.to_tokens(attended, count));
        });
        start += length;
    }
    if (exact_) model::PackedAttention(heads_, lengths_, qkv.device()).attend(0, qkv, result.values);
    return result;
}

at::Tensor DocumentAttention::backward(const at::Tensor& gradient, const at::Tensor& qkv,
                                       const Result& result) const {
    if (uses_flash(qkv)) return flash_backward(gradient, qkv, result);
    const Parts parts = parts_of(heads_, qkv);
    const DocumentBlocks blocks(heads_);
    const int64_t n = qkv.size(0);
    const at::Tensor out_gradient = gradient.view({n, heads_.queries, heads_.width});
    at::Tensor all = at::empty_like(qkv);
    const Parts gradients = parts_of(heads_, all);
    int64_t start = 0;
    for (const int64_t length : lengths_) {
        const at::Tensor keys = blocks.by_key(parts.keys.narrow(0, start, length)),
                         values = blocks.by_key(parts.values.narrow(0, start, length));
        const at::Tensor keys_gradient = at::zeros_like(keys), values_gradient = at::zeros_like(values);
        for_blocks(length, [&](int64_t first, int64_t count) {
            const auto grouped = [&](const at::Tensor& rows) {
                return blocks.by_query(rows.narrow(0, start + first, count));
            };
            const int64_t visible = first + count;
            const at::Tensor queries = grouped(parts.queries), into = grouped(out_gradient);
            const at::Tensor seen_keys = keys.narrow(1, 0, visible),
                             seen_values = values.narrow(1, 0, visible);
            const at::Tensor normaliser =
                result.log_normalisers.narrow(1, start + first, count).reshape({heads_.keys, -1, 1});
            const at::Tensor weights = (blocks.scores(queries, seen_keys, first, count) - normaliser).exp_();
            // dS = P (dP - rowsum(P dP)). FlashAttention-2's rowsum(dO O) is the same number, but with O
            // rounded to 16 bits its error is that of all keys of a query: it doubles the error of q's and
            // k's gradients.
            const at::Tensor weights_gradient = at::bmm(into, seen_values.transpose(1, 2));
            const at::Tensor mean = (weights * weights_gradient).sum(-1, true);
            const at::Tensor scores_gradient = (weights_gradient - mean).mul_(weights).mul_(scale_of(heads_));
            gradients.queries.narrow(0, start + first, count)
                .copy_(blocks.to_tokens(at::bmm(scores_gradient, seen_keys), count));
            keys_gradient.narrow(1, 0, visible).add_(at::bmm(scores_gradient.transpose(1, 2), queries));
            values_gradient.narrow(1, 0, visible).add_(at::bmm(weights.transpose(1, 2), into));
        });
        gradients.keys.narrow(0, start, length).copy_(keys_gradient.transpose(0, 1));
        gradients.values.narrow(0, start, length).copy_(values_gradient.transpose(0, 1));
        start += length;
    }
    return all;
}

}  // namespace tritonsmith::train
