#include "train/network/products.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

namespace tritonsmith::train {
namespace {

/// Of a table of gradients in float32 that is made for one batch: 128 MiB.
constexpr int64_t most_table_elements = int64_t{1} << 25;

}  // namespace

void add_product(at::Tensor& into, const at::Tensor& left, const at::Tensor& right) {
    if (into.scalar_type() == right.scalar_type())
        into.addmm_(left.t(), right);
    else if (into.is_cuda() && into.scalar_type() == at::kFloat)
        at::addmm_out(into, into, left.t(), right, at::kFloat);  // 16-bit factors, rounded nowhere
    else
        into.add_(at::mm(left.t().to(at::kFloat), right.to(at::kFloat)));
}

at::Tensor linear_derivative(const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& weight,
                             at::Tensor& weight_gradient, at::Tensor& bias_gradient) {
    if (weight_gradient.defined()) add_product(weight_gradient, gradient, x);
    if (bias_gradient.defined()) bias_gradient.add_(gradient.sum(at::IntArrayRef{0}, false, at::kFloat));
    return at::mm(gradient, weight);
}

void embedding_derivative(const at::Tensor& gradient, const at::Tensor& tokens, at::Tensor& table_gradient) {
    if (!table_gradient.defined()) return;
    // To find the batch's different tokens the host waits for the device, so that a GPU makes a whole table
    // where that takes little.
    if (gradient.is_cuda() && table_gradient.numel() <= most_table_elements) {
        table_gradient.add_(
            at::embedding_dense_backward(gradient.to(at::kFloat), tokens, table_gradient.size(0), -1, false));
        return;
    }
    // Summed for the batch's different tokens only: a whole table of gradients may take gigabytes.
    const auto [different, place, counts] = at::_unique2(tokens, true, true);
    const at::Tensor sums =
        at::embedding_dense_backward(gradient.to(at::kFloat), place, different.size(0), -1, false);
    table_gradient.index_add_(0, different, sums.to(table_gradient.scalar_type()));
}

}  // namespace tritonsmith::train
