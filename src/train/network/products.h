#pragma once

#include <ATen/core/Tensor.h>

/// Derivatives of products and look-ups, on any device. Gradients of weights are added to, in their own
/// dtype.
namespace tritonsmith::train {

/// into += leftᵀ · right. @param left [n, rows]  @param right [n, columns], of the same dtype
void add_product(at::Tensor& into, const at::Tensor& left, const at::Tensor& right);
/// Of x · weightᵀ + bias. @param gradient [n, outputs]  @param x [n, inputs]  @param weight [outputs, inputs]
/// @param weight_gradient undefined where the weight stays @param bias_gradient undefined where there is no
/// bias or it stays @return [n, inputs]
at::Tensor linear_derivative(const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& weight,
                             at::Tensor& weight_gradient, at::Tensor& bias_gradient);
/// Of rows of a table; the order of sums does not depend on how they are computed. @param gradient [n, width]
/// @param tokens [n] int64  @param table_gradient undefined where the table stays
void embedding_derivative(const at::Tensor& gradient, const at::Tensor& tokens, at::Tensor& table_gradient);

}  // namespace tritonsmith::train
