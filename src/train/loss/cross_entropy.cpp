#include "train/loss/cross_entropy.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include "train/network/upload.h"

namespace tritonsmith::train {

// Without tensors' operators on the CPU: their threads would wait for each other while others read the data.
Targets targets_of(const Documents& documents, const std::vector<uint8_t>& learned) {
    std::vector<int64_t> places;
    int64_t start = 0;
    for (const int64_t length : documents.lengths) {
        for (int64_t place = start + 1; place < start + length; ++place)
            if (learned[static_cast<size_t>(place)]) places.push_back(place);
        start += length;
    }
    const at::Tensor found = upload(at::tensor(places, at::kLong), documents.tokens.device());
    return {found - 1, documents.tokens.index_select(0, found)};
}

TargetGradients CrossEntropy::gradients(const at::Tensor& log_probabilities,
                                        const at::Tensor& log_normalisers) const {
    return {at::full_like(log_probabilities, -1 / targets),
            z == 0 ? at::Tensor() : log_normalisers * (2 * z / targets)};
}

at::Tensor CrossEntropy::value(const HeadResult& result) const {
    at::Tensor sum = -result.log_probabilities.sum(at::kDouble);
    if (z != 0) sum = sum + z * result.log_normalisers.to(at::kDouble).square().sum();
    return sum / targets;
}

}  // namespace tritonsmith::train
