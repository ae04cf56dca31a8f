#pragma once

#include <bit>
#include <cstdint>

/// Conversions that the compiler vectorises, for whole tensors (base/float_format.h has all formats, a value
/// at a time).
namespace tritonsmith::run {

/// float32 → bfloat16 bits, round to nearest even.
inline uint16_t to_bf16(float value) {
    uint32_t bits = std::bit_cast<uint32_t>(value);
    if ((bits & 0x7fffffff) > 0x7f800000) return static_cast<uint16_t>(bits >> 16 | 0x40);
    return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// float32 → IEEE binary16 bits, round to nearest even, subnormals kept, overflow to infinity.
inline uint16_t to_f16(float value) {
    uint32_t bits = std::bit_cast<uint32_t>(value);
    uint16_t sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
    bits &= 0x7fffffff;
    if (bits > 0x7f800000) return sign | 0x7e00;
    if (bits >= 0x477ff000) return sign | 0x7c00;  // rounds to 65536 or more
    if (bits < 0x38800000) {                       // below 2^-14: the unit is 2^-24
        float magnitude =
            std::bit_cast<float>(bits) + 0.5f;  // float32's own rounding does it: ulp(0.5) = 2^-24
        return sign | static_cast<uint16_t>(std::bit_cast<uint32_t>(magnitude) - 0x3f000000);
    }
    uint32_t rounded = bits + 0xfff + (bits >> 13 & 1);
    return sign | static_cast<uint16_t>((rounded - 0x38000000) >> 13);
}

}  // namespace tritonsmith::run
