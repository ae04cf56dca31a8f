#include "run/worker/oracle/norm_terms.h"

#include <ATen/TensorOperators.h>

#include <optional>

#include "plan/ir/arguments.h"
#include "plan/ir/ops.h"
#include "run/worker/aten/aten_step.h"

namespace tritonsmith::run {
namespace {

enum class Norm : uint8_t { layer, group, batch };

std::optional<Norm> norm_of(const plan::AtenStep& step) {
    const std::string_view base = plan::OpName(step.op).base;
    if (base == "native_layer_norm") return Norm::layer;
    if (base == "native_group_norm") return Norm::group;
    if (base == "native_batch_norm" || base == "cudnn_batch_norm" ||
        base.starts_with("_native_batch_norm_legit"))
        return Norm::batch;
    return std::nullopt;
}

/// Of a batch norm: what it saves is not what it used then (nothing, or whatever the device gives).
bool by_running_statistics(const plan::AtenStep& step) {
    constexpr size_t kTraining = 5;
    if (plan::OpName(step.op).base == "_native_batch_norm_legit_no_training") return true;
    const bool* training = plan::argument<bool>(step, kTraining);
    return training && !*training;
}

/// One value a channel, for each element of [N, C, ...].
at::Tensor by_channel(const at::Tensor& values, int64_t dimensions) {
    std::vector<int64_t> shape(static_cast<size_t>(dimensions), 1);
    if (dimensions > 1) shape[1] = values.numel();
    return values.reshape(shape);
}

}  // namespace

bool centres(const plan::AtenStep& step) {
    return norm_of(step).has_value();
}

at::Tensor norm_terms(const plan::AtenStep& step, Memory& memory) {
    const Norm norm = norm_of(step).value();
    // Copies: in training, running statistics are written.
    auto copies = [&](const plan::Tensor& tensor) { return memory.view(tensor).clone(); };
    auto argument = [&](size_t index) {
        const auto* tensor = plan::argument<plan::Tensor>(step, index);
        return tensor ? memory.view(*tensor) : at::Tensor();
    };
    const std::vector<at::Tensor> results = evaluate(step, copies, memory.device(), true);
    const at::Tensor x = argument(0);
    at::Tensor mean = results.at(1), rstd = results.at(2), terms;
    if (norm == Norm::group) {
        const at::Tensor groups = x.reshape({mean.size(0), mean.size(1), -1}).abs();
        terms = groups.add(mean.abs().unsqueeze(2)).mul_(rstd.unsqueeze(2)).view(x.sizes());
    } else {
        if (norm == Norm::batch && by_running_statistics(step)) {
            const auto* epsilon = std::get_if<double>(&step.args.back().v);
            mean = argument(3);
            rstd = argument(4).add(epsilon ? *epsilon : 0.0).rsqrt();
        }
        if (norm == Norm::batch) {
            mean = by_channel(mean, x.dim());
            rstd = by_channel(rstd, x.dim());
        }
        terms = x.abs().add_(mean.abs()).mul_(rstd);
    }
    const size_t weight_at = norm == Norm::layer ? 2 : 1;
    auto affine = [&](size_t index) {
        const at::Tensor values = argument(index);
        if (!values.defined() || norm == Norm::layer) return values;
        return by_channel(values, x.dim());
    };
    if (const at::Tensor weight = affine(weight_at); weight.defined()) terms.mul_(weight.abs());
    if (const at::Tensor bias = affine(weight_at + 1); bias.defined()) terms.add_(bias.abs());
    return terms;
}

}  // namespace tritonsmith::run
