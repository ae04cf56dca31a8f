// One step of AdamW: every element is read and written once.
#include "kernels/cuda/launch.h"

namespace tritonsmith::kernels {
namespace {

/// The upper 16 bits of SplitMix64 (Steele, Lea, Flood 2014) at an element of a stream.
__device__ __forceinline__ uint32_t random_16(uint64_t stream, int64_t element) {
    uint64_t z = static_cast<uint64_t>(element) * 0x9e3779b97f4a7c15ULL + stream;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<uint32_t>(z >> 48);
}

/// Up or down at random by the distance; what is not finite is rounded to nearest.
template <typename T>
__device__ __forceinline__ T rounded_stochastically(float x, uint64_t stream, int64_t element) {
    if constexpr (sizeof(T) == 4) {
        return x;
    } else {
        if (magnitude(x) >= 0x7f800000u) return from_float<T>(x);
        return from_float<T>(
            __uint_as_float((__float_as_uint(x) + random_16(stream, element)) & 0xffff0000u));
    }
}

template <typename Value, typename Gradient, typename State, int N>
__global__ void adamw_kernel(AdamW a) {
    const int64_t begin = (static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * N;
    if (begin >= a.count) return;
    Value* value = static_cast<Value*>(a.value) + begin;
    State* first = static_cast<State*>(a.first) + begin;
    State* second = static_cast<State*>(a.second) + begin;
    Pack<Value, N> values = load_pack<Value, N>(value);
    const Pack<Gradient, N> gradients =
        load_pack<Gradient, N>(static_cast<const Gradient*>(a.gradient) + begin);
    Pack<State, N> firsts = load_pack<State, N>(first), seconds = load_pack<State, N>(second);
    Pack<float, N> masters = {};
    if (a.master) masters = load_pack<float, N>(a.master + begin);
    for (int j = 0; j < N; ++j) {
        const int64_t element = a.first_element + begin + j;
        const float gradient = to_float(gradients.values[j]) * a.gradient_scale;
        float mean = to_float(firsts.values[j]), square = to_float(seconds.values[j]);
        mean += (1.0f - a.beta1) * (gradient - mean);
        square = square * a.beta2 + (1.0f - a.beta2) * gradient * gradient;
        const float root = sqrtf(square) / a.second_root + a.epsilon;
        float x = a.master ? masters.values[j] : to_float(values.values[j]);
        x = x * a.decay - a.rate * (mean / root);
        masters.values[j] = x;
        values.values[j] =
            a.master ? from_float<Value>(x) : rounded_stochastically<Value>(x, a.value_stream, element);
        firsts.values[j] = rounded_stochastically<State>(mean, a.first_stream, element);
        seconds.values[j] = rounded_stochastically<State>(square, a.second_stream, element);
    }
    store_pack(value, values);
    store_pack(first, firsts);
    store_pack(second, seconds);
    if (a.master) store_pack(a.master + begin, masters);
}

template <typename Value, typename Gradient, typename State>
int launch_adamw(const AdamW& a, void* stream) {
    constexpr int n = 4, threads = 256;
    const bool packs = a.count % n == 0 && aligned16(a.value) && aligned16(a.gradient) &&
                       aligned16(a.first) && aligned16(a.second) && aligned16(a.master);
    const int64_t per_block = threads * (packs ? n : 1), blocks = (a.count + per_block - 1) / per_block;
    return launch("adamw",
                  packs ? adamw_kernel<Value, Gradient, State, n> : adamw_kernel<Value, Gradient, State, 1>,
                  dim3(static_cast<unsigned>(blocks)), threads, 0, stream, a);
}

/// Calls `f` with a null pointer of bf16 or fp32.
template <typename F>
int with_bf16_or_fp32(const char* what, DType dtype, F f) {
    if (dtype == DType::bf16) return f(static_cast<Bf16*>(nullptr));
    if (dtype == DType::fp32) return f(static_cast<float*>(nullptr));
    return refuse("adamw: dtype code %d of %s is neither bf16 nor fp32", static_cast<int>(dtype), what);
}

}  // namespace
}  // namespace tritonsmith::kernels

using namespace tritonsmith::kernels;

extern "C" int tritonsmith_adamw(const AdamW* a, void* stream) {
    if (a->count < 0 || a->count > (int64_t{1} << 38))
        return refuse("adamw: %lld elements (at most 2^38)", static_cast<long long>(a->count));
    if (a->count == 0) return 0;
    return with_bf16_or_fp32("value", a->value_dtype, [&](auto* value) {
        return with_bf16_or_fp32("gradient", a->gradient_dtype, [&](auto* gradient) {
            return with_bf16_or_fp32("states", a->state_dtype, [&](auto* state) {
                return launch_adamw<std::remove_pointer_t<decltype(value)>,
                                    std::remove_pointer_t<decltype(gradient)>,
                                    std::remove_pointer_t<decltype(state)>>(*a, stream);
            });
        });
    });
}
