#include "plan/ir/element.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace tritonsmith::plan {

namespace {

template <class T>
T loaded(const std::byte* p) {
    T v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

template <DType dtype>
double element(const std::byte* p) {
    if constexpr (dtype == DType::f64) return loaded<double>(p);
    if constexpr (dtype == DType::f32) return loaded<float>(p);
    // The upper half of a float32: quicker than to decode it.
    if constexpr (dtype == DType::bf16) return std::bit_cast<float>(uint32_t{loaded<uint16_t>(p)} << 16);
    if constexpr (constexpr auto format = float_format(dtype); format && format->bits() <= 16) {
        using Bits = std::conditional_t<format->bits() <= 8, uint8_t, uint16_t>;
        return decode(*format, loaded<Bits>(p));
    }
    if constexpr (dtype == DType::i64) return static_cast<double>(loaded<int64_t>(p));
    if constexpr (dtype == DType::i32) return loaded<int32_t>(p);
    if constexpr (dtype == DType::i16) return loaded<int16_t>(p);
    if constexpr (dtype == DType::i8) return loaded<int8_t>(p);
    if constexpr (dtype == DType::u64) return static_cast<double>(loaded<uint64_t>(p));
    if constexpr (dtype == DType::u32) return loaded<uint32_t>(p);
    if constexpr (dtype == DType::u16) return loaded<uint16_t>(p);
    if constexpr (dtype == DType::u8 || dtype == DType::b1) return loaded<uint8_t>(p);
    return NAN;  // complex outputs are split into pairs by `elements`
}

/// Calls `f.operator()<dtype>()`, so that its loops are made for the one type.
template <class F>
auto with_dtype(DType dtype, F f) {
    switch (dtype) {
        case DType::f64:
            return f.template operator()<DType::f64>();
        case DType::f32:
            return f.template operator()<DType::f32>();
        case DType::f16:
            return f.template operator()<DType::f16>();
        case DType::bf16:
            return f.template operator()<DType::bf16>();
        case DType::f8e4m3fn:
            return f.template operator()<DType::f8e4m3fn>();
        case DType::f8e5m2:
            return f.template operator()<DType::f8e5m2>();
        case DType::f8e4m3fnuz:
            return f.template operator()<DType::f8e4m3fnuz>();
        case DType::f8e5m2fnuz:
            return f.template operator()<DType::f8e5m2fnuz>();
        case DType::i64:
            return f.template operator()<DType::i64>();
        case DType::i32:
            return f.template operator()<DType::i32>();
        case DType::i16:
            return f.template operator()<DType::i16>();
        case DType::i8:
            return f.template operator()<DType::i8>();
        case DType::u64:
            return f.template operator()<DType::u64>();
        case DType::u32:
            return f.template operator()<DType::u32>();
        case DType::u16:
            return f.template operator()<DType::u16>();
        case DType::u8:
            return f.template operator()<DType::u8>();
        case DType::b1:
            return f.template operator()<DType::b1>();
        case DType::c64:
        case DType::c128:
            break;
    }
    return f.template operator()<DType::c128>();
}

}  // namespace

double read_element(const std::byte* p, DType dtype) {
    return with_dtype(dtype, [&]<DType d>() { return element<d>(p); });
}

void read_elements(const std::byte* p, int64_t step, DType dtype, std::span<double> out) {
    with_dtype(dtype, [&]<DType d>() {
        for (size_t i = 0; i < out.size(); i++) out[i] = element<d>(p + static_cast<int64_t>(i) * step);
    });
}

}  // namespace tritonsmith::plan
