#include "train/network/operations.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

namespace tritonsmith::train {
namespace {

/// Halves a and b of each head: [-b, a].
at::Tensor half_turned(const at::Tensor& x) {
    const int64_t half = x.size(-1) / 2;
    return at::cat({-x.narrow(-1, half, half), x.narrow(-1, 0, half)}, -1);
}

at::Tensor both_halves(const at::Tensor& angles) {
    return at::cat({angles, angles}, -1);
}

}  // namespace

Normed rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon) {
    const at::Tensor wide = x.to(at::kFloat);
    const at::Tensor scale = at::rsqrt(wide.square().mean(-1, true) + epsilon);
    return {weight * (wide * scale).to(x.scalar_type()), scale};
}

at::Tensor rms_norm_backward(const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& scale,
                             const at::Tensor& weight, at::Tensor& weight_gradient) {
    const at::Tensor wide = gradient.to(at::kFloat);
    const at::Tensor normed = x.to(at::kFloat) * scale;
    weight_gradient.add_((wide * normed).reshape({-1, weight.size(0)}).sum(0));
    const at::Tensor inner = wide * weight.to(at::kFloat);
    // d normed / dx is scale (1 - normed normedᵀ / width).
    return ((inner - normed * (inner * normed).mean(-1, true)) * scale).to(x.scalar_type());
}

at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
    return bias.defined() ? at::addmm(bias, x, weight.t()) : at::mm(x, weight.t());
}

at::Tensor linear_backward(const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& weight,
                           at::Tensor& weight_gradient, at::Tensor& bias_gradient) {
    add_product(weight_gradient, gradient, x);
    if (bias_gradient.defined()) bias_gradient.add_(gradient.to(at::kFloat).sum(0));
    return at::mm(gradient, weight);
}

void add_product(at::Tensor& into, const at::Tensor& left, const at::Tensor& right) {
    if (into.scalar_type() == right.scalar_type())
        into.addmm_(left.t(), right);
    else if (into.is_cuda() && into.scalar_type() == at::kFloat)
        into.add_(at::mm(left.t(), right, at::kFloat));  // 16-bit factors, rounded nowhere
    else
        into.add_(at::mm(left.t().to(at::kFloat), right.to(at::kFloat)));
}

at::Tensor silu_mul(const at::Tensor& gate_up) {
    const int64_t width = gate_up.size(1) / 2;
    return at::silu(gate_up.narrow(1, 0, width)) * gate_up.narrow(1, width, width);
}

at::Tensor silu_mul_backward(const at::Tensor& gradient, const at::Tensor& gate_up) {
    const int64_t width = gate_up.size(1) / 2;
    const at::Tensor gates = gate_up.narrow(1, 0, width).to(at::kFloat),
                     ups = gate_up.narrow(1, width, width).to(at::kFloat), wide = gradient.to(at::kFloat);
    at::Tensor result = at::empty_like(gate_up);
    result.narrow(1, 0, width).copy_(at::silu_backward(wide * ups, gates));
    result.narrow(1, width, width).copy_(wide * at::silu(gates));
    return result;
}

at::Tensor embed(const at::Tensor& table, const at::Tensor& tokens) {
    return at::embedding(table, tokens);
}

void embed_backward(const at::Tensor& gradient, const at::Tensor& tokens, at::Tensor& table_gradient) {
    // Summed for the batch's different tokens only: a whole table of gradients may take gigabytes.
    const auto [different, place, counts] = at::_unique2(tokens, true, true);
    const at::Tensor sums =
        at::embedding_dense_backward(gradient.to(at::kFloat), place, different.size(0), -1, false);
    table_gradient.index_add_(0, different, sums.to(table_gradient.scalar_type()));
}

at::Tensor turn(const at::Tensor& x, const Angles& angles) {
    return x * both_halves(angles.cos) + half_turned(x) * both_halves(angles.sin);
}

at::Tensor turn_back(const at::Tensor& gradient, const Angles& angles) {
    const at::Tensor wide = gradient.to(at::kFloat);
    return wide * both_halves(angles.cos) - half_turned(wide) * both_halves(angles.sin);
}

}  // namespace tritonsmith::train
