#include "run/worker/memory/memory.h"

#include <algorithm>

#include "plan/ir/json.h"
#include "run/worker/step_error.h"

namespace tritonsmith::run {

std::string buffer_name(const plan::Buffer& buffer) {
    switch (buffer.kind) {
        case plan::BufferKind::input:
            return "input buffer " + std::to_string(buffer.id);
        case plan::BufferKind::constant:
            return "constant " + std::to_string(buffer.id);
        default:
            break;
    }
    if (buffer.line > 0) return "buffer allocated at line " + std::to_string(buffer.line);
    return "buffer " + std::to_string(buffer.id);
}

at::Tensor tensor_over(const at::Storage& storage, at::Device device, at::ScalarType type,
                       at::IntArrayRef shape, at::IntArrayRef stride, int64_t offset) {
    const auto key = device.is_cpu() ? c10::DispatchKey::CPU : c10::DispatchKey::CUDA;
    at::Tensor out = at::detail::make_tensor<at::TensorImpl>(at::Storage(storage), c10::DispatchKeySet(key),
                                                             c10::scalarTypeToTypeMeta(type));
    out.unsafeGetTensorImpl()->set_sizes_and_strides(shape, stride, offset);
    return out;
}

bool fills(const plan::Tensor& tensor, int64_t bytes) {
    std::vector<std::pair<int64_t, int64_t>> dimensions;  // stride, size
    for (size_t i = 0; i < tensor.shape.size(); ++i)
        if (tensor.shape[i] != 1) dimensions.emplace_back(tensor.stride[i], tensor.shape[i]);
    std::sort(dimensions.begin(), dimensions.end());
    int64_t elements = 1;
    for (auto [stride, size] : dimensions) {
        if (stride != elements) return false;
        elements *= size;
    }
    return tensor.offset == 0 && elements * plan::element_size(tensor.dtype) == bytes;
}

void check_inside(const plan::Tensor& tensor, int64_t bytes) {
    if (tensor.shape.size() != tensor.stride.size() || tensor.offset < 0)
        throw StepError("plan_invalid", "a tensor's shape and stride contradict each other");
    __int128 last = tensor.offset;
    bool empty = false;
    for (size_t i = 0; i < tensor.shape.size(); ++i) {
        if (tensor.shape[i] < 0 || tensor.stride[i] < 0)
            throw StepError("plan_invalid", "a tensor has a negative shape or stride");
        if (tensor.shape[i] == 0)
            empty = true;
        else
            last += static_cast<__int128>(tensor.shape[i] - 1) * tensor.stride[i];
        if (last > INT64_MAX / 16) throw StepError("plan_invalid", "a tensor's extent is beyond all memory");
    }
    if (!empty && (last + 1) * plan::element_size(tensor.dtype) > bytes)
        throw StepError("plan_invalid",
                        "a tensor reaches beyond its buffer " + std::to_string(tensor.buffer));
}

}  // namespace tritonsmith::run
