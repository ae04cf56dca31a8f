#include "run/draw/store.h"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "plan/ir/element.h"
#include "plan/ir/json.h"
#include "run/draw/narrow_float.h"

namespace tritonsmith::run {

namespace {

using plan::DType;

template <class T>
void put_bytes(std::byte* out, T value) {
    std::memcpy(out, &value, sizeof value);
}

/// What does not fit has no value that anybody may rely on.
int64_t whole_number(double value) {
    return std::isfinite(value) && std::abs(value) < 0x1p63 ? static_cast<int64_t>(value) : 0;
}

bool storable(DType dtype) {
    return dtype == DType::f64 || dtype == DType::f32 || dtype == DType::f16 || dtype == DType::bf16 ||
           (!plan::is_floating(dtype) && dtype != DType::c64 && dtype != DType::c128);
}

}  // namespace

bool store(std::byte* out, DType dtype, double value) {
    if (!storable(dtype)) return false;
    if (dtype == DType::f64)
        put_bytes(out, value);
    else if (dtype == DType::f32)
        put_bytes(out, static_cast<float>(value));
    else if (dtype == DType::f16)
        put_bytes(out, to_f16(static_cast<float>(value)));
    else if (dtype == DType::bf16)
        put_bytes(out, to_bf16(static_cast<float>(value)));
    else if (dtype == DType::b1)
        put_bytes<uint8_t>(out, value != 0);
    else {
        const int64_t number = whole_number(value);  // the low bytes, which is what narrower types hold
        std::memcpy(out, &number, static_cast<size_t>(plan::element_size(dtype)));
    }
    return true;
}

bool convertible(DType from, DType to) {
    return from == to || (storable(from) && storable(to));
}

bool convert(const std::byte* from, DType from_dtype, std::byte* to, DType to_dtype) {
    if (!convertible(from_dtype, to_dtype)) return false;
    if (from_dtype == to_dtype)
        std::memcpy(to, from, static_cast<size_t>(plan::element_size(to_dtype)));
    else
        store(to, to_dtype, plan::read_element(from, from_dtype));
    return true;
}

}  // namespace tritonsmith::run
