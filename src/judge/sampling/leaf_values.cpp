#include "judge/sampling/leaf_values.h"

#include <algorithm>
#include <cmath>

#include "plan/ir/element.h"
#include "plan/ir/json.h"

namespace tritonsmith::judge {

namespace {

/// What lies between elements of a line is made as well where that is less than asking for each.
constexpr int64_t kNear = 8;

}  // namespace

std::optional<OracleElement> LeafValues::element(const plan::Tensor& tensor, int64_t storage_offset) {
    double value = 0;
    if (!line(tensor, storage_offset, 1, {&value, 1})) return std::nullopt;
    return OracleElement{value, std::abs(value)};
}

bool LeafValues::line(const plan::Tensor& tensor, int64_t storage_offset, int64_t stride,
                      std::span<double> out) {
    if (out.empty()) return true;
    const plan::Buffer& described = reference_.buffers[static_cast<size_t>(tensor.buffer)];
    const int64_t size = plan::element_size(tensor.dtype), last = static_cast<int64_t>(out.size()) - 1;
    const int64_t end = storage_offset + last * stride;
    if (std::min(storage_offset, end) < 0 || (std::max(storage_offset, end) + 1) * size > described.bytes)
        return false;
    const ttir::PageSource* source = leaves_.source(tensor.buffer);
    if (!source) {
        if (described.kind != plan::BufferKind::constant) return false;
        const auto* data = reinterpret_cast<const std::byte*>(described.data.data());
        plan::read_elements(data + storage_offset * size, stride * size, tensor.dtype, out);
        return true;
    }
    if (stride >= 0 && stride <= kNear) {
        bytes_.resize(static_cast<size_t>((last * stride + 1) * size));
        (*source)(storage_offset * size, bytes_.data(), static_cast<int64_t>(bytes_.size()));
        plan::read_elements(bytes_.data(), stride * size, tensor.dtype, out);
        return true;
    }
    bytes_.resize(static_cast<size_t>(size));
    for (int64_t i = 0; i <= last; i++) {
        (*source)((storage_offset + i * stride) * size, bytes_.data(), size);
        out[static_cast<size_t>(i)] = plan::read_element(bytes_.data(), tensor.dtype);
    }
    return true;
}

}  // namespace tritonsmith::judge
