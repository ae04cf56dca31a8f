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

/// x · weightᵀ + bias, and what the adapter adds.
at::Tensor projected(const LayerContext& context, const at::Tensor& x, const model::Matrix& weight,
                     const at::Tensor& bias, const Adapter* adapter) {
    at::Tensor y = context.operators.linear(x, weight, bias, x.scalar_type());
    if (adapter != nullptr) add_adapted(y, x, *adapter, context.adapter_scale);
    return y;
}

/// A matrix with its adapter, or the gradients of both.
struct Trained {
    at::Tensor &weight, &bias;
    Adapter* adapter;
};

/// Of projected(). @return dL/dx
at::Tensor projected_derivative(const LayerContext& context, const at::Tensor& gradient, const at::Tensor& x,
                                const model::Matrix& weight, const Adapter* adapter,
                                const Trained& gradients) {
    at::Tensor x_gradient = linear_derivative(gradient, x, weight.values, gradients.weight, gradients.bias);
    if (adapter != nullptr)
        adapter_derivative(gradient, x, *adapter, context.adapter_scale, x_gradient, *gradients.adapter);
    return x_gradient;
}

/// Computes again what forget() dropped.
void complete(const LayerContext& context, const model::LayerWeights& weights, const LayerAdapters* adapters,
              LayerTape& tape) {
    if (!tape.qkv.defined()) {
        const at::Tensor input = tape.input;
        layer_forward(context, weights, adapters, input, tape);
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

at::Tensor layer_forward(const LayerContext& context, const model::LayerWeights& weights,
                         const LayerAdapters* adapters, const at::Tensor& x, LayerTape& tape) {
    const auto of = [&](Adapter LayerAdapters::*which) { return adapters ? &(adapters->*which) : nullptr; };
    const model::Operators& ops = context.operators;
    const double epsilon = context.config.norm_epsilon;
    tape.input = x;
    tape.input_normed = ops.rms_norm(x, weights.input_norm, epsilon);
    tape.qkv = projected(context, tape.input_normed, weights.qkv, weights.qkv_bias, of(&LayerAdapters::qkv));
    tape.rotated = rotated(context, weights, tape.qkv);
    tape.attended = context.attention.forward(tape.rotated);
    tape.middle = x + projected(context, tape.attended.values, weights.output, weights.output_bias,
                                of(&LayerAdapters::output));
    tape.post_normed = ops.rms_norm(tape.middle, weights.post_norm, epsilon);
    tape.gate_up = projected(context, tape.post_normed, weights.gate_up, weights.gate_up_bias,
                             of(&LayerAdapters::gate_up));
    tape.gated = ops.silu_mul(tape.gate_up);
    return tape.middle +
           projected(context, tape.gated, weights.down, weights.down_bias, of(&LayerAdapters::down));
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

at::Tensor layer_backward(const LayerContext& context, const model::LayerWeights& weights,
                          const LayerAdapters* adapters, LayerTape& tape, const at::Tensor& gradient,
                          model::LayerWeights& gradients, LayerAdapters* adapter_gradients) {
    complete(context, weights, adapters, tape);
    const auto back = [&](const at::Tensor& by_output, const at::Tensor& x, const model::Matrix& weight,
                          model::Matrix& weight_gradient, at::Tensor& bias_gradient,
                          Adapter LayerAdapters::*which) {
        return projected_derivative(
            context, by_output, x, weight, adapters ? &(adapters->*which) : nullptr,
            {weight_gradient.values, bias_gradient, adapters ? &(adapter_gradients->*which) : nullptr});
    };
    const Derivatives& derivatives = context.derivatives;
    const double epsilon = context.config.norm_epsilon;
    const at::Tensor by_gated =
        back(gradient, tape.gated, weights.down, gradients.down, gradients.down_bias, &LayerAdapters::down);
    const at::Tensor by_gate_up = derivatives.silu_mul(by_gated, tape.gate_up);
    const at::Tensor by_post = back(by_gate_up, tape.post_normed, weights.gate_up, gradients.gate_up,
                                    gradients.gate_up_bias, &LayerAdapters::gate_up);
    const at::Tensor by_middle =
        derivatives.rms_norm(by_post, tape.middle, weights.post_norm, epsilon, gradient, gradients.post_norm);
    const at::Tensor by_attended = back(by_middle, tape.attended.values, weights.output, gradients.output,
                                        gradients.output_bias, &LayerAdapters::output);
    at::Tensor by_qkv = context.attention.backward(by_attended, tape.rotated, tape.attended);
    derivatives.rotate(by_qkv, tape.qkv, context.heads, weights.q_norm, weights.k_norm, epsilon,
                       context.angles, gradients.q_norm, gradients.k_norm);
    const at::Tensor by_input =
        back(by_qkv, tape.input_normed, weights.qkv, gradients.qkv, gradients.qkv_bias, &LayerAdapters::qkv);
    return derivatives.rms_norm(by_input, tape.input, weights.input_norm, epsilon, by_middle,
                                gradients.input_norm);
}

}  // namespace tritonsmith::train
