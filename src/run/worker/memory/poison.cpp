#include "run/worker/memory/poison.h"

#include <sys/random.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace tritonsmith::run {
namespace {

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): quality hardly matters here, speed does.
uint64_t next(uint64_t& state) {
    uint64_t z = state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

/// Sign and mantissa at random; exponent: all ones (NaN) for a quarter, else around or above one.
template <class Bits>
Bits loud(uint64_t random, int exponent_bits, int mantissa_bits) {
    Bits ones = static_cast<Bits>((Bits{1} << exponent_bits) - 1), bias = ones >> 1;
    Bits mantissa = static_cast<Bits>(random & ((Bits{1} << mantissa_bits) - 1));
    uint64_t choice = random >> 52;
    Bits exponent = static_cast<Bits>(bias - 2 + (choice >> 3) % (bias / 4 + 6));
    if ((choice & 3) == 0) {
        exponent = ones;
        mantissa |= Bits{1} << (mantissa_bits - 1);
    }
    Bits sign = static_cast<Bits>(choice >> 2 & 1) << (exponent_bits + mantissa_bits);
    return static_cast<Bits>(sign | exponent << mantissa_bits | mantissa);
}

/// One period of fresh values, then copies of it: writing memory must cost no more than memory does.
template <class Bits, class Make>
void fill(std::byte* data, int64_t bytes, uint64_t seed, Make make) {
    constexpr int64_t width = sizeof(Bits);
    const int64_t fresh = std::min(bytes / width, kPoisonPeriod);
    for (int64_t i = 0; i < fresh; ++i) {
        Bits bits = make(next(seed));
        std::memcpy(data + i * width, &bits, sizeof bits);
    }
    if (fresh < kPoisonPeriod)
        for (int64_t i = fresh * width; i < bytes; ++i) data[i] = static_cast<std::byte>(next(seed));
    else
        for (int64_t done = fresh * width; done < bytes; done += std::min(done, bytes - done))
            std::memcpy(data + done, data, static_cast<size_t>(std::min(done, bytes - done)));
}

}  // namespace

void poison(std::byte* data, int64_t bytes, plan::DType dtype, uint64_t seed) {
    using plan::DType;
    switch (dtype) {
        case DType::f64:
        case DType::c128:
            return fill<uint64_t>(data, bytes, seed, [&](uint64_t r) { return loud<uint64_t>(r, 11, 52); });
        case DType::f32:
        case DType::c64:
            return fill<uint32_t>(data, bytes, seed, [&](uint64_t r) { return loud<uint32_t>(r, 8, 23); });
        case DType::f16:
            return fill<uint16_t>(data, bytes, seed, [&](uint64_t r) { return loud<uint16_t>(r, 5, 10); });
        case DType::bf16:
            return fill<uint16_t>(data, bytes, seed, [&](uint64_t r) { return loud<uint16_t>(r, 8, 7); });
        case DType::b1:
            return fill<uint8_t>(data, bytes, seed, [](uint64_t r) { return uint8_t(r >> 63); });
        default:
            return fill<uint64_t>(data, bytes, seed, [](uint64_t r) { return r; });
    }
}

uint64_t fresh_poison() {
    uint64_t random = 0;
    if (::getrandom(&random, sizeof random, 0) != sizeof random)
        throw MachineError("no random numbers from the kernel");
    return random;
}

}  // namespace tritonsmith::run
