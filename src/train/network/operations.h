#pragma once

#include <ATen/core/Tensor.h>

#include "model/operators.h"

/// The operations of a decoder with their derivatives, on any device. `gradient` is dL/d(result); what is
/// returned is dL/d(input), in the activations' dtype. Gradients of weights are added to, in their own dtype;
/// sums are in float32. Results are those of model::aten_operators(), bit for bit.
namespace tritonsmith::train {

/// x / sqrt(mean(x²) + epsilon) · weight, over the last dimension (arXiv 1910.07467).
struct Normed {
    at::Tensor values;  ///< as x
    at::Tensor scale;   ///< [..., 1] float32: 1 / sqrt(mean(x²) + epsilon)
};
Normed rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon);
at::Tensor rms_norm_backward(const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& scale,
                             const at::Tensor& weight, at::Tensor& weight_gradient);

/// x · weightᵀ + bias. @param x [n, inputs]  @param weight [outputs, inputs]  @param bias [outputs] or
/// undefined
at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);
/// @param bias_gradient undefined where there is no bias
at::Tensor linear_backward(const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& weight,
                           at::Tensor& weight_gradient, at::Tensor& bias_gradient);
/// into += leftᵀ · right. @param left [n, rows]  @param right [n, columns], of the same dtype
void add_product(at::Tensor& into, const at::Tensor& left, const at::Tensor& right);

/// silu(gates) · ups. @param gate_up [n, 2 width]: gates, then ups
at::Tensor silu_mul(const at::Tensor& gate_up);
at::Tensor silu_mul_backward(const at::Tensor& gradient, const at::Tensor& gate_up);

/// Rows of a table; the sums of the gradient's rows do not depend on the order of their computation.
at::Tensor embed(const at::Tensor& table, const at::Tensor& tokens);
void embed_backward(const at::Tensor& gradient, const at::Tensor& tokens, at::Tensor& table_gradient);

/// Cosines and sines of tokens' positions, [n, 1, head_dim / 2] of the activations' dtype.
struct Angles {
    at::Tensor cos, sin;
};
/// RoPE in Hugging Face's layout: the first half of a head is turned with the second. @param x [n, heads,
/// head_dim]
at::Tensor turn(const at::Tensor& x, const Angles& angles);
/// @return float32, not rounded between this and the derivative of a norm
at::Tensor turn_back(const at::Tensor& gradient, const Angles& angles);

}  // namespace tritonsmith::train
