#include "judge/tensor_position.h"

#include <algorithm>
#include <numeric>

namespace tritonsmith::judge {

std::optional<std::vector<int64_t>> position_in(const plan::Tensor& tensor, int64_t storage_offset) {
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

}  // namespace tritonsmith::judge
