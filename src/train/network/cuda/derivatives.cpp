#include "train/network/cuda/derivatives.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>

#include "kernels/kernels.h"
#include "model/cuda/operators.h"

namespace tritonsmith::train {
namespace {

using model::current_stream;
using model::dtype_of;

/// Blocks that share the rows: enough to fill a device, few enough that their sums of weights' gradients,
/// which are added up afterwards, take little. The same on all devices, so that sums are.
constexpr int64_t most_parts = 512;

int32_t row_parts(int64_t rows) {
    return static_cast<int32_t>(std::clamp<int64_t>(rows / 4, 1, most_parts));
}

const void* data_or_null(const at::Tensor& tensor) {
    return tensor.defined() ? tensor.const_data_ptr() : nullptr;
}

class CudaDerivatives : public Derivatives {
  public:
    at::Tensor rms_norm(const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& weight,
                        double epsilon, const at::Tensor& added, at::Tensor& weight_gradient) const override {
        at::Tensor out = at::empty_like(x);
        kernels::RmsNormBackward a;
        a.rows = static_cast<int32_t>(x.size(0));
        a.dim = static_cast<int32_t>(x.size(1));
        a.parts = row_parts(x.size(0));
        const at::Tensor sums = at::empty({a.parts, a.dim}, x.options().dtype(at::kFloat));
        a.out = out.mutable_data_ptr();
        a.gradient = gradient.const_data_ptr();
        a.x = x.const_data_ptr();
        a.weight = weight.const_data_ptr();
        a.added = data_or_null(added);
        a.weight_gradients = sums.mutable_data_ptr<float>();
        a.epsilon = static_cast<float>(epsilon);
        a.dtype = dtype_of(x);
        kernels::rms_norm_backward(a, current_stream(x.device()));
        if (weight_gradient.defined()) weight_gradient.add_(sums.sum(0));
        return out;
    }

    void rotate(at::Tensor& gradient, const at::Tensor& qkv, const model::Heads& heads,
                const at::Tensor& q_norm, const at::Tensor& k_norm, double epsilon,
                const model::RopeAngles& angles, at::Tensor& q_gradient,
                at::Tensor& k_gradient) const override {
        kernels::RotateBackward a;
        a.tokens = static_cast<int32_t>(gradient.size(0));
        a.heads = static_cast<int32_t>(heads.queries);
        a.kv_heads = static_cast<int32_t>(heads.keys);
        a.head_dim = static_cast<int32_t>(heads.width);
        a.parts = row_parts(gradient.size(0));
        a.gradient = gradient.mutable_data_ptr();
        a.qkv = data_or_null(qkv);
        a.q_weight = data_or_null(q_norm);
        a.k_weight = data_or_null(k_norm);
        a.epsilon = static_cast<float>(epsilon);
        a.cosines = angles.cos.const_data_ptr<float>();
        a.sines = angles.sin.const_data_ptr<float>();
        a.positions = angles.rows.const_data_ptr<int64_t>();
        a.dtype = dtype_of(gradient);
        at::Tensor sums;
        if (q_norm.defined()) {
            sums = at::empty({a.parts, heads.queries + heads.keys, heads.width},
                             gradient.options().dtype(at::kFloat));
            a.weight_gradients = sums.mutable_data_ptr<float>();
        }
        kernels::rotate_backward(a, current_stream(gradient.device()));
        if (!q_norm.defined() || !q_gradient.defined()) return;
        q_gradient.add_(sums.narrow(1, 0, heads.queries).sum(at::IntArrayRef{0, 1}));
        k_gradient.add_(sums.narrow(1, heads.queries, heads.keys).sum(at::IntArrayRef{0, 1}));
    }

    at::Tensor silu_mul(const at::Tensor& gradient, const at::Tensor& gate_up) const override {
        at::Tensor out = at::empty_like(gate_up);
        kernels::SiluMulBackward a;
        a.out = out.mutable_data_ptr();
        a.gradient = gradient.const_data_ptr();
        a.gate_up = gate_up.const_data_ptr();
        a.rows = static_cast<int32_t>(gradient.size(0));
        a.width = static_cast<int32_t>(gradient.size(1));
        a.dtype = dtype_of(out);
        kernels::silu_mul_backward(a, current_stream(out.device()));
        return out;
    }

    at::Tensor log_softmax(at::Tensor& logits, const at::Tensor& normalisers, const at::Tensor& targets,
                           const TargetGradients& gradients, at::ScalarType dtype) const override {
        at::Tensor out = at::empty(logits.sizes(), logits.options().dtype(dtype));
        const at::Tensor rows = targets.contiguous(), t = gradients.log_probabilities.contiguous();
        kernels::LogitsGradient a;
        a.out = out.mutable_data_ptr();
        a.logits = logits.const_data_ptr<float>();
        a.normalisers = normalisers.const_data_ptr<float>();
        a.targets = rows.const_data_ptr<int64_t>();
        a.t = t.const_data_ptr<float>();
        at::Tensor n;
        if (gradients.log_normalisers.defined()) {
            n = gradients.log_normalisers.contiguous();
            a.n = n.const_data_ptr<float>();
        }
        a.rows = static_cast<int32_t>(logits.size(0));
        a.vocabulary = static_cast<int32_t>(logits.size(1));
        a.dtype = dtype_of(out);
        kernels::logits_gradient(a, current_stream(out.device()));
        return out;
    }
};

}  // namespace

const Derivatives& cuda_derivatives() {
    if (!kernels::find_library()) return aten_derivatives();
    static const CudaDerivatives derivatives;
    return derivatives;
}

}  // namespace tritonsmith::train
