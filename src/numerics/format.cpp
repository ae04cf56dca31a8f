#include "numerics/format.h"

#include <algorithm>

#include "base/float_format.h"
#include "plan/ir/element.h"
#include "plan/ir/json.h"

namespace tritonsmith::numerics {

using plan::DType;

Format format(DType dtype) {
    if (dtype == DType::f64 || dtype == DType::c128) return {0x1p-52, 0x1p-1074, 0x1p-1022};
    const FloatFormat stored = plan::float_format(dtype).value_or(kBinary32);
    return {stored.spacing(), stored.subnormal(), std::max(stored.subnormal(), Format().least)};
}

bool inexact(DType dtype) {
    return plan::is_floating(dtype) || dtype == DType::c64 || dtype == DType::c128;
}

bool narrow(DType dtype) {
    return plan::is_floating(dtype) && plan::element_size(dtype) <= 2;
}

}  // namespace tritonsmith::numerics
