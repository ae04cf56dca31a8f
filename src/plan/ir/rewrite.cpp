#include "plan/ir/rewrite.h"

#include <algorithm>

#include "plan/ir/json.h"

namespace tritonsmith::plan {

Tensor Rewriter::scratch(const Tensor& like, DType dtype) {
    Tensor tensor{static_cast<int>(plan_.buffers.size()), dtype, like.shape, {}, 0};
    tensor.stride.assign(tensor.shape.size(), 1);
    int64_t elements = 1;
    for (size_t i = tensor.shape.size(); i-- > 0;) {
        tensor.stride[i] = elements;
        elements *= std::max<int64_t>(tensor.shape[i], 1);
    }
    for (int64_t size : tensor.shape)
        if (size == 0) elements = 0;
    plan_.buffers.push_back(
        {tensor.buffer, BufferKind::allocation, elements * element_size(dtype), 0, {}, line_});
    return tensor;
}

}  // namespace tritonsmith::plan
