// Draws a token from each row of logits, as sampling.h describes and sampling.cpp does on the CPU: the same
// token, bit for bit, since all sums are of whole numbers. One block has a row; its warps have neighbouring
// parts of it, lanes neighbouring packs of 16 bytes.
#include <cmath>

#include "kernels/cuda/launch.h"
#include "kernels/draw_rule.h"

namespace tritonsmith::kernels {
namespace {

constexpr int threads = 512, warps = threads / 32;
constexpr int bins = 4096, bin_bits = 12;  // a distance has 24 bits: two searches find it exactly
static_assert(draw::beyond >> bin_bits < bins);

/// Sums by bin. In halves, since GPUs have no addition of 64 bits in shared memory (it would be a loop of
/// comparisons); whoever makes the lower half run over carries, so that the whole is exact once all have
/// added.
struct Histogram {
    uint32_t low[bins], high[bins];

    __device__ __forceinline__ void add(int bin, uint64_t amount) {
        const uint32_t part = static_cast<uint32_t>(amount), before = atomicAdd(&low[bin], part);
        const uint32_t above = static_cast<uint32_t>(amount >> 32) + (before + part < before ? 1 : 0);
        if (above != 0) atomicAdd(&high[bin], above);
    }
    __device__ __forceinline__ uint64_t at(int bin) const {
        return static_cast<uint64_t>(high[bin]) << 32 | low[bin];
    }
};

struct Scratch {
    Histogram histogram;
    uint64_t sums[33], totals[33];
    float greatest[warps];
    uint64_t running;  ///< of what lies before the bin or part that was found
    int found;
};

/// A row of logits. `packs`: it lies so that 16 bytes can be read at a time.
template <typename T>
struct Row {
    static constexpr int pack = 16 / sizeof(T), stretch = 32 * pack;
    const T* logits;
    int vocabulary;
    bool packs;

