#include "kernels/testing/machine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>

namespace tritonsmith::kernels::testing {
namespace {

uint16_t bits_of(float value, DType dtype) {
    if (dtype == DType::fp16) {
        _Float16 half = static_cast<_Float16>(value);
        uint16_t bits;
        std::memcpy(&bits, &half, 2);
        return bits;
    }
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    if (value != value) return static_cast<uint16_t>(bits >> 16 | 0x40);
    return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float value_of(uint16_t bits, DType dtype) {
    if (dtype == DType::fp16) {
        _Float16 half;
        std::memcpy(&half, &bits, 2);
        return static_cast<float>(half);
    }
    uint32_t wide = static_cast<uint32_t>(bits) << 16;
    float value;
    std::memcpy(&value, &wide, 4);
    return value;
}

}  // namespace

std::vector<unsigned char> encoded(const std::vector<float>& values, DType dtype) {
    const size_t each = dtype == DType::fp32 ? 4 : 2;
    std::vector<unsigned char> bytes(values.size() * each);
    for (size_t i = 0; i < values.size(); ++i) {
        if (dtype == DType::fp32) {
            std::memcpy(bytes.data() + i * 4, &values[i], 4);
        } else {
            uint16_t bits = bits_of(values[i], dtype);
            std::memcpy(bytes.data() + i * 2, &bits, 2);
        }
    }
    return bytes;
}

std::vector<float> decoded(const std::vector<unsigned char>& bytes, DType dtype) {
    const size_t each = dtype == DType::fp32 ? 4 : 2;
    std::vector<float> values(bytes.size() / each);
    for (size_t i = 0; i < values.size(); ++i) {
        if (dtype == DType::fp32) {
            std::memcpy(&values[i], bytes.data() + i * 4, 4);
        } else {
            uint16_t bits;
            std::memcpy(&bits, bytes.data() + i * 2, 2);
            values[i] = value_of(bits, dtype);
        }
    }
    return values;
}

float rounded(float value, DType dtype) {
    return dtype == DType::fp32 ? value : value_of(bits_of(value, dtype), dtype);
}

double rounding_of(DType dtype) {
    return dtype == DType::bf16   ? std::ldexp(1, -8)
           : dtype == DType::fp16 ? std::ldexp(1, -11)
                                  : std::ldexp(1, -24);
}

float value_of_e4m3(uint8_t byte) {
    const int exponent = byte / 8 % 16, mantissa = byte % 8;
    if (exponent == 15 && mantissa == 7) return NAN;
    const double size = exponent == 0 ? mantissa * 0x1p-9 : (1 + mantissa / 8.0) * std::exp2(exponent - 7);
    return static_cast<float>(byte >= 128 ? -size : size);
}

uint8_t nearest_e4m3(float value) {
    static const auto numbers = [] {
        std::array<double, 127> sizes{};  // in order
        for (size_t byte = 0; byte < sizes.size(); ++byte)
            sizes[byte] = value_of_e4m3(static_cast<uint8_t>(byte));
        return sizes;
    }();
    const double size = std::abs(static_cast<double>(value));
    auto best = static_cast<size_t>(std::lower_bound(numbers.begin(), numbers.end(), size) - numbers.begin());
    best = std::min(best, numbers.size() - 1);
    if (best > 0) {
        const double below = size - numbers[best - 1], above = std::abs(numbers[best] - size);
        if (below < above || (below == above && best % 2 == 1)) --best;
    }
    return static_cast<uint8_t>(best + (std::signbit(value) ? 128 : 0));
}

const char* name_of(DType dtype) {
    return dtype == DType::bf16 ? "bf16" : dtype == DType::fp16 ? "fp16" : "fp32";
}

Floats Floats::put(Machine& machine, const std::vector<float>& values, DType dtype) {
    return {machine.put(encoded(values, dtype)), values.size(), dtype};
}

std::vector<float> Floats::get(Machine& machine) const {
    return decoded(machine.get<unsigned char>(memory, count * (dtype == DType::fp32 ? 4 : 2)), dtype);
}

std::vector<float> random_values(size_t count, DType dtype, uint64_t seed, float scale) {
    std::mt19937_64 generator(seed);
    std::normal_distribution<float> normal(0, scale);
    std::vector<float> values(count);
    for (float& value : values) value = rounded(normal(generator), dtype);
    return values;
}

}  // namespace tritonsmith::kernels::testing
