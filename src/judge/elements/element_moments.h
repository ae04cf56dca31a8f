#pragma once

#include <cstddef>
#include <vector>

#include "judge/elements/element_ops.h"

namespace tritonsmith::judge {

/// Calls body for every element of `tensor` whose index agrees with `index` outside of `dims` (rising).
template <class Body>
void over(const plan::Tensor& tensor, const std::vector<int64_t>& dims, Index index, ElementContext& context,
          Body body) {
    for (int64_t d : dims) {
        index[static_cast<size_t>(d)] = 0;
        if (tensor.shape[static_cast<size_t>(d)] == 0) return;
    }
    if (dims.empty()) return body(context.at(tensor, index));
    std::vector<OracleElement> line;
    while (true) {
        context.line(tensor, index, static_cast<size_t>(dims.back()), line);
        for (const OracleElement& element : line) body(element);
        size_t k = dims.size() - 1;
        while (k > 0) {
            const auto d = static_cast<size_t>(dims[k - 1]);
            if (++index[d] < tensor.shape[d]) break;
            index[d] = 0;
            k--;
        }
        if (k == 0) return;
    }
}

/// Of the elements that a variance is taken of.
struct Moments {
    double mean = 0, magnitude = 0;  ///< mean of the values, and of their scales
    double squares = 0;              ///< sum of squared differences from the mean
    double count = 0;
};
/// Of those whose index agrees with one of `starts` outside of `dims`.
Moments moments(const plan::Tensor& tensor, const std::vector<int64_t>& dims,
                const std::vector<Index>& starts, ElementContext& context);

}  // namespace tritonsmith::judge
