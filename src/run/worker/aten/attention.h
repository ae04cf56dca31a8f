#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <optional>
#include <string_view>
#include <vector>

#include "numerics/format.h"
#include "plan/ir/plan.h"

/// Scaled dot-product attention, whichever operator PyTorch chose for it.
namespace tritonsmith::run {

struct AttentionCall {
    at::Tensor q, k, v;  ///< [..., queries or keys, dim]; heads of k and v repeated for grouped queries
    std::optional<at::Tensor> mask;  ///< added to the scores
    bool causal = false;
    double scale = 1;
};
bool is_attention(const plan::AtenStep& step);
/// @param arguments in schema order. Nothing where the operator is no attention.
std::optional<AttentionCall> attention_call(std::string_view op, const std::vector<c10::IValue>& arguments);

/// q·kᵀ·scale + mask, in float64 where q is and else in float32; -inf for keys that are not seen.
at::Tensor attention_scores(const AttentionCall& call);

/// Kernels round the probabilities p to the type that v is stored in, and multiply then; some round q·scale
/// to the type of q; scores are sums in float32: the square root of the sum over keys of squares of what half
/// a unit of p, and the roundings of a score, change in an element.
at::Tensor attention_rounding(const AttentionCall& call, const numerics::Format& probabilities,
                              const numerics::Format& queries);
/// The sum over keys of p·(1 + |q|·|k|·scale)·|v|: what rounding errors of an element are relative to. An
/// error of a score is a relative one of p.
at::Tensor attention_magnitude(const AttentionCall& call);

}  // namespace tritonsmith::run
