#include "model/rope.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <cmath>
#include <numbers>

namespace tritonsmith::model {
namespace {

/// theta ^ (2i / head_dim) in float32.
at::Tensor position_frequencies(const Config& config) {
    const at::Tensor exponents = at::arange(0, config.head_dim, 2, at::kFloat) / config.head_dim;
    return at::pow(config.rope_theta, exponents);
}

at::Tensor llama3(const Config& config, const at::Tensor& inverse) {
    const RopeScaling& rope = config.rope;
    const double original = rope.original_positions;
    const at::Tensor wavelengths = (2 * std::numbers::pi) / inverse;
    const at::Tensor is_long = wavelengths > original / rope.low_frequency,
                     is_short = wavelengths < original / rope.high_frequency;
    const at::Tensor stretched = at::where(is_long, inverse / rope.factor, inverse);
    const at::Tensor smooth =
        (original / wavelengths - rope.low_frequency) / (rope.high_frequency - rope.low_frequency);
    const at::Tensor smoothed = (1 - smooth) * stretched / rope.factor + smooth * stretched;
    return at::where(at::logical_or(is_long, is_short), stretched, smoothed);
}

/// YaRN (arXiv 2309.00071): high frequencies stay, low ones are interpolated, a ramp lies between.
at::Tensor yarn(const Config& config, const at::Tensor& frequencies) {
    const RopeScaling& rope = config.rope;
    const int dim = config.head_dim;
    const auto dimension_of = [&](double rotations) {
        return dim * std::log(rope.original_positions / (rotations * 2 * std::numbers::pi)) /
               (2 * std::log(config.rope_theta));
    };
    double low = dimension_of(rope.beta_fast), high = dimension_of(rope.beta_slow);
    if (rope.truncate) {
        low = std::floor(low);
        high = std::ceil(high);
    }
    low = std::max(low, 0.0);
    high = std::min(high, dim - 1.0);
    if (low == high) high += 0.001;
    const at::Tensor ramp = at::clamp((at::arange(dim / 2, at::kFloat) - low) / (high - low), 0, 1);
    const at::Tensor extrapolated = 1 - ramp;
    return (1.0 / (rope.factor * frequencies)) * (1 - extrapolated) + (1.0 / frequencies) * extrapolated;
}

double yarn_attention_factor(const RopeScaling& rope) {
    if (rope.attention_factor) return *rope.attention_factor;
    return rope.factor <= 1 ? 1.0 : 0.1 * std::log(rope.factor) + 1.0;
}

}  // namespace

RopeFrequencies rope_frequencies(const Config& config) {
    const at::Tensor frequencies = position_frequencies(config);
    switch (config.rope.kind) {
        case RopeScaling::Kind::none:
            break;
        case RopeScaling::Kind::linear:
            return {1.0 / frequencies / config.rope.factor, 1.0};
        case RopeScaling::Kind::llama3:
            return {llama3(config, 1.0 / frequencies), 1.0};
        case RopeScaling::Kind::yarn:
            return {yarn(config, frequencies), yarn_attention_factor(config.rope)};
    }
    return {1.0 / frequencies, 1.0};
}

RopeRows rope_rows(const RopeFrequencies& frequencies, const at::Tensor& positions, at::ScalarType dtype) {
    const at::Tensor angles = positions.to(at::kFloat).unsqueeze(1) * frequencies.inverse;
    const auto round = [&](const at::Tensor& values) {
        return (values * frequencies.attention_factor).to(dtype).to(at::kFloat).contiguous();
    };
    return {round(angles.cos()), round(angles.sin())};
}

}  // namespace tritonsmith::model
