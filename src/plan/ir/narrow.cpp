#include "plan/ir/narrow.h"

#include <cstring>
#include <limits>

#include "base/float_format.h"

namespace tritonsmith::plan {
namespace {

template <typename Type>
Type load(const uint8_t* bytes) {
    Type value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

}  // namespace

double read_floating(const uint8_t* bytes, DType dtype) {
    switch (dtype) {
        case DType::f64:
            return load<double>(bytes);
        case DType::f32:
            return load<float>(bytes);
        case DType::f16:
            return decode(kBinary16, load<uint16_t>(bytes));
        case DType::bf16:
            return decode(kBfloat16, load<uint16_t>(bytes));
        case DType::f8e5m2:
            return decode(kE5m2, *bytes);
        case DType::f8e4m3fn:
            return decode(kE4m3fn, *bytes);
        case DType::f8e5m2fnuz:
            return decode(kE5m2fnuz, *bytes);
        case DType::f8e4m3fnuz:
            return decode(kE4m3fnuz, *bytes);
        default:
            return std::numeric_limits<double>::quiet_NaN();
    }
}

}  // namespace tritonsmith::plan
