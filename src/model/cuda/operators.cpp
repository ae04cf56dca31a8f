#include "model/cuda/operators.h"

#include <ATen/Functions.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "kernels/kernels.h"
#include "model/aten_operators.h"

namespace tritonsmith::model {

void* current_stream(const at::Device& device) {
    const c10::impl::VirtualGuardImpl guard(device.type());
    return guard.getStreamNativeHandle(guard.getStream(device));
}

using kernels::DType;

DType dtype_of(const at::Tensor& tensor) {
    if (tensor.scalar_type() == at::kFloat) return DType::fp32;
    return tensor.scalar_type() == at::kHalf ? DType::fp16 : DType::bf16;
}

namespace {

/// Norms, rotation and gating by this project's kernels; products and look-ups by PyTorch's. Beside weights
/// in e4m3, each row of activations is quantised likewise for the product: sums of both are in float32.
class CudaOperators : public AtenOperators {
  public:
    using AtenOperators::AtenOperators;

    at::ScalarType activations(at::ScalarType weights) const override {
        return weights == at::kFloat8_e4m3fn ? at::kBFloat16 : weights;
    }

    at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon) const override {
        at::Tensor out = at::empty_like(x);
        kernels::RmsNorm a;
        a.out = out.data_ptr();
        a.x = x.data_ptr();
        a.weight = weight.data_ptr();
        a.out_stride = out.stride(0);
        a.x_stride = x.stride(0);
        a.rows = static_cast<int32_t>(x.size(0));
        a.dim = static_cast<int32_t>(x.size(1));
        a.epsilon = static_cast<float>(epsilon);
        a.dtype = dtype_of(x);
        kernels::rms_norm(a, current_stream(x.device()));
        return out;
    }

    at::Tensor add_rms_norm(at::Tensor& residual, const at::Tensor& x, const at::Tensor& weight,
                            double epsilon) const override {
        at::Tensor out = at::empty_like(residual);
        kernels::AddRmsNorm a;
        a.out = out.data_ptr();
        a.residual = residual.data_ptr();
        a.x = x.data_ptr();
        a.weight = weight.data_ptr();
        a.rows = static_cast<int32_t>(x.size(0));
        a.dim = static_cast<int32_t>(x.size(1));
        a.epsilon = static_cast<float>(epsilon);
        a.dtype = dtype_of(x);
        kernels::add_rms_norm(a, current_stream(x.device()));
        return out;
    }

    void rotate(at::Tensor& qkv, const Heads& heads, const at::Tensor& q_norm, const at::Tensor& k_norm,
                double epsilon, const RopeAngles& angles, const PagedCache* cache) const override {
        kernels::RotateAndStore a;
        a.qkv = qkv.data_ptr();
        a.qkv_stride = qkv.stride(0);
        a.q_weight = q_norm.defined() ? q_norm.data_ptr() : nullptr;
        a.k_weight = k_norm.defined() ? k_norm.data_ptr() : nullptr;
        a.epsilon = static_cast<float>(epsilon);
        a.cosines = angles.cos.data_ptr<float>();
        a.sines = angles.sin.data_ptr<float>();
        a.positions = angles.rows.data_ptr<int64_t>();
        if (cache != nullptr) {
            a.slots = cache->slots.data_ptr<int64_t>();
            a.k_cache = cache->keys.data_ptr();
            a.v_cache = cache->values.data_ptr();
            if (cache->key_scales.defined()) {
                a.k_scales = cache->key_scales.data_ptr<float>();
                a.v_scales = cache->value_scales.data_ptr<float>();
            }
            a.cache_block_stride = cache->keys.stride(0);
            a.block_size = static_cast<int32_t>(cache->keys.size(1));
        }
        a.tokens = static_cast<int32_t>(qkv.size(0));
        a.heads = static_cast<int32_t>(heads.queries);
        a.kv_heads = static_cast<int32_t>(heads.keys);
        a.head_dim = static_cast<int32_t>(heads.width);
        a.table_positions = static_cast<int32_t>(angles.cos.size(0));
        a.dtype = dtype_of(qkv);
        kernels::rotate_and_store(a, current_stream(qkv.device()));
    }

    at::Tensor silu_mul(const at::Tensor& gate_up) const override {
        at::Tensor out = at::empty({gate_up.size(0), gate_up.size(1) / 2}, gate_up.options());
        kernels::SiluMul a;
        a.out = out.data_ptr();
        a.gate_up = gate_up.data_ptr();
        a.out_stride = out.stride(0);
        a.gate_up_stride = gate_up.stride(0);
        a.rows = static_cast<int32_t>(out.size(0));
        a.width = static_cast<int32_t>(out.size(1));
        a.dtype = dtype_of(out);
        kernels::silu_mul(a, current_stream(out.device()));
        return out;
    }

  protected:
    at::Tensor product(const at::Tensor& x, const Matrix& weight, const at::Tensor& bias,
                       at::ScalarType dtype) const override {
        if (!weight.scales.defined()) return AtenOperators::product(x, weight, bias, dtype);
        const Matrix rows = quantised_rows(x);
        const std::optional<at::Tensor> added = bias.defined() ? std::optional(bias) : std::nullopt;
        return at::_scaled_mm(rows.values, weight.values.t(), rows.scales.unsqueeze(1),
                              weight.scales.unsqueeze(0), added, std::nullopt, dtype,
                              /*use_fast_accum=*/true);
    }

  private:
    static Matrix quantised_rows(const at::Tensor& x) {
        Matrix out{at::empty(x.sizes(), x.options().dtype(at::kFloat8_e4m3fn)),
                   at::empty({x.size(0)}, x.options().dtype(at::kFloat))};
        kernels::QuantiseRows a;
        a.out = out.values.data_ptr();
        a.scales = out.scales.data_ptr<float>();
        a.x = x.data_ptr();
        a.x_stride = x.stride(0);
        a.rows = static_cast<int32_t>(x.size(0));
        a.dim = static_cast<int32_t>(x.size(1));
        a.dtype = dtype_of(x);
        kernels::quantise_rows(a, current_stream(x.device()));
        return out;
    }
};

}  // namespace

const Operators& cuda_operators(bool fixed_rows) {
    if (!kernels::find_library()) return aten_operators(fixed_rows);
    static const CudaOperators plain(false), fixed(true);
    return fixed_rows ? fixed : plain;
}

at::Tensor cuda_log_probabilities(const at::Tensor& logits, const at::Tensor& targets) {
    // PyTorch's logsumexp lays its sums out by the number of rows too; its log_softmax has one block of
    // threads for a row.
    if (!kernels::find_library() || logits.stride(1) != 1)
        return at::log_softmax(logits, 1).gather(1, targets.unsqueeze(1)).squeeze(1);
    const at::Tensor index = targets.contiguous();
    at::Tensor out = at::empty({logits.size(0)}, logits.options());
    kernels::LogProbabilities a;
    a.logits = logits.data_ptr();
    a.logits_stride = logits.stride(0);
    a.targets = index.data_ptr<int64_t>();
    a.logprobs = out.data_ptr<float>();
    a.rows = static_cast<int32_t>(logits.size(0));
    a.vocabulary = static_cast<int32_t>(logits.size(1));
    a.dtype = DType::fp32;
    kernels::log_probabilities(a, current_stream(logits.device()));
    return out;
}

}  // namespace tritonsmith::model