    /// A lane's pack at i and what it holds beyond the row: -infinity.
    __device__ __forceinline__ Pack<T, pack> read(int i) const {
        if (packs && i + pack <= vocabulary) return load_pack<T, pack>(logits + i);
        Pack<T, pack> some;
#pragma unroll
        for (int j = 0; j < pack; ++j)
            some.values[j] = i + j < vocabulary ? logits[i + j] : from_float<T>(-INFINITY);
        return some;
    }
    /// A warp calls f(index, logit) for each of [begin, end) and some beyond it, which are -infinity beyond
    /// the row; each lane for packs of its own in ascending order, four of which are on their way at a time.
    /// `begin` is a multiple of `stretch`, `end` too or the row's.
    template <typename F>
    __device__ __forceinline__ void visit(int begin, int end, F f) const {
        constexpr int ahead = 4;
        int i = begin + static_cast<int>(threadIdx.x % 32) * pack;
        if (packs)
            for (; i + (ahead - 1) * stretch + pack <= end; i += ahead * stretch) {
                Pack<T, pack> some[ahead];
#pragma unroll
                for (int n = 0; n < ahead; ++n) some[n] = load_pack<T, pack>(logits + i + n * stretch);
#pragma unroll
                for (int n = 0; n < ahead; ++n)
#pragma unroll
                    for (int j = 0; j < pack; ++j) f(i + n * stretch + j, to_float(some[n].values[j]));
            }
        for (; i < end; i += stretch) {
            const Pack<T, pack> some = read(i);
#pragma unroll
            for (int j = 0; j < pack; ++j) f(i + j, to_float(some.values[j]));
        }
    }
    /// Elements of each warp's part where [begin, end) is shared out.
    __device__ __forceinline__ int part(int begin, int end) const {
        return ((end - begin + warps - 1) / warps + stretch - 1) / stretch * stretch;
    }
    /// The block's warps visit [begin, end).
    template <typename F>
    __device__ __forceinline__ void visit_all(int begin, int end, F f) const {
        const int size = part(begin, end), from = begin + static_cast<int>(threadIdx.x / 32) * size;
        visit(from, from + size < end ? from + size : end, f);
    }
};

template <typename T>
__device__ float greatest_of(const Row<T>& row, Scratch& scratch) {
    float greatest = -INFINITY;
    row.visit_all(0, row.vocabulary, [&](int, float x) { greatest = x > greatest ? x : greatest; });
    for (int distance = 16; distance > 0; distance /= 2) {
        float other = __shfl_xor_sync(all_lanes, greatest, distance);
        greatest = other > greatest ? other : greatest;
    }
    if (threadIdx.x % 32 == 0) scratch.greatest[threadIdx.x / 32] = greatest;
    __syncthreads();
    for (int warp = 0; warp < warps; ++warp) {
        float other = scratch.greatest[warp];
        greatest = other > greatest ? other : greatest;
    }
    return greatest;
}

/// Index of the first of `count` sums at which the running sum, from `running` on, reaches `wanted`; the
/// running sum before it goes into scratch. Every thread gets the answer. @param sum_at of shared memory that
/// all have written
template <typename SumAt>
__device__ int find_running(SumAt sum_at, int count, uint64_t running, uint64_t wanted, Scratch& scratch) {
    const int per_thread = (count + threads - 1) / threads, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int first = threadIdx.x * per_thread;
    uint64_t own = 0;
    for (int i = first; i < first + per_thread && i < count; ++i) own += sum_at(i);
    uint64_t before = own;  // an inclusive scan of the warp's
    for (int distance = 1; distance < 32; distance *= 2) {
        uint64_t other = __shfl_up_sync(all_lanes, before, distance);
        if (lane >= distance) before += other;
    }
    if (lane == 31) scratch.totals[warp] = before;
    if (threadIdx.x == 0) scratch.found = count - 1, scratch.running = running;
    __syncthreads();
    before += running - own;
    for (int w = 0; w < warp; ++w) before += scratch.totals[w];
    if (before < wanted && before + own >= wanted)  // one thread's at most
        for (int i = first; i < first + per_thread && i < count; ++i) {
            if (before + sum_at(i) >= wanted) {
                scratch.found = i;
                scratch.running = before;
                break;
            }
            before += sum_at(i);
        }
    __syncthreads();
    return scratch.found;
}

/// The smallest distance within which `value` (of those within `cut`) sums to `wanted`; `wanted` is asked
/// with the whole sum.
template <typename T, typename Value, typename Wanted>
__device__ int32_t find_cut(const Row<T>& row, float greatest, float scale, int32_t cut, Scratch& scratch,
                            Value value, Wanted wanted) {
    uint64_t running = 0, needed = 0;
    int32_t upper = 0;
    for (int level = 0; level < 2; ++level) {
        for (int i = threadIdx.x; i < bins; i += threads)
            scratch.histogram.low[i] = scratch.histogram.high[i] = 0;
        __syncthreads();
        uint64_t sum = 0;
        row.visit_all(0, row.vocabulary, [&](int index, float x) {
            if (index >= row.vocabulary) return;
            const int32_t distance = draw::distance(x, greatest, scale);
            if (distance > cut || (level == 1 && distance >> bin_bits != upper)) return;
            const uint64_t amount = value(distance);
            if (amount == 0) return;
            sum += amount;
            scratch.histogram.add(level == 0 ? distance >> bin_bits : distance & (bins - 1), amount);
        });
        if (level == 0) needed = wanted(block_sum(sum, scratch.sums));
        __syncthreads();
        const int found =
            find_running([&](int bin) { return scratch.histogram.at(bin); }, bins, running, needed, scratch);
        running = scratch.running;
        __syncthreads();
        if (level == 1) return (upper << bin_bits) | found;
        upper = found;
    }
    return cut;
}

/// The cut by top-k, top-p and min-p.
template <typename T>
__device__ int32_t cut_of(const Row<T>& row, float greatest, const DrawRow& draw, Scratch& scratch) {
    int32_t cut = draw::beyond;
    if (draw.top_k != 0 && draw.top_k < static_cast<uint32_t>(row.vocabulary))
        cut = find_cut(
            row, greatest, draw.scale, cut, scratch, [](int32_t) -> uint64_t { return 1; },
            [&](uint64_t) -> uint64_t { return draw.top_k; });
    if (draw.top_p != 0) {
        const int32_t nearer = find_cut(
            row, greatest, draw.scale, cut, scratch, [](int32_t distance) { return draw::weight(distance); },
            [&](uint64_t sum) { return draw::wanted_mass(sum, draw.top_p); });
        cut = nearer < cut ? nearer : cut;
    }
    return draw.max_distance < static_cast<uint32_t>(cut) ? static_cast<int32_t>(draw.max_distance) : cut;
}

/// The first token whose running sum of weights within `cut` exceeds the drawn target. `total` becomes the
/// sum of all weights at temperature 1.
template <typename T>
__device__ int64_t draw_within(const Row<T>& row, float greatest, const DrawRow& draw, int32_t cut,
                               Scratch& scratch, uint64_t& total) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const bool at_one = draw.scale == draw::scale_at_one;
    int begin = 0, end = row.vocabulary;
    uint64_t running = 0, target = 0;
    bool first = true;
    do {
        uint64_t kept = 0, all = 0;
        row.visit_all(begin, end, [&](int, float x) {
            const int32_t distance = draw::distance(x, greatest, draw.scale);
            const uint64_t weight = draw::weight(distance);
            kept += distance <= cut ? weight : 0;
            if (first) all += at_one ? weight : draw::weight(draw::distance(x, greatest, draw::scale_at_one));
        });
        if (first) {
            total = block_sum(all, scratch.sums);
            target =
                draw::target(block_sum(kept, scratch.sums), draw) + 1;  // "exceeds" is "reaches one more"
            first = false;
        }
        kept = warp_sum(kept);
        __syncthreads();
        if (lane == 0) scratch.sums[warp] = kept;
        __syncthreads();
        const int size = row.part(begin, end);
        begin += size *
                 find_running([&](int part) { return scratch.sums[part]; }, warps, running, target, scratch);
        end = begin + size < end ? begin + size : end;
        running = scratch.running;
        __syncthreads();
    } while (end - begin > Row<T>::stretch);

