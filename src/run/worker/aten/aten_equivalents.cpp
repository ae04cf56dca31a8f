#include "run/worker/aten/aten_equivalents.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/_ctc_loss.h>
#include <ATen/ops/_scaled_dot_product_attention_math.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/native_batch_norm.h>
#include <ATen/ops/native_batch_norm_backward.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "run/worker/aten/attention.h"
#include "run/worker/aten/convolve.h"

namespace tritonsmith::run {
namespace {

using c10::IValue;
using Values = std::vector<IValue>;

std::optional<at::Tensor> maybe(const IValue& value) {
    return value.isNone() ? std::nullopt : std::optional(value.toTensor());
}

std::vector<int64_t> zeros_like(const std::vector<int64_t>& list) {
    return std::vector<int64_t>(list.size(), 0);
}

/// cudnn_batch_norm(input, weight, bias?, running_mean?, running_var?, training, momentum, epsilon)
/// → (output, save_mean, save_invstd, reserve)
Values batch_norm(const Values& a) {
    auto [out, mean, invstd] =
        at::native_batch_norm(a[0].toTensor(), a[1].toTensor(), maybe(a[2]), maybe(a[3]), maybe(a[4]),
                              a[5].toBool(), a[6].toDouble(), a[7].toDouble());
    // Nothing is saved where nothing is learnt, whatever the device's own formula gives.
    if (!a[5].toBool()) mean = invstd = at::empty({0}, mean.options());
    return {out, mean, invstd, at::Tensor()};
}

/// cudnn_batch_norm_backward(input, grad_output, weight, running_mean?, running_var?, save_mean?, save_var?,
/// epsilon, reserve)
Values batch_norm_backward(const Values& a) {
    auto [input, weight, bias] = at::native_batch_norm_backward(
        a[1].toTensor(), a[0].toTensor(), a[2].toTensor(), maybe(a[3]), maybe(a[4]), maybe(a[5]), maybe(a[6]),
        true, a[7].toDouble(), {true, true, true});
    return {input, weight, bias};
}

/// convolution(input, weight, bias?, stride, padding, dilation, transposed, output_padding, groups)
Values convolution(const Values& a) {
    return {convolve({a[0].toTensor(), a[1].toTensor(), maybe(a[2]), a[3].toIntVector(), a[4].toIntVector(),
                      a[5].toIntVector(), a[6].toBool(), a[7].toIntVector(), a[8].toInt()})};
}

/// cudnn_convolution(self, weight, padding, stride, dilation, groups, benchmark, deterministic, allow_tf32)
Values cudnn_convolution(const Values& a) {
    std::vector<int64_t> padding = a[2].toIntVector();
    return {convolve({a[0].toTensor(), a[1].toTensor(), std::nullopt, a[3].toIntVector(), padding,
                      a[4].toIntVector(), false, zeros_like(padding), a[5].toInt()})};
}

/// cudnn_convolution_transpose(self, weight, padding, output_padding, stride, dilation, groups, ...)
Values convolution_transpose(const Values& a) {
    return {convolve({a[0].toTensor(), a[1].toTensor(), std::nullopt, a[4].toIntVector(), a[2].toIntVector(),
                      a[5].toIntVector(), true, a[3].toIntVector(), a[6].toInt()})};
}

/// cudnn_convolution_relu(self, weight, bias?, stride, padding, dilation, groups)
Values convolution_relu(const Values& a) {
    return {convolve({a[0].toTensor(), a[1].toTensor(), maybe(a[2]), a[3].toIntVector(), a[4].toIntVector(),
                      a[5].toIntVector(), false, zeros_like(a[4].toIntVector()), a[6].toInt()})
                .relu_()};
}

/// cudnn_convolution_add_relu(self, weight, z, alpha?, bias?, stride, padding, dilation, groups)
Values convolution_add_relu(const Values& a) {
    at::Tensor out =
        convolve({a[0].toTensor(), a[1].toTensor(), maybe(a[4]), a[5].toIntVector(), a[6].toIntVector(),
                  a[7].toIntVector(), false, zeros_like(a[6].toIntVector()), a[8].toInt()});
    return {out.add_(a[2].toTensor(), a[3].isNone() ? at::Scalar(1) : a[3].toScalar()).relu_()};
}

/// _conv_depthwise2d(self, weight, kernel_size, bias?, stride, padding, dilation); conv_depthwise3d alike
Values depthwise(const Values& a) {
    return {convolve({a[0].toTensor(), a[1].toTensor(), maybe(a[3]), a[4].toIntVector(), a[5].toIntVector(),
                      a[6].toIntVector(), false, zeros_like(a[5].toIntVector()), a[0].toTensor().size(1)})};
}

struct Attention {
    at::Tensor output, logsumexp;
};

/// softmax(q·kᵀ·scale + mask)·v, and the logarithm of each row's sum.
Attention attention(std::string_view op, const Values& arguments) {
    const AttentionCall call = attention_call(op, arguments).value();
    return {std::get<0>(at::_scaled_dot_product_attention_math(call.q, call.k, call.v, call.mask, 0.0,
                                                               call.causal, std::nullopt, call.scale,
                                                               /*enable_gqa=*/false)),
            attention_scores(call).logsumexp(-1)};
}

/// _scaled_dot_product_efficient_attention(q, k, v, bias?, compute_log_sumexp, dropout_p, is_causal, *,
/// scale)
Values efficient_attention(const Values& a) {
    Attention result = attention("aten::_scaled_dot_product_efficient_attention", a);
    return {result.output, a[4].toBool() ? result.logsumexp : at::Tensor(), at::Tensor(), at::Tensor()};
}

/// (output, logsumexp, cum_seq_q, cum_seq_k, max_q, max_k, philox_seed, philox_offset, debug_attn_mask)
Values with_lengths(const Values& a, const at::Tensor& output, const at::Tensor& logsumexp) {
    const at::Tensor none;
    return {output, logsumexp, none, none, a[0].toTensor().size(-2), a[1].toTensor().size(-2),
            none,   none,      none};
}

/// _scaled_dot_product_cudnn_attention(q, k, v, bias?, compute_log_sumexp, dropout_p, is_causal, debug, *,
/// scale)
Values cudnn_attention(const Values& a) {
    Attention result = attention("aten::_scaled_dot_product_cudnn_attention", a);
    return with_lengths(a, result.output, a[4].toBool() ? result.logsumexp : at::Tensor());
}

/// _scaled_dot_product_flash_attention(q, k, v, dropout_p, is_causal, debug, *, scale)
Values flash_attention(const Values& a) {
    Attention result = attention("aten::_scaled_dot_product_flash_attention", a);
    return with_lengths(a, result.output, result.logsumexp);
}

/// _scaled_dot_product_flash_attention_for_cpu(q, k, v, dropout_p, is_causal, *, mask?, scale): its kernel
/// computes in blocks with float32 accumulation whatever the dtype; float64 oracles want the plain formula.
Values flash_attention_for_cpu(const Values& a) {
    Attention result = attention("aten::_scaled_dot_product_flash_attention_for_cpu", a);
    return {result.output, result.logsumexp};
}

at::Tensor plus(const at::Tensor& gates, const IValue& bias) {
    return bias.isNone() ? gates : gates + bias.toTensor();
}

/// _thnn_fused_lstm_cell(input_gates, hidden_gates, cx, input_bias?, hidden_bias?) → (hy, cy, workspace);
/// gates i, f, g, o
Values lstm_cell(const Values& a) {
    at::Tensor sum = plus(a[0].toTensor(), a[3]) + plus(a[1].toTensor(), a[4]);
    std::vector<at::Tensor> gates = sum.chunk(4, 1);
    at::Tensor in = gates[0].sigmoid(), forget = gates[1].sigmoid(), cell = gates[2].tanh(),
               out = gates[3].sigmoid();
    at::Tensor cy = forget * a[2].toTensor() + in * cell;
    return {out * cy.tanh(), cy, at::Tensor()};
}

/// _thnn_fused_gru_cell(input_gates, hidden_gates, hx, input_bias?, hidden_bias?) → (hy, workspace); gates r,
/// z, n
Values gru_cell(const Values& a) {
    std::vector<at::Tensor> input = plus(a[0].toTensor(), a[3]).chunk(3, 1);
    std::vector<at::Tensor> hidden = plus(a[1].toTensor(), a[4]).chunk(3, 1);
    at::Tensor reset = (input[0] + hidden[0]).sigmoid(), update = (input[1] + hidden[1]).sigmoid();
    at::Tensor fresh = (input[2] + reset * hidden[2]).tanh();
    return {fresh + update * (a[2].toTensor() - fresh), at::Tensor()};
}

/// var(self, dim?, *, correction?, keepdim): on the CPU PyTorch sums squares of float32 numbers in float64.
/// Devices do not, and lose small ones.
struct Moments {
    at::Tensor variance, mean;
};
Moments moments(const Values& a) {
    const at::Tensor x = a[0].toTensor();
    const auto type = x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    const at::Tensor values = x.to(type);
    const std::vector<int64_t> dims = a[1].isNone() ? std::vector<int64_t>{} : a[1].toIntVector();
    const bool keep = a[3].toBool();
    const at::Tensor mean = values.mean(dims, true);
    const at::Tensor sum = values.sub(mean).square_().sum(dims, keep);
    const int64_t terms = sum.numel() == 0 ? 0 : x.numel() / sum.numel();
    const double correction = a[2].isNone() ? 1 : a[2].toScalar().toDouble();
    return {sum.div(std::max(static_cast<double>(terms) - correction, 0.0)),
            mean.reshape(sum.sizes()).to(x.scalar_type())};
}

Values variance(const Values& a) {
    return {moments(a).variance.to(a[0].toTensor().scalar_type())};
}
Values variance_and_mean(const Values& a) {
    const Moments m = moments(a);
    return {m.variance.to(m.mean.scalar_type()), m.mean};
}
Values deviation(const Values& a) {
    return {moments(a).variance.sqrt().to(a[0].toTensor().scalar_type())};
}
Values deviation_and_mean(const Values& a) {
    const Moments m = moments(a);
    return {m.variance.sqrt().to(m.mean.scalar_type()), m.mean};
}

/// _cudnn_ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, deterministic, zero_infinity)
Values ctc_loss(const Values& a) {
    auto [loss, alpha] = at::_ctc_loss(a[0].toTensor(), a[1].toTensor(), a[2].toIntVector(),
                                       a[3].toIntVector(), a[4].toInt(), a[6].toBool());
    return {loss, at::Tensor()};
}

}  // namespace

Equivalent find_equivalent(std::string_view op) {
    static const std::unordered_map<std::string_view, Equivalent> table = {
        {"aten::cudnn_batch_norm", batch_norm},
        {"aten::cudnn_batch_norm_backward", batch_norm_backward},
        {"aten::convolution", convolution},
        {"aten::cudnn_convolution", cudnn_convolution},
        {"aten::cudnn_convolution_transpose", convolution_transpose},
        {"aten::cudnn_convolution_relu", convolution_relu},
        {"aten::cudnn_convolution_add_relu", convolution_add_relu},
        {"aten::_conv_depthwise2d", depthwise},
        {"aten::conv_depthwise3d", depthwise},
        {"aten::_scaled_dot_product_efficient_attention", efficient_attention},
        {"aten::_scaled_dot_product_cudnn_attention", cudnn_attention},
        {"aten::_scaled_dot_product_flash_attention", flash_attention},
        {"aten::_scaled_dot_product_flash_attention_for_cpu", flash_attention_for_cpu},
        {"aten::_thnn_fused_lstm_cell", lstm_cell},
        {"aten::_thnn_fused_gru_cell", gru_cell},
        {"aten::_cudnn_ctc_loss", ctc_loss},
        {"aten::var.correction", variance},
        {"aten::var_mean.correction", variance_and_mean},
        {"aten::std.correction", deviation},
        {"aten::std_mean.correction", deviation_and_mean},
    };
    auto found = table.find(op);
    return found == table.end() ? nullptr : found->second;
}

}  // namespace tritonsmith::run
