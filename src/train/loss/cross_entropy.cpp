#include "train/loss/cross_entropy.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

namespace tritonsmith::train {

Targets targets_of(const Documents& documents, const at::Tensor& learned) {
    at::Tensor behind = learned.clone();
    int64_t start = 0;
    for (const int64_t length : documents.lengths) {
        behind[start] = false;
        start += length;
    }
    const at::Tensor places = behind.nonzero().squeeze(1).to(documents.tokens.device());
    return {places - 1, documents.tokens.index_select(0, places)};
}

TargetGradients CrossEntropy::gradients(const at::Tensor& log_probabilities,
                                        const at::Tensor& log_normalisers) const {
    return {at::full_like(log_probabilities, -1 / targets),
            z == 0 ? at::Tensor() : log_normalisers * (2 * z / targets)};
}

double CrossEntropy::value(const HeadResult& result) const {
    at::Tensor sum = -result.log_probabilities.sum(at::kDouble);
    if (z != 0) sum = sum + z * result.log_normalisers.to(at::kDouble).square().sum();
    return sum.item<double>() / targets;
}

}  // namespace tritonsmith::train
