#pragma once

/// The kernels' vocabulary: element types, and the few instructions that C++ lacks. Compiled by g++ instead
/// of nvcc (emulation.h), the same sources run on the CPU, where tests check them without a GPU.
#include <cstdint>

#include "kernels/arguments.h"

#if defined(__CUDACC__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#else
#include "kernels/cuda/emulation.h"
#endif

namespace tritonsmith::kernels {

#if defined(__CUDACC__)
using Bf16 = __nv_bfloat16;
using Fp16 = __half;

__device__ __forceinline__ float to_float(float x) {
    return x;
}
__device__ __forceinline__ float to_float(Bf16 x) {
    return __bfloat162float(x);
}
__device__ __forceinline__ float to_float(Fp16 x) {
    return __half2float(x);
}
template <typename T>
__device__ __forceinline__ T from_float(float x);
template <>
__device__ __forceinline__ float from_float<float>(float x) {
    return x;
}
template <>
__device__ __forceinline__ Bf16 from_float<Bf16>(float x) {
    return __float2bfloat16_rn(x);
}
template <>
__device__ __forceinline__ Fp16 from_float<Fp16>(float x) {
    return __float2half_rn(x);
}

/// 4 bits of exponent, 3 of mantissa, no infinity: up to 448.
struct E4m3 {
    uint8_t bits;
};
/// Rounded to nearest, ties to even; saturates at 448.
template <>
__device__ __forceinline__ E4m3 from_float<E4m3>(float x) {
    return {__nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3)};
}
/// Four e4m3 of a register as fp16, two and two: exact.
__device__ __forceinline__ void fp16_of_e4m3(uint32_t& low, uint32_t& high, uint32_t four) {
#if __CUDA_ARCH__ >= 890
    asm("{.reg .b16 a, b;\n\t"
        "mov.b32 {a, b}, %2;\n\t"
        "cvt.rn.f16x2.e4m3x2 %0, a;\n\t"
        "cvt.rn.f16x2.e4m3x2 %1, b;}"
        : "=r"(low), "=r"(high)
        : "r"(four));
#else
    // Older devices, and newer ones that run code for them: the bits at fp16's places have an exponent that
    // is 8 too low, also where they are subnormal.
    const auto widened = [](uint32_t bytes) {
        uint32_t halves;
        asm("mul.rn.f16x2 %0, %1, %2;"
            : "=r"(halves)
            : "r"((bytes & 0x80008000u) | (bytes >> 1 & 0x3f803f80u)), "r"(0x5c005c00u));
        return halves;
    };
    low = widened(__byte_perm(four, 0, 0x1404));
    high = widened(__byte_perm(four, 0, 0x3424));
#endif
}
__device__ __forceinline__ float to_float(E4m3 x) {
    uint32_t low, high;
    fp16_of_e4m3(low, high, x.bits);
    return __half2float(__ushort_as_half(static_cast<uint16_t>(low)));
}

/// Two neighbours in one register, the first one in its lower half.
template <typename T>
__device__ __forceinline__ uint32_t pack_two(float first, float second);
template <>
__device__ __forceinline__ uint32_t pack_two<Bf16>(float first, float second) {
    uint32_t packed;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(second), "f"(first));
    return packed;
}
template <>
__device__ __forceinline__ uint32_t pack_two<Fp16>(float first, float second) {
    uint32_t packed;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(second), "f"(first));
    return packed;
}

/// 2^x to 2 ulp; of -infinity 0.
__device__ __forceinline__ float exp2_approximately(float x) {
    float result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
}

__device__ __forceinline__ char* dynamic_shared() {
    extern __shared__ __align__(16) char memory[];
    return memory;
}

__device__ __forceinline__ uint32_t shared_address(const void* pointer) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

