#pragma once

/// CUDA on the CPU, as far as our kernels need it: their sources compile with g++, and a block's threads run
/// as fibers of one thread, one block after the other. For tests without a GPU; shows neither speed nor races
/// between warps. Asynchronous copies complete as late as allowed, or at once (run both): code that reads too
/// early, or overwrites data that is still being read, gives wrong results in one of the two.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __shared__ static
#define __launch_bounds__(...)

struct dim3 {
    unsigned x = 1, y = 1, z = 1;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

namespace tritonsmith::kernels::emulation {

/// Of copy_async; late is the default.
enum class Landing { late, at_once };
void set_landing(Landing landing);

/// Runs a kernel's body for every thread of the grid.
/// @throws std::runtime_error if threads wait for others that have ended or wait elsewhere
void run_grid(dim3 grid, int threads, size_t shared_bytes, const std::function<void()>& body);

struct Place {
    dim3 thread, block, block_dim, grid;
};
const Place& here();
char* shared_memory();
void synchronize_block();
/// Hands `bytes` to the lanes of this warp; all lanes' are returned, lane after lane, until the next call but
/// one.
const char* exchange(const void* value, size_t bytes);
void copy_async(void* to, const void* from, bool valid);
void commit_copies();
void copies_arrived(int pending);

template <typename T>
struct Lanes {
    const char* bytes;
    T operator[](int lane) const {
        T value;
        std::memcpy(&value, bytes + static_cast<size_t>(lane) * sizeof(T), sizeof(T));
        return value;
    }
};
template <typename T>
Lanes<T> all_of(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return {exchange(&value, sizeof(T))};
}
inline int lane() {
    return static_cast<int>(here().thread.x % 32);
}

}  // namespace tritonsmith::kernels::emulation

#define threadIdx (::tritonsmith::kernels::emulation::here().thread)
#define blockIdx (::tritonsmith::kernels::emulation::here().block)
#define blockDim (::tritonsmith::kernels::emulation::here().block_dim)
#define gridDim (::tritonsmith::kernels::emulation::here().grid)

inline void __syncthreads() {
    tritonsmith::kernels::emulation::synchronize_block();
}
inline void __syncwarp() {
    tritonsmith::kernels::emulation::all_of(0);
}
template <typename T>
T __shfl_sync(unsigned, T value, int from) {
    return tritonsmith::kernels::emulation::all_of(value)[from];
}
template <typename T>
T __shfl_xor_sync(unsigned, T value, int distance) {
    return tritonsmith::kernels::emulation::all_of(value)[tritonsmith::kernels::emulation::lane() ^ distance];
}
template <typename T>
T __shfl_up_sync(unsigned, T value, int distance) {
    const int from = tritonsmith::kernels::emulation::lane() - distance;
    const auto all = tritonsmith::kernels::emulation::all_of(value);
    return from >= 0 ? all[from] : value;
}
template <typename T>
T __shfl_down_sync(unsigned, T value, int distance) {
    const int from = tritonsmith::kernels::emulation::lane() + distance;
    const auto all = tritonsmith::kernels::emulation::all_of(value);
    return from < 32 ? all[from] : value;
}
template <typename T>
T atomicAdd(T* address, T value) {
    T before = *address;
    *address += value;
    return before;
}
template <typename T>
T atomicMin(T* address, T value) {
    T before = *address;
    *address = value < before ? value : before;
    return before;
}
template <typename T>
T atomicMax(T* address, T value) {
    T before = *address;
    *address = value > before ? value : before;
    return before;
}
template <typename T>
T atomicCAS(T* address, T expected, T value) {
    T before = *address;
    if (before == expected) *address = value;
    return before;
}
inline float __uint_as_float(uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
}
inline uint32_t __float_as_uint(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    return bits;
}
/// Byte i of the result is the one of the eight of (high, low) that nibble i of the selector names.
inline uint32_t __byte_perm(uint32_t low, uint32_t high, uint32_t selector) {
    const uint64_t bytes = static_cast<uint64_t>(high) << 32 | low;
    uint32_t result = 0;
    for (int i = 0; i < 4; ++i)
        result |= static_cast<uint32_t>(bytes >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
    return result;
}
inline float rsqrtf(float x) {
    return 1.0f / std::sqrt(x);
}
inline float __expf(float x) {
    return std::exp(x);
}
inline float __fdividef(float x, float y) {
    return x / y;
}

namespace tritonsmith::kernels {

/// Rounded to nearest, ties to even.
struct Bf16 {
    uint16_t bits;
};
struct Fp16 {
    _Float16 value;
};

inline float to_float(float x) {
    return x;
}
inline float to_float(Bf16 x) {
    uint32_t bits = static_cast<uint32_t>(x.bits) << 16;
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
}
inline float to_float(Fp16 x) {
    return static_cast<float>(x.value);
}
template <typename T>
T from_float(float x);
template <>
inline float from_float<float>(float x) {
    return x;
}
template <>
inline Bf16 from_float<Bf16>(float x) {
    if (x != x) return {0x7fff};
    uint32_t bits;
    std::memcpy(&bits, &x, 4);
    return {static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}
template <>
inline Fp16 from_float<Fp16>(float x) {
    return {static_cast<_Float16>(x)};
}
struct E4m3 {
    uint8_t bits;
};
inline float to_float(E4m3 x) {
    const int exponent = x.bits >> 3 & 15, mantissa = x.bits & 7;
    if ((x.bits & 0x7f) == 0x7f) return NAN;
    const float size = exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -9)
                                     : std::ldexp(static_cast<float>(8 + mantissa), exponent - 10);
    return x.bits & 0x80 ? -size : size;
}
template <>
inline E4m3 from_float<E4m3>(float x) {
    if (x != x) return {0x7f};
    const float size = std::fabs(x) < 448 ? std::fabs(x) : 448;
    const int exponent = size < 0x1p-6f ? -6 : std::ilogb(size);
    // Eighths of the power of two; below the least power they count from zero, and 16 of them are the next
    // one.
    const int eighths = static_cast<int>(std::nearbyint(std::ldexp(size, 3 - exponent)));
    return {static_cast<uint8_t>((std::signbit(x) ? 0x80 : 0) + (exponent + 6) * 8 + eighths)};
}
inline void fp16_of_e4m3(uint32_t& low, uint32_t& high, uint32_t four) {
    Fp16 values[4];
    for (int i = 0; i < 4; ++i)
        values[i] = from_float<Fp16>(to_float(E4m3{static_cast<uint8_t>(four >> 8 * i)}));
    std::memcpy(&low, values, 4);
    std::memcpy(&high, values + 2, 4);
}
template <typename T>
uint32_t pack_two(float first, float second) {
    T both[2] = {from_float<T>(first), from_float<T>(second)};
    uint32_t packed;
    std::memcpy(&packed, both, 4);
    return packed;
}
inline float exp2_approximately(float x) {
    return std::exp2(x);
}
inline char* dynamic_shared() {
    return emulation::shared_memory();
}
inline void copy_async(void* shared, const void* global, bool valid) {
    emulation::copy_async(shared, global, valid);
}
inline void commit_copies() {
    emulation::commit_copies();
}
template <int pending>
void copies_arrived() {
    emulation::copies_arrived(pending);
}

inline void load_matrices(uint32_t (&r)[4], const void* row) {
    const auto rows = emulation::all_of(row);
    for (int matrix = 0; matrix < 4; ++matrix)
        std::memcpy(&r[matrix],
                    static_cast<const uint16_t*>(rows[matrix * 8 + emulation::lane() / 4]) +
                        emulation::lane() % 4 * 2,
                    4);
}
inline void load_matrices_transposed(uint32_t (&r)[4], const void* row) {
    const auto rows = emulation::all_of(row);
    for (int matrix = 0; matrix < 4; ++matrix) {
        uint16_t pair[2];
        for (int i = 0; i < 2; ++i)
            pair[i] = static_cast<const uint16_t*>(
                rows[matrix * 8 + emulation::lane() % 4 * 2 + i])[emulation::lane() / 4];
        std::memcpy(&r[matrix], pair, 4);
    }
}

inline uint32_t transpose_matrix(uint32_t pair) {
    const auto all = emulation::all_of(pair);
    uint32_t transposed = 0;
    for (int i = 0; i < 2; ++i) {
        const int row = emulation::lane() % 4 * 2 + i, column = emulation::lane() / 4;
        transposed |= (all[row * 4 + column / 2] >> column % 2 * 16 & 0xffff) << i * 16;
    }
    return transposed;
}

template <typename T>
void multiply_add(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
    struct Fragments {
        T a[8], b[4];
    } mine;
    std::memcpy(mine.a, a, 16);
    std::memcpy(mine.b, &b0, 4);
    std::memcpy(mine.b + 2, &b1, 4);
    const auto all = emulation::all_of(mine);
    // PTX ISA, "Matrix fragments for mma.m16n8k16": element (row, k) of a is in lane row % 8 * 4 + k % 8 / 2,
    // and so on.
    for (int i = 0; i < 4; ++i) {
        const int row = emulation::lane() / 4 + i / 2 * 8, column = emulation::lane() % 4 * 2 + i % 2;
        for (int k = 0; k < 16; ++k) {
            const float left = to_float(all[row % 8 * 4 + k % 8 / 2].a[k / 8 * 4 + row / 8 * 2 + k % 2]);
            const float right = to_float(all[column * 4 + k % 8 / 2].b[k / 8 * 2 + k % 2]);
            c[i] += left * right;
        }
    }
}

}  // namespace tritonsmith::kernels
