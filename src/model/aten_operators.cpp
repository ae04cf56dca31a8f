#include "model/aten_operators.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>
#include <optional>

namespace tritonsmith::model {
namespace {

constexpr int64_t rows_at_a_time = 256;

at::Tensor rotate_half(const at::Tensor& heads) {
    const int64_t half = heads.size(-1) / 2;
    return at::cat({-heads.narrow(-1, half, half), heads.narrow(-1, 0, half)}, -1);
}

}  // namespace

at::Tensor AtenOperators::embedding(const Matrix& table, const at::Tensor& tokens,
                                    at::ScalarType dtype) const {
    return at::embedding(table.values, tokens).to(dtype);
}

at::Tensor AtenOperators::rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon) const {
    const at::Tensor wide = x.to(at::kFloat);
    const at::Tensor scale = at::rsqrt(wide.square().mean(-1, true) + epsilon);
    return weight * (wide * scale).to(x.scalar_type());
}

at::Tensor AtenOperators::add_rms_norm(at::Tensor& residual, const at::Tensor& x, const at::Tensor& weight,
                                       double epsilon) const {
    residual.add_(x);
    return rms_norm(residual, weight, epsilon);
}

void AtenOperators::rotate(at::Tensor& qkv, const Heads& heads, const at::Tensor& q_norm,
                           const at::Tensor& k_norm, double epsilon, const RopeAngles& angles,
                           const PagedCache* cache) const {
    const auto rows = [&](const at::Tensor& table) {
        const at::Tensor half =
            (angles.rows.defined() ? table.index_select(0, angles.rows) : table).to(qkv.scalar_type());
        return at::cat({half, half}, -1).unsqueeze(1);
    };
    const at::Tensor cos = rows(angles.cos), sin = rows(angles.sin);
    const at::Tensor all = qkv.view({qkv.size(0), heads.queries + 2 * heads.keys, heads.width});
    const auto turn = [&](const at::Tensor& part, const at::Tensor& norm) {
        const at::Tensor normed = norm.defined() ? rms_norm(part, norm, epsilon) : part.clone();
        part.copy_(normed * cos + rotate_half(normed) * sin);
    };
    turn(all.narrow(1, 0, heads.queries), q_norm);
    turn(all.narrow(1, heads.queries, heads.keys), k_norm);
    if (cache == nullptr) return;
    TORCH_CHECK(!cache->key_scales.defined(), "PyTorch's own operators do not fill a cache of float8_e4m3fn");
    const at::Tensor stored = (cache->slots >= 0).nonzero().squeeze(1),
                     slots = cache->slots.index_select(0, stored);
    const int64_t block_size = cache->keys.size(1);
    const auto put = [&](const at::Tensor& pages, int64_t first) {
        const at::Tensor rows = all.narrow(1, first, heads.keys).index_select(0, stored);
        at::Tensor(pages).index_put_({slots.div(block_size, "floor"), slots.remainder(block_size)}, rows);
    };
    put(cache->keys, heads.queries);
    put(cache->values, heads.queries + heads.keys);
}

at::Tensor AtenOperators::silu_mul(const at::Tensor& gate_up) const {
    const int64_t width = gate_up.size(1) / 2;
    return at::silu(gate_up.narrow(1, 0, width)) * gate_up.narrow(1, width, width);
}

at::Tensor AtenOperators::product(const at::Tensor& x, const Matrix& matrix, const at::Tensor& bias,
                                  at::ScalarType dtype) const {
    TORCH_CHECK(!matrix.scales.defined(), "PyTorch's own operators do not multiply with quantised weights");
    const at::Tensor& weight = matrix.values;
    if (dtype == x.scalar_type())
        return bias.defined() ? at::addmm(bias, x, weight.t()) : at::mm(x, weight.t());
    // Rounded once, after the sum: bfloat16 logits lose the precision that comparing log-probabilities needs.
    if (x.is_cuda()) {
        const at::Tensor result = at::mm(x, weight.t(), dtype);
        return bias.defined() ? result.add_(bias) : result;
    }
    return at::linear(x.to(dtype), weight.to(dtype), bias.defined() ? bias.to(dtype) : bias);
}

at::Tensor AtenOperators::linear(const at::Tensor& x, const Matrix& weight, const at::Tensor& bias,
                                 at::ScalarType dtype) const {
    if (!fixed_rows_) return product(x, weight, bias, dtype);
    const at::Tensor result = at::empty({x.size(0), weight.outputs()}, x.options().dtype(dtype));
    for (int64_t begin = 0; begin < x.size(0); begin += rows_at_a_time) {
        const int64_t count = std::min(rows_at_a_time, x.size(0) - begin);
        at::Tensor rows = x.narrow(0, begin, count);
        if (count < rows_at_a_time) {
            const at::Tensor padded = at::zeros({rows_at_a_time, x.size(1)}, x.options());
            padded.narrow(0, 0, count).copy_(rows);
            rows = padded;
        }
        result.narrow(0, begin, count).copy_(product(rows, weight, bias, dtype).narrow(0, 0, count));
    }
    return result;
}

const Operators& aten_operators(bool fixed_rows) {
    static const AtenOperators plain(false), fixed(true);
    return fixed_rows ? fixed : plain;
}

}  // namespace tritonsmith::model
