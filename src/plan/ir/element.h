#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/float_format.h"
#include "plan/ir/plan.h"

namespace tritonsmith::plan {

/// Of a floating dtype of at most 32 bits.
constexpr std::optional<FloatFormat> float_format(DType dtype) {
    switch (dtype) {
        case DType::f32:
            return kBinary32;
        case DType::f16:
            return kBinary16;
        case DType::bf16:
            return kBfloat16;
        case DType::f8e4m3fn:
            return kE4m3fn;
        case DType::f8e4m3fnuz:
            return kE4m3fnuz;
        case DType::f8e5m2:
            return kE5m2;
        case DType::f8e5m2fnuz:
            return kE5m2fnuz;
        default:
            return std::nullopt;
    }
}

/// One stored element in float64. Not for complex types.
double read_element(const std::byte* bytes, DType dtype);
/// Many, that lie `step` bytes apart.
void read_elements(const std::byte* bytes, int64_t step, DType dtype, std::span<double> out);

}  // namespace tritonsmith::plan
