#pragma once

#include <cstdint>

#include "kernels/arguments.h"

/// The arithmetic of drawing tokens (sampling.h describes the rule), compiled for the CPU and for GPUs. Every
/// operation on floats is a separate IEEE operation on both: files that include this are compiled with
/// -ffp-contract=off.
#if defined(__CUDACC__)
#define TRITONSMITH_BOTH __host__ __device__ __forceinline__
#else
#define TRITONSMITH_BOTH inline __attribute__((always_inline))
#endif

namespace tritonsmith::kernels::draw {

constexpr int fraction_bits = 18;                         ///< of a distance; the rest are octaves
constexpr int weight_bits = 40;                           ///< the greatest logit weighs 2^40
constexpr int32_t beyond = weight_bits << fraction_bits;  ///< the distance from which on weights are 0
constexpr float scale_at_one = 378193.84375f;             ///< log2(e) · 2^18: of temperature 1

TRITONSMITH_BOTH float multiply(float a, float b) {
#if defined(__CUDA_ARCH__)
    return __fmul_rn(a, b);
#else
    return a * b;
#endif
}

TRITONSMITH_BOTH float add(float a, float b) {
#if defined(__CUDA_ARCH__)
    return __fadd_rn(a, b);
#else
    return a + b;
#endif
}

/// 0 to `beyond`; of logits that are not numbers: beyond.
TRITONSMITH_BOTH int32_t distance(float logit, float greatest, float scale) {
    float units = multiply(add(greatest, -logit), scale);
    units = units < static_cast<float>(beyond) ? units
                                               : static_cast<float>(beyond);  // also if it is not a number
    return static_cast<int32_t>(add(units, 0.5f));
}

/// 2^(40 - distance / 2^18), to 3e-7 of itself or the next lower integer; strictly decreasing within an
/// octave. The polynomial is the minimax one of degree 5 for 2^x on [-1, 0] that is exact at 0.
TRITONSMITH_BOTH uint64_t weight(int32_t distance) {
    float x = multiply(static_cast<float>(distance & ((1 << fraction_bits) - 1)), -0x1p-18f);
    float p = 0x1.ef66bap-11f;
    p = add(multiply(p, x), 0x1.2da7d2p-7f);
    p = add(multiply(p, x), 0x1.c4fef6p-5f);
    p = add(multiply(p, x), 0x1.ebe392p-3f);
    p = add(multiply(p, x), 0x1.62e3bcp-1f);
    p = add(multiply(p, x), 1.0f);
    uint64_t mantissa = static_cast<uint64_t>(static_cast<int32_t>(multiply(p, 0x1p24f)));
    uint64_t shifted = (mantissa << (weight_bits - 24)) >> (distance >> fraction_bits);
    return distance < beyond ? shifted : 0;
}

/// Upper 64 bits of a product.
TRITONSMITH_BOTH uint64_t multiply_high(uint64_t a, uint64_t b) {
#if defined(__CUDA_ARCH__)
    return __umul64hi(a, b);
#else
    return static_cast<uint64_t>((static_cast<unsigned __int128>(a) * b) >> 64);
#endif
}

/// The least sum of the kept weights: ceil(sum · top_p).
TRITONSMITH_BOTH uint64_t wanted_mass(uint64_t sum, uint64_t top_p) {
    return multiply_high(sum, top_p) + (sum * top_p != 0 ? 1 : 0);
}

/// 64 random bits, Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011): key
/// = seed, counter = (position, sample, 0, 0). The judge has its own (run/draw/philox.h): this one is
/// compiled for GPUs.
TRITONSMITH_BOTH uint64_t random_bits(uint64_t seed, uint32_t sample, uint32_t position) {
    uint32_t c0 = position, c1 = sample, c2 = 0, c3 = 0;
    uint32_t k0 = static_cast<uint32_t>(seed), k1 = static_cast<uint32_t>(seed >> 32);
    for (int round = 0; round < 10; ++round) {
        uint64_t first = uint64_t{0xD2511F53} * c0, second = uint64_t{0xCD9E8D57} * c2;
        uint32_t n0 = static_cast<uint32_t>(second >> 32) ^ c1 ^ k0, n1 = static_cast<uint32_t>(second);
        uint32_t n2 = static_cast<uint32_t>(first >> 32) ^ c3 ^ k1, n3 = static_cast<uint32_t>(first);
        c0 = n0, c1 = n1, c2 = n2, c3 = n3;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return (static_cast<uint64_t>(c0) << 32) | c1;
}

/// The running sum that the drawn token's must exceed: in [0, sum).
TRITONSMITH_BOTH uint64_t target(uint64_t sum, const DrawRow& row) {
    return multiply_high(random_bits(row.seed, row.sample, row.position), sum);
}

}  // namespace tritonsmith::kernels::draw
