#include "run/worker/aten/attention.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/_safe_softmax.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/ones.h>

#include <cmath>
#include <limits>
#include <unordered_map>

namespace tritonsmith::run {
namespace {

using c10::IValue;

constexpr double kLargestExponent = 700;  ///< of which float64 has the exponential

/// Places of the arguments that not every operator has in one place; -1: it has none.
struct AttentionPlaces {
    int mask, causal, scale;
};

const AttentionPlaces* places_of(std::string_view op) {
    static const std::unordered_map<std::string_view, AttentionPlaces> table{
        // (q, k, v, bias?, compute_log_sumexp, dropout_p, is_causal, *, scale)
        {"aten::_scaled_dot_product_efficient_attention", {3, 6, 7}},
        // (q, k, v, bias?, compute_log_sumexp, dropout_p, is_causal, debug, *, scale)
        {"aten::_scaled_dot_product_cudnn_attention", {3, 6, 8}},
        // (q, k, v, dropout_p, is_causal, debug, *, scale)
        {"aten::_scaled_dot_product_flash_attention", {-1, 4, 6}},
        // (q, k, v, dropout_p, is_causal, *, mask?, scale)
        {"aten::_scaled_dot_product_flash_attention_for_cpu", {5, 4, 6}},
    };
    const auto found = table.find(op);
    return found == table.end() ? nullptr : &found->second;
}

/// One of the outermost dimension (a sample): all scores of a call need not fit into memory.
AttentionCall sample(const AttentionCall& call, int64_t index) {
    AttentionCall one = call;
    for (at::Tensor* operand : {&one.q, &one.k, &one.v}) *operand = operand->select(0, index);
    if (one.mask && one.mask->dim() == call.q.dim())
        one.mask = one.mask->select(0, one.mask->size(0) == 1 ? 0 : index);
    return one;
}

/// What `of` makes of each sample and its probabilities: as large as the result.
template <class Of>
at::Tensor by_sample(const AttentionCall& call, Of of) {
    std::vector<int64_t> shape = call.q.sizes().vec();
    shape.back() = call.v.size(-1);
    at::Tensor out = at::empty(shape, call.q.options());
    for (int64_t i = 0; i < call.q.size(0); ++i) {
        const AttentionCall one = sample(call, i);
        out.select(0, i).copy_(of(one, at::_safe_softmax(attention_scores(one), -1)));
    }
    return out;
}

/// What roundings change in each score, in half units as Perturbation has them of a product: those of float32
/// of its partial sums, and of what is computed from the sum; and those of queries that are scaled before the
/// product, in the type that tensor cores take (`queries`), as published kernels do who use exp2.
at::Tensor score_rounding(const AttentionCall& call, const numerics::Format& queries) {
    constexpr double spacing = 0x1p-23;
    const double root = std::sqrt(static_cast<double>(call.q.size(-1)));
    const at::Tensor keys = call.k.transpose(-2, -1);
    const double sums = spacing * (1 + root / 2);
    return call.q.square()
        .matmul(keys.square())
        .sqrt_()
        .mul_(sums + queries.mean_half_unit())
        .add_(call.q.matmul(keys).abs_(), sums)
        .mul_(std::abs(call.scale));
}

}  // namespace

bool is_attention(const plan::AtenStep& step) {
    return places_of(step.op) != nullptr;
}

std::optional<AttentionCall> attention_call(std::string_view op, const std::vector<IValue>& arguments) {
    const AttentionPlaces* places = places_of(op);
    if (!places) return std::nullopt;
    auto at = [&](int place) { return place < 0 ? IValue() : arguments.at(static_cast<size_t>(place)); };
    AttentionCall call{at(0).toTensor(), at(1).toTensor(), at(2).toTensor(), std::nullopt, false, 1};
    const int64_t heads = call.q.dim() == 4 ? call.q.size(1) : 0, shared = heads ? call.k.size(1) : 0;
    // Grouped queries: consecutive heads of q share one of k and v.
    if (shared > 0 && heads != shared && heads % shared == 0) {
        call.k = call.k.repeat_interleave(heads / shared, 1);
        call.v = call.v.repeat_interleave(heads / shared, 1);
    }
    if (const IValue mask = at(places->mask); !mask.isNone()) call.mask = mask.toTensor();
    call.causal = at(places->causal).toBool();
    const IValue scale = at(places->scale);
    call.scale = scale.isNone() ? 1 / std::sqrt(static_cast<double>(call.q.size(-1))) : scale.toDouble();
    return call;
}

at::Tensor attention_scores(const AttentionCall& call) {
    const at::ScalarType type = call.q.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    at::Tensor scores = call.q.to(type).matmul(call.k.to(type).transpose(-2, -1)).mul_(call.scale);
    if (call.mask) scores = scores + *call.mask;
    if (call.causal)
        scores.masked_fill_(at::ones({call.q.size(-2), call.k.size(-2)}, call.q.options().dtype(at::kBool))
                                .tril()
                                .logical_not(),
                            -std::numeric_limits<double>::infinity());
    return scores;
}

at::Tensor attention_magnitude(const AttentionCall& call) {
    return by_sample(call, [](const AttentionCall& one, const at::Tensor& p) {
        const at::Tensor scores = one.q.abs().matmul(one.k.abs().transpose(-2, -1));
        return (p * (scores.mul_(std::abs(one.scale)) + 1)).matmul(one.v.abs());
    });
}

at::Tensor attention_rounding(const AttentionCall& call, const numerics::Format& probabilities,
                              const numerics::Format& queries) {
    return by_sample(call, [&](const AttentionCall& one, const at::Tensor& p) {
        const at::Tensor squares = one.v.square(), result = p.matmul(one.v);
        const at::Tensor rounded =
            at::maximum(p * probabilities.mean_half_unit(), p.clamp_max(probabilities.subnormal / 2))
                .square_();
        // What lies below half of the least number is lost altogether: those errors are all of one sign.
        const at::Tensor lost = p.masked_fill(p.gt(probabilities.subnormal / 2), 0).matmul(one.v).square_();
        // An error d of a score makes of p, relative to the others, p·e^d, and all probabilities so that
        // their sum stays one: the result moves by m·(v - result), m = p·(e^d - 1) / (1 + p·(e^d - 1)).
        const at::Tensor more = p * score_rounding(one, queries).clamp_max_(kLargestExponent).expm1_();
        const at::Tensor moved = (more / (more + 1)).square_();
        const at::Tensor by_scores = moved.matmul(squares)
                                         .sub_(moved.matmul(one.v).mul_(result).mul_(2))
                                         .add_(moved.sum(-1, true) * result.square())
                                         .clamp_min_(0);
        return rounded.matmul(squares).add_(lost).add_(by_scores).sqrt_();
    });
}

}  // namespace tritonsmith::run
