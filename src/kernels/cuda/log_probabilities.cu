// Logarithms of the probabilities of given tokens, in one pass over each row (online softmax). One block has
// a row and sums it in an order that depends on the row's length only.
#include <cmath>

#include "kernels/cuda/launch.h"

namespace tritonsmith::kernels {
namespace {

constexpr int threads = 512;
constexpr float log2_e = 1.4426950408889634f;

/// Of some logits: the greatest, and the sum of exp(logit - greatest).
struct Mass {
    float greatest = -INFINITY, sum = 0;

    __device__ __forceinline__ void add(float other_greatest, float other_sum) {
        const float next = fmaxf(greatest, other_greatest);
        // Where both are -infinity nothing is known yet: a difference would not be a number.
        const float base = next == -INFINITY ? 0 : next;
        sum = sum * exp2f((greatest - base) * log2_e) + other_sum * exp2f((other_greatest - base) * log2_e);
        greatest = next;
    }
};

template <typename T, int N>
__global__ void log_probabilities_kernel(LogProbabilities a) {
    __shared__ float part_greatest[threads / 32], part_sum[threads / 32];
    const T* logits = static_cast<const T*>(a.logits) + blockIdx.x * a.logits_stride;
    Mass mass;
    for (int i = threadIdx.x * N; i < a.vocabulary; i += threads * N) {
        const Pack<T, N> pack = load_pack<T, N>(logits + i);
        float greatest = to_float(pack.values[0]), sum = 0;
        for (int j = 1; j < N; ++j) greatest = fmaxf(greatest, to_float(pack.values[j]));
        const float base = greatest == -INFINITY ? 0 : greatest;
        for (int j = 0; j < N; ++j) sum += exp2f((to_float(pack.values[j]) - base) * log2_e);
        mass.add(greatest, sum);
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        const float greatest = __shfl_down_sync(all_lanes, mass.greatest, distance);
        const float sum = __shfl_down_sync(all_lanes, mass.sum, distance);
        mass.add(greatest, sum);
    }
    if (threadIdx.x % 32 == 0) {
        part_greatest[threadIdx.x / 32] = mass.greatest;
        part_sum[threadIdx.x / 32] = mass.sum;
    }
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int warp = 1; warp < threads / 32; ++warp) mass.add(part_greatest[warp], part_sum[warp]);
    const float normaliser = mass.greatest + logf(mass.sum);
    const int64_t target = a.targets[blockIdx.x];
    a.logprobs[blockIdx.x] =
        target >= 0 && target < a.vocabulary ? to_float(logits[target]) - normaliser : NAN;
    if (a.logsumexp) a.logsumexp[blockIdx.x] = normaliser;
}

}  // namespace
}  // namespace tritonsmith::kernels

using namespace tritonsmith::kernels;

extern "C" int tritonsmith_log_probabilities(const LogProbabilities* a, void* stream) {
    if (a->rows < 0 || a->vocabulary <= 0)
        return refuse("log_probabilities: %d rows of %d logits", a->rows, a->vocabulary);
    if (a->rows == 0) return 0;
    return with_dtype("log_probabilities", a->dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        constexpr int n = 16 / sizeof(T);
        if (a->vocabulary % n == 0 && aligned16(a->logits) && a->logits_stride % n == 0)
            return launch("log_probabilities", log_probabilities_kernel<T, n>, dim3(a->rows), threads, 0,
                          stream, *a);
        return launch("log_probabilities", log_probabilities_kernel<T, 1>, dim3(a->rows), threads, 0, stream,
                      *a);
    });
}
