// The judge's bounds and comparisons, element by element in float64: what torch's operators do in some forty
// passes over memory, in one each (run/worker/oracle/expected.cpp has both).
#include <cmath>
#include <cstring>

#include "kernels/cuda/launch.h"
#include "numerics/alike.h"
#include "numerics/element_bound.h"

namespace tritonsmith::kernels {
namespace {

using numerics::Alike;
using Total = unsigned long long;

constexpr int threads = 256, most_blocks = 4096;

__device__ __forceinline__ bool finite(double x) {
    return fabs(x) < static_cast<double>(INFINITY);
}

__device__ __forceinline__ Total bits_of(double x) {
    Total bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/// Of a block, to a total in memory; by all its threads.
__device__ void add_to(uint64_t* total, Total mine) {
    for (int distance = 16; distance > 0; distance /= 2) mine += __shfl_xor_sync(all_lanes, mine, distance);
    if (threadIdx.x % 32 == 0 && mine > 0) atomicAdd(reinterpret_cast<Total*>(total), mine);
}
__device__ void raise_to(uint64_t* greatest, double mine) {
    Total bits = bits_of(mine);
    for (int distance = 16; distance > 0; distance /= 2) {
        const Total other = __shfl_xor_sync(all_lanes, bits, distance);
        bits = other > bits ? other : bits;
    }
    if (threadIdx.x % 32 == 0 && bits > 0) atomicMax(reinterpret_cast<Total*>(greatest), bits);
}

__device__ numerics::Bound bound_of(const ElementBound& given) {
    numerics::Bound bound;
    bound.stored.spacing = given.spacing;
    bound.stored.subnormal = given.subnormal;
    bound.stored.least = given.least;
    bound.sums = given.sums;
    bound.root = given.root;
    bound.tolerance = given.tolerance;
    bound.rms = given.rms;
    bound.uneven = given.uneven != 0;
    bound.wide = given.wide != 0;
    return bound;
}

/// Magnitudes, 0 where the oracle is not finite.
struct Element {
    bool finite;
    double value, scale;
    double reference_error;  ///< of the reference as PyTorch runs it
    double own;              ///< what its roundings change, but for the last one

    __device__ Element(const ReferenceElements& all, int64_t i, const numerics::Bound& bound) {
        const double oracle = all.oracle[i];
        finite = kernels::finite(oracle);
        value = finite ? fabs(oracle) : 0;
        scale = value;
        if (all.absolute) {
            const double given = fabs(all.absolute[i]);
            if (kernels::finite(given)) scale = fmax(value, given);
        }
        const double error = fabs(all.native[i] - oracle);
        reference_error = kernels::finite(error) ? error : 0;
        own = fmax(reference_error - numerics::one_rounding(value, bound), 0.0);
        if (!all.others) return;
        const auto other = static_cast<double>(all.others[i]);
        own = fmax(own, other - numerics::last_move<numerics::Numbers>(value, other, bound));
    }
};

/// Places among classes from 1 on, 0 for zeros.
__device__ int place(int from_least, int classes) {
    return from_least < 0 ? 1 : from_least + 1 > classes - 1 ? classes - 1 : from_least + 1;
}
__device__ int class_of(double magnitude, double rms, int least, int classes) {
    if (!(magnitude > 0) || !(rms > 0)) return 0;
    int exponent = 0;
    frexp(magnitude / rms, &exponent);
    return place(exponent - least, classes);
}
__device__ int class_of(const Element& element, double rms) {
    return class_of(element.value, rms, Alike::kLeastValue, Alike::kValues) * Alike::kScales +
           class_of(element.scale, rms, Alike::kLeastScale, Alike::kScales);
}
__device__ int class_of_error(double error, double rms) {
    if (!(error > 0) || !(rms > 0)) return 0;
    int exponent = 0;
    const double mantissa = frexp(error / rms, &exponent);
    return place(2 * (exponent - Alike::kLeastError) + (mantissa >= Alike::kHalf ? 1 : 0), Alike::kErrors);
}

/// A block counts the cells that it meets first in shared memory: most elements fall into a few.
struct Cells {
    static constexpr int slots = 1024, empty = -1;
    int cells[slots];
    int counts[slots];
};

__global__ void count_alike_kernel(CountAlike a) {
    __shared__ Cells seen;
    for (int slot = threadIdx.x; slot < Cells::slots; slot += threads) {
        seen.cells[slot] = Cells::empty;
        seen.counts[slot] = 0;
    }
    __syncthreads();
    const numerics::Bound bound = bound_of(a.elements.bound);
    auto* counts = reinterpret_cast<Total*>(a.counts);
    double greatest = 0;
    const int64_t step = static_cast<int64_t>(gridDim.x) * threads;
    for (int64_t i = static_cast<int64_t>(blockIdx.x) * threads + threadIdx.x; i < a.elements.count;
         i += step) {
        const Element element(a.elements, i, bound);
        greatest = fmax(greatest, element.reference_error);
        if (!element.finite || !finite(element.own)) continue;
        if (a.outliers && numerics::wholly_different(element.own, fmax(element.value, bound.rms))) continue;
        const int cell =
            class_of(element, bound.rms) * Alike::kErrors + class_of_error(element.own, bound.rms);
        const auto slot = static_cast<int>((static_cast<uint32_t>(cell) * 2654435761u) >> 22);
        const int owner = atomicCAS(&seen.cells[slot], static_cast<int>(Cells::empty), cell);
        if (owner == Cells::empty || owner == cell)
            atomicAdd(&seen.counts[slot], 1);
        else
            atomicAdd(&counts[cell], Total{1});
    }
    raise_to(a.greatest_own, greatest);
    __syncthreads();
    for (int slot = threadIdx.x; slot < Cells::slots; slot += threads)
        if (seen.counts[slot] > 0)
            atomicAdd(&counts[seen.cells[slot]], static_cast<Total>(seen.counts[slot]));
}

__global__ void element_limits_kernel(ElementLimits a) {
    using numerics::Numbers;
    const numerics::Bound bound = bound_of(a.elements.bound);
    Total undecided = 0, finite_ones = 0, loose = 0;
    double greatest = 0;
    const int64_t step = static_cast<int64_t>(gridDim.x) * threads;
    for (int64_t i = static_cast<int64_t>(blockIdx.x) * threads + threadIdx.x; i < a.elements.count;
         i += step) {
        const Element element(a.elements, i, bound);
        const double alike = a.alike[class_of(element, bound.rms)];
        const double regular = numerics::regular_limit<Numbers>(element.value, element.scale, alike, bound);
        const double one = numerics::element_limit<Numbers>(element.value, regular, element.own, bound);
        if (element.own > regular) {
            ++undecided;
            greatest = fmax(greatest, element.own);
        }
        if (element.finite) {
            ++finite_ones;
            if (one > numerics::meaningless_from<Numbers>(element.value, bound)) ++loose;
        }
        const double limit = (one + element.value * a.slack) * a.factor;
        if (a.limit_bytes == 2)
            static_cast<Bf16*>(a.limits)[i] = from_float<Bf16>(static_cast<float>(limit));
        else if (a.limit_bytes == 4)
            static_cast<float*>(a.limits)[i] = static_cast<float>(limit);
        else
            static_cast<double*>(a.limits)[i] = limit;
    }
    add_to(a.totals, undecided);
    add_to(a.totals + 1, finite_ones);
    add_to(a.totals + 2, loose);
    raise_to(a.greatest_undecided, greatest);
}

__device__ double element(const TypedElements& all, int64_t i) {
    switch (all.type) {
        case TypedElements::f32:
            return static_cast<const float*>(all.values)[i];
        case TypedElements::f16:
            return to_float(static_cast<const Fp16*>(all.values)[i]);
        case TypedElements::bf16:
            return to_float(static_cast<const Bf16*>(all.values)[i]);
        default:
            return static_cast<const double*>(all.values)[i];
    }
}

__global__ void compare_elements_kernel(CompareElements a) {
    constexpr double infinite = INFINITY;
    Total beyond = 0;
    double greatest_error = 0, greatest_share = 0;
    const int64_t step = static_cast<int64_t>(gridDim.x) * threads;
    for (int64_t i = static_cast<int64_t>(blockIdx.x) * threads + threadIdx.x; i < a.count; i += step) {
        const double want = element(a.expected, i), got = element(a.found, i), open = element(a.limits, i);
        double error = fabs(got - want);
        if (error != error) error = infinite;
        if (!finite(want)) error = want == got || (want != want && got != got) ? 0 : infinite;
        const double limit = finite(want) || open == infinite ? open : 0;
        if (error > limit) ++beyond;
        if (error < infinite) greatest_error = fmax(greatest_error, error);
        const double share = limit > 0 ? error / limit : error > 0 ? infinite : 0;
        if (share == share) greatest_share = fmax(greatest_share, share);
    }
    add_to(a.beyond, beyond);
    raise_to(a.greatest, greatest_error);
    raise_to(a.greatest + 1, greatest_share);
}

dim3 blocks_for(int64_t count) {
    const int64_t blocks = (count + threads - 1) / threads;
    return dim3(static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks));
}

}  // namespace
}  // namespace tritonsmith::kernels

