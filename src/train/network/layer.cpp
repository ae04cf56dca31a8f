#include "train/network/layer.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include "train/network/products.h"

namespace tritonsmith::train {
namespace {

at::Tensor rotated(const LayerContext& context, const model::LayerWeights& weights, const at::Tensor& qkv) {
    at::Tensor result = qkv.clone();
    context.operators.rotate(result, context.heads, weights.q_norm, weights.k_norm,
                             context.config.norm_epsilon, context.angles, nullptr);
    return result;
}

/// Computes again what forget() dropped.
void complete(const LayerContext& context, const model::LayerWeights& weights, LayerTape& tape) {
    if (!tape.qkv.defined()) {
        const at::Tensor input = tape.input;
        layer_forward(context, weights, input, tape);
        return;
    }
    const model::Operators& ops = context.operators;
    const double epsilon = context.config.norm_epsilon;
    if (!tape.input_normed.defined())
        tape.input_normed = ops.rms_norm(tape.input, weights.input_norm, epsilon);
    if (!tape.rotated.defined()) tape.rotated = rotated(context, weights, tape.qkv);
    if (!tape.post_normed.defined()) tape.post_normed = ops.rms_norm(tape.middle, weights.post_norm, epsilon);
    if (!tape.gated.defined()) tape.gated = ops.silu_mul(tape.gate_up);
}

}  // namespace

at::Tensor layer_forward(const LayerContext& context, const model::LayerWeights& weights, const at::Tensor& x,
                         LayerTape& tape) {
    const model::Operators& ops = context.operators;
    const double epsilon = context.config.norm_epsilon;
    const at::ScalarType dtype = x.scalar_type();
    tape.input = x;
    tape.input_normed = ops.rms_norm(x, weights.input_norm, epsilon);
    tape.qkv = ops.linear(tape.input_normed, weights.qkv, weights.qkv_bias, dtype);
    tape.rotated = rotated(context, weights, tape.qkv);
    tape.attended = context.attention.forward(tape.rotated);
    tape.middle = x + ops.linear(tape.attended.values, weights.output, weights.output_bias, dtype);
    tape.post_normed = ops.rms_norm(tape.middle, weights.post_norm, epsilon);
    tape.gate_up = ops.linear(tape.post_normed, weights.gate_up, weights.gate_up_bias, dtype);
    tape.gated = ops.silu_mul(tape.gate_up);
    return tape.middle + ops.linear(tape.gated, weights.down, weights.down_bias, dtype);
}

void forget(LayerTape& tape, Recompute recompute) {
    if (recompute == Recompute::nothing) return;
    if (recompute == Recompute::layer) {
        const at::Tensor input = tape.input;
        tape = {};
        tape.input = input;
        return;
    }
    tape.input_normed = tape.rotated = tape.post_normed = tape.gated = at::Tensor();
}

at::Tensor layer_backward(const LayerContext& context, const model::LayerWeights& weights, LayerTape& tape,
                          const at::Tensor& gradient, model::LayerWeights& gradients) {
    complete(context, weights, tape);
    const Derivatives& derivatives = context.derivatives;
    const double epsilon = context.config.norm_epsilon;
    const at::Tensor by_gated = linear_derivative(gradient, tape.gated, weights.down.values,
                                                  gradients.down.values, gradients.down_bias);
    const at::Tensor by_gate_up = derivatives.silu_mul(by_gated, tape.gate_up);
    const at::Tensor by_post = linear_derivative(by_gate_up, tape.post_normed, weights.gate_up.values,
                                                 gradients.gate_up.values, gradients.gate_up_bias);
    const at::Tensor by_middle =
        derivatives.rms_norm(by_post, tape.middle, weights.post_norm, epsilon, gradient, gradients.post_norm);
    const at::Tensor by_attended = linear_derivative(by_middle, tape.attended.values, weights.output.values,
                                                     gradients.output.values, gradients.output_bias);
    at::Tensor by_qkv = context.attention.backward(by_attended, tape.rotated, tape.attended);
    derivatives.rotate(by_qkv, tape.qkv, context.heads, weights.q_norm, weights.k_norm, epsilon,
                       context.angles, gradients.q_norm, gradients.k_norm);
    const at::Tensor by_input = linear_derivative(by_qkv, tape.input_normed, weights.qkv.values,
                                                  gradients.qkv.values, gradients.qkv_bias);
    return derivatives.rms_norm(by_input, tape.input, weights.input_norm, epsilon, by_middle,
                                gradients.input_norm);
}

}  // namespace tritonsmith::train
