#include "train/network/layer.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

namespace tritonsmith::train {
namespace {

/// Queries, or keys, of all tokens: [n, heads, head_dim].
at::Tensor heads_of(const LayerContext& context, const at::Tensor& qkv, bool keys) {
    const model::Heads& heads = context.heads;
    return qkv.view({qkv.size(0), heads.queries + 2 * heads.keys, heads.width})
        .narrow(1, keys ? heads.queries : 0, keys ? heads.keys : heads.queries);
}

at::Tensor rotate(const LayerContext& context, const model::LayerWeights& weights, const at::Tensor& qkv) {
    at::Tensor rotated = qkv.clone();
    for (const bool keys : {false, true}) {
        const at::Tensor& norm = keys ? weights.k_norm : weights.q_norm;
        const at::Tensor raw = heads_of(context, qkv, keys);
        const at::Tensor normed =
            norm.defined() ? rms_norm(raw, norm, context.config.norm_epsilon).values : raw;
        heads_of(context, rotated, keys).copy_(turn(normed, context.angles));
    }
    return rotated;
}

/// @param gradient of rotate()'s result, which becomes that of its argument
void rotate_backward(const LayerContext& context, const model::LayerWeights& weights, const at::Tensor& qkv,
                     at::Tensor& gradient, model::LayerWeights& gradients) {
    for (const bool keys : {false, true}) {
        const at::Tensor& norm = keys ? weights.k_norm : weights.q_norm;
        const at::Tensor part = heads_of(context, gradient, keys);
        at::Tensor turned = turn_back(part, context.angles);
        if (norm.defined()) {
            const at::Tensor raw = heads_of(context, qkv, keys);
            const at::Tensor scale = rms_norm(raw, norm, context.config.norm_epsilon).scale;
            turned = rms_norm_backward(turned, raw, scale, norm, keys ? gradients.k_norm : gradients.q_norm);
        }
        part.copy_(turned);
    }
}

/// Computes again what forget() dropped.
void complete(const LayerContext& context, const model::LayerWeights& weights, LayerTape& tape) {
    if (!tape.qkv.defined()) {
        const at::Tensor input = tape.input;
        layer_forward(context, weights, input, tape);
        return;
    }
    const double epsilon = context.config.norm_epsilon;
    if (!tape.input_norm.values.defined()) tape.input_norm = rms_norm(tape.input, weights.input_norm, epsilon);
    if (!tape.rotated.defined()) tape.rotated = rotate(context, weights, tape.qkv);
    if (!tape.post_norm.values.defined()) tape.post_norm = rms_norm(tape.middle, weights.post_norm, epsilon);
    if (!tape.gated.defined()) tape.gated = silu_mul(tape.gate_up);
}

}  // namespace

at::Tensor layer_forward(const LayerContext& context, const model::LayerWeights& weights, const at::Tensor& x,
                         LayerTape& tape) {
    const double epsilon = context.config.norm_epsilon;
    tape.input = x;
    tape.input_norm = rms_norm(x, weights.input_norm, epsilon);
    tape.qkv = linear(tape.input_norm.values, weights.qkv.values, weights.qkv_bias);
    tape.rotated = rotate(context, weights, tape.qkv);
    tape.attended = context.attention.forward(tape.rotated);
    tape.middle = x + linear(tape.attended.values, weights.output.values, weights.output_bias);
    tape.post_norm = rms_norm(tape.middle, weights.post_norm, epsilon);
    tape.gate_up = linear(tape.post_norm.values, weights.gate_up.values, weights.gate_up_bias);
    tape.gated = silu_mul(tape.gate_up);
    return tape.middle + linear(tape.gated, weights.down.values, weights.down_bias);
}

void forget(LayerTape& tape, Recompute recompute) {
    if (recompute == Recompute::nothing) return;
    if (recompute == Recompute::layer) {
        const at::Tensor input = tape.input;
        tape = {};
        tape.input = input;
        return;
    }
    tape.input_norm = tape.post_norm = {};
    tape.rotated = tape.gated = at::Tensor();
}

at::Tensor layer_backward(const LayerContext& context, const model::LayerWeights& weights, LayerTape& tape,
                          const at::Tensor& gradient, model::LayerWeights& gradients) {
    complete(context, weights, tape);
    const at::Tensor gated_gradient = linear_backward(gradient, tape.gated, weights.down.values,
                                                      gradients.down.values, gradients.down_bias);
    const at::Tensor gate_up_gradient = silu_mul_backward(gated_gradient, tape.gate_up);
    const at::Tensor post_gradient =
        linear_backward(gate_up_gradient, tape.post_norm.values, weights.gate_up.values,
                        gradients.gate_up.values, gradients.gate_up_bias);
    const at::Tensor middle_gradient =
        gradient + rms_norm_backward(post_gradient, tape.middle, tape.post_norm.scale, weights.post_norm,
                                     gradients.post_norm);
    const at::Tensor attended_gradient =
        linear_backward(middle_gradient, tape.attended.values, weights.output.values, gradients.output.values,
                        gradients.output_bias);
    at::Tensor qkv_gradient = context.attention.backward(attended_gradient, tape.rotated, tape.attended);
    rotate_backward(context, weights, tape.qkv, qkv_gradient, gradients);
    const at::Tensor input_gradient = linear_backward(
        qkv_gradient, tape.input_norm.values, weights.qkv.values, gradients.qkv.values, gradients.qkv_bias);
    return middle_gradient + rms_norm_backward(input_gradient, tape.input, tape.input_norm.scale,
                                               weights.input_norm, gradients.input_norm);
}

}  // namespace tritonsmith::train