using namespace tritonsmith::kernels;

extern "C" int tritonsmith_count_alike(const CountAlike* a, void* stream) {
    if (a->elements.count < 0)
        return refuse("count_alike: %lld elements", static_cast<long long>(a->elements.count));
    if (a->elements.count == 0) return 0;
    return launch("count_alike", count_alike_kernel, blocks_for(a->elements.count), threads, 0, stream, *a);
}

extern "C" int tritonsmith_element_limits(const ElementLimits* a, void* stream) {
    if (a->elements.count < 0)
        return refuse("element_limits: %lld elements", static_cast<long long>(a->elements.count));
    if (a->limit_bytes != 2 && a->limit_bytes != 4 && a->limit_bytes != 8)
        return refuse("element_limits: limits of %d bytes, and not of 2, 4 or 8", a->limit_bytes);
    if (a->elements.count == 0) return 0;
    return launch("element_limits", element_limits_kernel, blocks_for(a->elements.count), threads, 0, stream,
                  *a);
}

extern "C" int tritonsmith_compare_elements(const CompareElements* a, void* stream) {
    if (a->count < 0) return refuse("compare_elements: %lld elements", static_cast<long long>(a->count));
    for (const TypedElements* one : {&a->expected, &a->found, &a->limits})
        if (one->type < TypedElements::f64 || one->type > TypedElements::bf16)
            return refuse("compare_elements: there is no type %d", one->type);
    if (a->count == 0) return 0;
    return launch("compare_elements", compare_elements_kernel, blocks_for(a->count), threads, 0, stream, *a);
}
