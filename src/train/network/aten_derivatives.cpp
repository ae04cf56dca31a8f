#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include "train/network/cuda/derivatives.h"
#include "train/network/derivatives.h"

namespace tritonsmith::train {
namespace {

/// RMSNorm's over the last dimension, in float32.
at::Tensor norm_derivative(const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& weight,
                           double epsilon, at::Tensor& weight_gradient) {
    const at::Tensor wide = x.to(at::kFloat);
    const at::Tensor scale = at::rsqrt(wide.square().mean(-1, true) + epsilon), normed = wide * scale;
    if (weight_gradient.defined())
        weight_gradient.add_((gradient * normed).reshape({-1, weight.size(0)}).sum(0));
    const at::Tensor inner = gradient * weight.to(at::kFloat);
    // d normed / dx is scale (1 - normed normedᵀ / width).
    return (inner - normed * (inner * normed).mean(-1, true)) * scale;
}

class AtenDerivatives : public Derivatives {
  public:
    at::Tensor rms_norm(const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& weight,
                        double epsilon, const at::Tensor& added, at::Tensor& weight_gradient) const override {
        const at::Tensor own = norm_derivative(gradient.to(at::kFloat), x, weight, epsilon, weight_gradient);
        return (added.defined() ? own + added : own).to(x.scalar_type());
    }

    void rotate(at::Tensor& gradient, const at::Tensor& qkv, const model::Heads& heads,
                const at::Tensor& q_norm, const at::Tensor& k_norm, double epsilon,
                const model::RopeAngles& angles, at::Tensor& q_gradient,
                at::Tensor& k_gradient) const override {
        const auto rows = [&](const at::Tensor& table) {  // rounded as the rotation rounds them
            const at::Tensor half = angles.rows.defined() ? table.index_select(0, angles.rows) : table;
            const at::Tensor used = half.to(qkv.scalar_type()).to(at::kFloat);
            return at::cat({used, used}, -1).unsqueeze(1);
        };
        const at::Tensor cos = rows(angles.cos), sin = rows(angles.sin);
        const auto part = [&](const at::Tensor& all, int64_t first, int64_t count) {
            return all.view({all.size(0), heads.queries + 2 * heads.keys, heads.width})
                .narrow(1, first, count);
        };
        const auto back = [&](int64_t first, int64_t count, const at::Tensor& norm,
                              at::Tensor& norm_gradient) {
            const at::Tensor place = part(gradient, first, count), wide = place.to(at::kFloat);
            const int64_t half = heads.width / 2;
            const at::Tensor turned =
                at::cat({wide.narrow(-1, half, half), -wide.narrow(-1, 0, half)}, -1);  // the other way round
            at::Tensor result = wide * cos + turned * sin;
            if (norm.defined())
                result = norm_derivative(result, part(qkv, first, count), norm, epsilon, norm_gradient);
            place.copy_(result);
        };
        back(0, heads.queries, q_norm, q_gradient);
        back(heads.queries, heads.keys, k_norm, k_gradient);
    }

    at::Tensor silu_mul(const at::Tensor& gradient, const at::Tensor& gate_up) const override {
        const int64_t width = gate_up.size(1) / 2;
        const at::Tensor gates = gate_up.narrow(1, 0, width).to(at::kFloat),
                         ups = gate_up.narrow(1, width, width).to(at::kFloat), wide = gradient.to(at::kFloat);
        at::Tensor result = at::empty_like(gate_up);
        result.narrow(1, 0, width).copy_(at::silu_backward(wide * ups, gates));
        result.narrow(1, width, width).copy_(wide * at::silu(gates));
        return result;
    }

    at::Tensor log_softmax(at::Tensor& logits, const at::Tensor& normalisers, const at::Tensor& targets,
                           const TargetGradients& gradients, at::ScalarType dtype) const override {
        // With log p = z_target - lse: dlse/dz = softmax(z).
        at::Tensor factor = -gradients.log_probabilities;
        if (gradients.log_normalisers.defined()) factor = factor + gradients.log_normalisers;
        logits.sub_(normalisers.unsqueeze(1)).exp_().mul_(factor.unsqueeze(1));
        logits.scatter_add_(1, targets.unsqueeze(1), gradients.log_probabilities.unsqueeze(1));
        return logits.to(dtype);
    }
};

}  // namespace

const Derivatives& aten_derivatives() {
    static const AtenDerivatives derivatives;
    return derivatives;
}

const Derivatives& derivatives_on(at::Device device) {
    return device.is_cuda() ? cuda_derivatives() : aten_derivatives();
}

const model::Operators& operators_on(at::Device device, bool exact) {
    if (device.is_cuda()) return model::cuda_operators(exact);
    return exact ? model::cpu_operators() : model::aten_operators();
}

}  // namespace tritonsmith::train
