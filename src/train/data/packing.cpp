#include "train/data/packing.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace tritonsmith::train {

std::vector<std::vector<size_t>> pack(const std::vector<int64_t>& lengths, int64_t budget) {
    std::vector<size_t> order(lengths.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return lengths[a] > lengths[b]; });
    std::vector<std::vector<size_t>> batches;
    std::vector<int64_t> left;
    for (const size_t document : order) {
        const int64_t length = lengths[document];
        if (length < 1 || length > budget) throw std::logic_error("a document that fits into no batch");
        const auto fits =
            std::find_if(left.begin(), left.end(), [&](int64_t free) { return free >= length; });
        if (fits == left.end()) {
            batches.push_back({document});
            left.push_back(budget - length);
        } else {
            batches[static_cast<size_t>(fits - left.begin())].push_back(document);
            *fits -= length;
        }
    }
    for (auto& batch : batches) std::sort(batch.begin(), batch.end());
    return batches;
}

}  // namespace tritonsmith::train