    if (warp == 0) {
        uint64_t own = 0;
        auto weigh = [&](float x) {
            const int32_t distance = draw::distance(x, greatest, draw.scale);
            return distance <= cut ? draw::weight(distance) : 0;
        };
        row.visit(begin, begin + Row<T>::stretch, [&](int, float x) { own += weigh(x); });
        uint64_t before = own;
        for (int distance = 1; distance < 32; distance *= 2) {
            uint64_t other = __shfl_up_sync(all_lanes, before, distance);
            if (lane >= distance) before += other;
        }
        before += running - own;
        if (before < target && before + own >= target) {
            bool found = false;
            row.visit(begin, begin + Row<T>::stretch, [&](int index, float x) {
                before += weigh(x);
                if (!found && before >= target) {
                    scratch.found = index;
                    found = true;
                }
            });
        }
    }
    __syncthreads();
    return scratch.found;
}

/// The lowest index of the greatest logit.
template <typename T>
__device__ int64_t argmax_of(const Row<T>& row, float greatest, Scratch& scratch, uint64_t& total) {
    if (threadIdx.x == 0) scratch.found = row.vocabulary;
    __syncthreads();
    uint64_t all = 0;
    int lowest = row.vocabulary;
    row.visit_all(0, row.vocabulary, [&](int index, float x) {
        all += draw::weight(draw::distance(x, greatest, draw::scale_at_one));
        if (x == greatest && index < lowest) lowest = index;
    });
    if (lowest < row.vocabulary) atomicMin(&scratch.found, lowest);
    total = block_sum(all, scratch.sums);
    return scratch.found;
}

template <typename T>
__global__ void __launch_bounds__(threads, 2) sample_tokens_kernel(SampleTokens a) {
    __shared__ Scratch scratch;
    const DrawRow draw = a.draws[blockIdx.x];
    const T* logits = static_cast<const T*>(a.logits) + blockIdx.x * a.logits_stride;
    const Row<T> row{logits, a.vocabulary, reinterpret_cast<uintptr_t>(logits) % 16 == 0};

    const float greatest = greatest_of(row, scratch);
    if (!(greatest > -INFINITY && greatest < INFINITY)) {
        if (threadIdx.x == 0) {
            a.tokens[blockIdx.x] = -1;
            a.logprobs[blockIdx.x] = NAN;
        }
        return;
    }
    uint64_t total = 0;
    int64_t token;
    if (draw.scale == 0)
        token = argmax_of(row, greatest, scratch, total);
    else
        token = draw_within(row, greatest, draw, cut_of(row, greatest, draw, scratch), scratch, total);
    if (threadIdx.x == 0) {
        a.tokens[blockIdx.x] = token;
        a.logprobs[blockIdx.x] = static_cast<float>(static_cast<double>(to_float(logits[token])) - greatest -
                                                    log(static_cast<double>(total) * 0x1p-40));
    }
}

}  // namespace
}  // namespace tritonsmith::kernels

using namespace tritonsmith::kernels;

extern "C" int tritonsmith_sample_tokens(const SampleTokens* a, void* stream) {
    if (a->rows < 0 || a->vocabulary <= 0 || a->vocabulary > 1 << 22)
        return refuse("sample_tokens: %d rows of %d logits (1 to 2^22)", a->rows, a->vocabulary);
    if (a->rows == 0) return 0;
    return with_dtype("sample_tokens", a->dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        return launch("sample_tokens", sample_tokens_kernel<T>, dim3(a->rows), threads, 0, stream, *a);
    });
}