/// 16 bytes from global into shared memory, past the registers and L1; zeros where not `valid` (nothing is
/// read then).
__device__ __forceinline__ void copy_async(void* shared, const void* global, bool valid) {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(shared_address(shared)),
                 "l"(global), "r"(valid ? 16 : 0)
                 : "memory");
}
/// Ends a group of copies; copies_arrived<N> waits until all but this thread's N latest groups are complete.
__device__ __forceinline__ void commit_copies() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}
template <int pending>
__device__ __forceinline__ void copies_arrived() {
    asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

/// Four 8×8 matrices of 16-bit elements; lane l names row l % 8 of matrix l / 8, and gets of each matrix the
/// elements (row l / 4, columns 2 (l % 4) and + 1); transposed: (rows 2 (l % 4) and + 1, column l / 4).
__device__ __forceinline__ void load_matrices(uint32_t (&r)[4], const void* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(shared_address(row))
                 : "memory");
}
__device__ __forceinline__ void load_matrices_transposed(uint32_t (&r)[4], const void* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(shared_address(row))
                 : "memory");
}

/// An 8×8 matrix of 16-bit elements, of which lane l has (row l / 4, columns 2 (l % 4) and + 1), transposed.
__device__ __forceinline__ uint32_t transpose_matrix(uint32_t pair) {
    uint32_t transposed;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(transposed) : "r"(pair));
    return transposed;
}

/// c += a · b of [16, 16] and [16, 8], by the fragments of PTX's mma.m16n8k16.
template <typename T>
__device__ __forceinline__ void multiply_add(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1);
template <>
__device__ __forceinline__ void multiply_add<Bf16>(float (&c)[4], const uint32_t (&a)[4], uint32_t b0,
                                                   uint32_t b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
template <>
__device__ __forceinline__ void multiply_add<Fp16>(float (&c)[4], const uint32_t (&a)[4], uint32_t b0,
                                                   uint32_t b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
#endif

/// N neighbours that are loaded and stored at once.
template <typename T, int N>
struct alignas(sizeof(T) * N) Pack {
    T values[N];
};

template <typename T, int N>
__device__ __forceinline__ Pack<T, N> load_pack(const T* from) {
    return *reinterpret_cast<const Pack<T, N>*>(from);
}
template <typename T, int N>
__device__ __forceinline__ void store_pack(T* to, const Pack<T, N>& pack) {
    *reinterpret_cast<Pack<T, N>*>(to) = pack;
}

constexpr unsigned all_lanes = 0xffffffffu;

template <typename T>
__device__ __forceinline__ T warp_sum(T value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(all_lanes, value, distance);
    return value;
}

/// Bits of |x|: floats without a sign have the order of their bits, what is not a number being the greatest.
__device__ __forceinline__ uint32_t magnitude(float x) {
    return __float_as_uint(x) & 0x7fffffffu;
}
__device__ __forceinline__ uint32_t warp_max(uint32_t value) {
    for (int distance = 16; distance > 0; distance /= 2) {
        const uint32_t other = __shfl_xor_sync(all_lanes, value, distance);
        value = other > value ? other : value;
    }
    return value;
}

/// A shared scale of e4m3 elements: they are x * reciprocal, and times `scale` x again.
struct E4m3Scale {
    float scale, reciprocal;
};
__device__ __forceinline__ E4m3Scale e4m3_scale(float greatest) {
    if (greatest < 0x1p-100f) return {0, 0};  // its reciprocal might be infinite
    return {greatest / 448, 448 / greatest};
}

/// A block of whole warps, at most 32, combines a value of each thread, in an order of its own; every thread
/// gets the result. @param of_warp the same for a warp  @param scratch [33] in shared memory
template <typename T, typename OfWarp>
__device__ __forceinline__ T block_combined(T value, T* scratch, OfWarp of_warp) {
    value = of_warp(value);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    __syncthreads();
    if (lane == 0) scratch[warp] = value;
    __syncthreads();
    if (warp == 0) {
        T all = of_warp(lane < warps ? scratch[lane] : T{});
        if (lane == 0) scratch[32] = all;
    }
    __syncthreads();
    return scratch[32];
}
template <typename T>
__device__ __forceinline__ T block_sum(T value, T* scratch) {
    return block_combined(value, scratch, [](T x) { return warp_sum(x); });
}
__device__ __forceinline__ uint32_t block_max(uint32_t value, uint32_t* scratch) {
    return block_combined(value, scratch, [](uint32_t x) { return warp_max(x); });
}

}  // namespace tritonsmith::kernels
