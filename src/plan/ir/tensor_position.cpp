#include "plan/ir/tensor_position.h"

#include <algorithm>
#include <numeric>

namespace tritonsmith::plan {

std::optional<std::vector<int64_t>> position_in(const Tensor& tensor, int64_t storage_offset) {
    int64_t rest = storage_offset - tensor.offset;
    if (rest < 0) return std::nullopt;
    std::vector<size_t> order(tensor.shape.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return tensor.stride[a] > tensor.stride[b]; });
    std::vector<int64_t> index(tensor.shape.size(), 0);
    for (size_t d : order) {
        if (tensor.shape[d] == 1) continue;
        if (tensor.shape[d] == 0 || tensor.stride[d] <= 0) return std::nullopt;
        index[d] = rest / tensor.stride[d];
        if (index[d] >= tensor.shape[d]) return std::nullopt;
        rest -= index[d] * tensor.stride[d];
    }
    return rest == 0 ? std::optional(index) : std::nullopt;
}

std::optional<int64_t> linear_index(const Tensor& tensor, int64_t storage_offset) {
    const auto position = position_in(tensor, storage_offset);
    if (!position) return std::nullopt;
    int64_t linear = 0;
    for (size_t d = 0; d < position->size(); d++) linear = linear * tensor.shape[d] + (*position)[d];
    return linear;
}

std::vector<int64_t> position_of(const Tensor& tensor, int64_t linear) {
    std::vector<int64_t> position(tensor.shape.size());
    for (size_t d = position.size(); d-- > 0;) {
        position[d] = linear % tensor.shape[d];
        linear /= tensor.shape[d];
    }
    return position;
}

int64_t storage_offset(const Tensor& tensor, int64_t linear) {
    int64_t at = tensor.offset;
    for (size_t d = tensor.shape.size(); d-- > 0;) {
        at += linear % tensor.shape[d] * tensor.stride[d];
        linear /= tensor.shape[d];
    }
    return at;
}

bool row_major(const Tensor& tensor) {
    int64_t expected = 1;
    for (size_t d = tensor.shape.size(); d-- > 0;) {
        if (tensor.shape[d] != 1 && tensor.stride[d] != expected) return false;
        expected *= tensor.shape[d];
    }
    return true;
}

}  // namespace tritonsmith::plan
