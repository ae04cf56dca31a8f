#include "train/loss/head.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/DeviceGuard.h>

#include <algorithm>

#include "base/error.h"
#include "model/model.h"
#include "train/network/products.h"

namespace tritonsmith::train {
namespace {

/// Logits of some rows with what follows from them.
struct Chunk {
    at::Tensor hidden, targets, logits, log_probabilities, log_normalisers;
};

HeadResult run_head(const at::Tensor& hidden, const at::Tensor& head, const at::Tensor& targets,
                    const TargetLoss* loss, at::Tensor* head_gradient, int64_t logits_bytes, bool exact) {
    if (hidden.dim() != 2 || head.dim() != 2 || targets.dim() != 1 || hidden.size(0) != targets.size(0) ||
        hidden.size(1) != head.size(1) || hidden.scalar_type() != head.scalar_type())
        throw InputError(
            "the head takes hidden [n, width], weights [vocabulary, width] of the same dtype, "
            "and targets [n]");
    const at::NoGradGuard no_grad;
    const c10::OptionalDeviceGuard device(hidden.device());
    const int64_t n = hidden.size(0), row_bytes = head.size(0) * 4;
    const int64_t most = logits_bytes > 0 ? logits_bytes : usual_logits_bytes(hidden.device());
    const int64_t rows = std::max<int64_t>(1, most / row_bytes);
    const auto floats = hidden.options().dtype(at::kFloat);
    HeadResult result{at::empty({n}, floats), at::empty({n}, floats),
                      loss != nullptr ? at::empty_like(hidden) : at::Tensor()};
    const model::Operators& operators = operators_on(hidden.device(), exact);
    const Derivatives& derivatives = derivatives_on(hidden.device());
    for (int64_t first = 0; first < n; first += rows) {
        const int64_t count = std::min(rows, n - first);
        Chunk chunk{hidden.narrow(0, first, count), targets.narrow(0, first, count), {}, {}, {}};
        chunk.logits = operators.linear(chunk.hidden, {head}, {}, at::kFloat);
        chunk.log_probabilities = model::log_probabilities(chunk.logits, chunk.targets);
        chunk.log_normalisers =
            chunk.logits.gather(1, chunk.targets.unsqueeze(1)).squeeze(1) - chunk.log_probabilities;
        result.log_probabilities.narrow(0, first, count).copy_(chunk.log_probabilities);
        result.log_normalisers.narrow(0, first, count).copy_(chunk.log_normalisers);
        if (loss == nullptr) continue;
        const TargetGradients gradients = (*loss)(first, chunk.log_probabilities, chunk.log_normalisers);
        const at::Tensor gradient = derivatives.log_softmax(chunk.logits, chunk.log_normalisers,
                                                            chunk.targets, gradients, hidden.scalar_type());
        if (head_gradient->defined()) add_product(*head_gradient, gradient, chunk.hidden);
        result.hidden_gradient.narrow(0, first, count).copy_(at::mm(gradient, head));
    }
    return result;
}

}  // namespace

int64_t usual_logits_bytes(at::Device device) {
    return int64_t{device.is_cpu() ? 256 : 1024} << 20;
}

HeadResult score_targets(const at::Tensor& hidden, const at::Tensor& head, const at::Tensor& targets,
                         int64_t logits_bytes, bool exact) {
    return run_head(hidden, head, targets, nullptr, nullptr, logits_bytes, exact);
}

HeadResult train_targets(const at::Tensor& hidden, const at::Tensor& head, const at::Tensor& targets,
                         const TargetLoss& loss, at::Tensor& head_gradient, int64_t logits_bytes,
                         bool exact) {
    return run_head(hidden, head, targets, &loss, &head_gradient, logits_bytes, exact);
}

}  // namespace tritonsmith::train
