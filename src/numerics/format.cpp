#include "numerics/format.h"

#include "plan/ir/json.h"

namespace tritonsmith::numerics {

using plan::DType;

Format format(DType dtype) {
    switch (dtype) {
        case DType::f64:
        case DType::c128:
            return {0x1p-52, 0x1p-1074, 0x1p-1022};
        case DType::f16:
            return {0x1p-10, 0x1p-24, 0x1p-24};
        case DType::bf16:
            return {0x1p-7, 0x1p-133, 0x1p-126};
        case DType::f8e4m3fn:
            return {0x1p-3, 0x1p-9, 0x1p-9};
        case DType::f8e4m3fnuz:
            return {0x1p-3, 0x1p-10, 0x1p-10};
        case DType::f8e5m2:
            return {0x1p-2, 0x1p-16, 0x1p-16};
        case DType::f8e5m2fnuz:
            return {0x1p-2, 0x1p-17, 0x1p-17};
        default:
            return {};
    }
}

bool inexact(DType dtype) {
    return plan::is_floating(dtype) || dtype == DType::c64 || dtype == DType::c128;
}

bool narrow(DType dtype) {
    return plan::is_floating(dtype) && plan::element_size(dtype) <= 2;
}

}  // namespace tritonsmith::numerics
