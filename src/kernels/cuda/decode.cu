// Paged attention with one query for each sequence (DecodeAttention). Bound by memory: each key and value is
// read once for all queries of its group. Products are on tensor cores, so that a group of 16 costs no more
// than of 1.
//
// A block handles one part of one sequence for one key head. Its four warps take tiles of 16 tokens in turn,
// each with its own pipeline: two tiles of keys and two of values (or four of each) in shared memory, filled
// by asynchronous copies. So warps only wait for each other at the end, where their online softmaxes
// (Milakov, Gimelshein 2018) are merged.
//
// query_layouts.h maps queries and tokens to the products' operands; decode_tiles.h handles the cache's
// elements.
#include <cmath>

#include "kernels/cuda/decode_tiles.h"
#include "kernels/cuda/launch.h"

namespace tritonsmith::kernels {
namespace {

constexpr int warps = 4;
constexpr float log2_e = 1.4426950408889634f;

/// The online softmax of a warp, then of a block: for each query the greatest score (base 2), the sum of
/// weights relative to it, and the weighted sum of values.
template <typename Layout, int head_dim>
struct State {
    float greatest[2], sum[2];  ///< of the lane's queries
    float values[Layout::template sum_fragments<head_dim>]
                [4];  ///< fragments of [16, 8] each, in units of `unit`
    ValueUnit unit;
};

/// One tile: scores, then weights, then values. `between` is called when the keys have been read, before the
/// values are: it waits for these, and starts the next keys' copy.
template <typename Tiles, typename Layout, typename Between>
__device__ __forceinline__ void attend_tile(State<Layout, Tiles::head_dim>& state,
                                            const Queries<Layout, Tiles::head_dim>& q, char* keys,
                                            char* values, int valid, float scale, int lane, Between between) {
    float scores[Layout::score_fragments][4] = {};
    Tiles::multiply_keys(scores, q, keys, lane);
    const auto key_scales = Tiles::template key_scales<Layout>(keys, scale, lane);
    between();

    TokenScales<Layout> value_scales;
    const float change = Tiles::value_scales(value_scales, state.unit, values, valid, lane);
    constexpr int count = Layout::score_fragments * 4;
#pragma unroll
    for (int slot = 0; slot < Layout::slots; ++slot) {
        float greatest = state.greatest[slot];
#pragma unroll
        for (int i = 0; i < count; ++i) {
            if (Layout::slot_of_score(i) != slot) continue;
            const int token = Layout::token_of_score(i);
            float& score = scores[i / 4][i % 4];
            score = Layout::token(token, lane) < valid ? score * key_scales.of[token] : -INFINITY;
            greatest = fmaxf(greatest, score);
        }
        greatest = Layout::max_of_tokens(greatest);
        const float factor = exp2_approximately(state.greatest[slot] - greatest);
        state.greatest[slot] = greatest;
        float sum = 0;
#pragma unroll
        for (int i = 0; i < count; ++i) {
            if (Layout::slot_of_score(i) != slot) continue;
            float& score = scores[i / 4][i % 4];
            score = exp2_approximately(score - greatest);
            sum += score;
            if constexpr (Tiles::scaled) score *= value_scales.of[Layout::token_of_score(i)];
        }
        state.sum[slot] = state.sum[slot] * factor + sum;
        const float of_values = Tiles::scaled ? factor * change : factor;
#pragma unroll
        for (auto& fragment : state.values)
#pragma unroll
            for (int i = 0; i < 4; ++i)
                if (Layout::slot_of_sum(i) == slot) fragment[i] *= of_values;
    }

    const typename Layout::template Weights<typename Tiles::Factor> weights(scores);
    Tiles::multiply_values(state.values, weights.of, values, lane);
}

/// Locates a warp's tiles: its tile i is tile `warp + 4 i` of the part. Block numbers are read 32 tiles at a
/// time, one for each lane.
struct TileBlocks {
    const int32_t* table;
    int begin, block_size, count, warp, lane;
    int offset;  ///< of the next tile's first token in its block
    int32_t mine = 0;

    __device__ __forceinline__ int start(int i) const { return begin + (warp + warps * i) * tile; }
    /// The block of tile i; then `offset` is where it begins in there, until advance(). Called with i = 0, 1,
    /// …
    __device__ __forceinline__ int64_t block(int i) {
        if (i % 32 == 0 && i + lane < count) mine = table[start(i + lane) / block_size];
        return __shfl_sync(all_lanes, mine, i % 32);
    }
    __device__ __forceinline__ void advance(int step) {
        offset += step;
        if (offset >= block_size) offset -= block_size;
    }
};

/// Where a lane's part of the block's head begins, in keys or in values.
struct CacheHead {
    const char* rows;
    const float* scales;
};

/// The fragments of `queries` queries, straight from memory: those of the block's head of keys, of `row` and
/// of the rows that follow. The rest are zeros.
template <typename T, typename Tiles, typename Layout>
__device__ __forceinline__ void load_queries(Queries<Layout, Tiles::head_dim>& q, const DecodeAttention& a,
                                             int row, int queries, int lane) {
    const int group = a.heads / a.kv_heads;
    constexpr int halves = Layout::query_registers / 2;
#pragma unroll
    for (int half = 0; half < halves; ++half) {
        const int query = lane / 4 + 8 * half;
        const T* from = static_cast<const T*>(a.q) + (row + query / group) * a.q_stride +
                        (blockIdx.x * group + query % group) * Tiles::head_dim;
#pragma unroll
        for (int step = 0; step < Tiles::head_dim / 16; ++step)
#pragma unroll
            for (int part = 0; part < 2; ++part)
                q.of[step][halves * part + half] =
                    query < queries ? Tiles::query_pair(from + step * 16 + Tiles::key_dim(part, lane)) : 0;
    }
}

/// A warp's share of the tokens [begin, end) of a row's sequence.
template <typename T, typename Tiles, typename Layout>
__device__ __forceinline__ void attend_part(State<Layout, Tiles::head_dim>& state, const DecodeAttention& a,
                                            char* buffers, int row, int queries, int begin, int end) {
    constexpr int stages = Tiles::template stages<Layout>;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int tiles = (end - begin + tile - 1) / tile;
    const int count = tiles > warp ? (tiles - warp + warps - 1) / warps : 0;
    TileBlocks blocks{a.block_table + row * a.table_stride, begin, a.block_size, count, warp, lane,
                      (begin + warp * tile) % a.block_size};
    const int step = warps * tile % a.block_size;
    const float scale = a.scale * log2_e;
    const int token_bytes = a.kv_heads * Tiles::row_bytes;
    const int64_t block_bytes = a.cache_block_stride * (Tiles::row_bytes / Tiles::head_dim);
    const int64_t block_scales = static_cast<int64_t>(a.kv_heads) * a.block_size;
    auto head_of = [&](const void* cache, const float* scales) {
        return CacheHead{static_cast<const char*>(cache) + blockIdx.x * Tiles::row_bytes +
                             lane_bytes<Tiles::row_bytes>(token_bytes, lane),
                         Tiles::scaled ? scales + blockIdx.x * a.block_size : nullptr};
    };
    const CacheHead k = head_of(a.k_cache, a.k_scales), v = head_of(a.v_cache, a.v_scales);
    /// A tile's first token, in bytes of rows and in scales.
    struct Place {
        int64_t rows, scales;
    };
    auto next_place = [&](int i) {
        const int64_t block = blocks.block(i);
        const Place at{block * block_bytes + static_cast<int64_t>(blocks.offset) * token_bytes,
                       Tiles::scaled ? block * block_scales + blocks.offset : 0};
        blocks.advance(step);
        return at;
    };
    auto copy = [&](char* buffer, const CacheHead& from, const Place& at, int valid) {
        copy_rows<Tiles::row_bytes>(buffer, from.rows + at.rows, token_bytes, valid, lane);
        if constexpr (Tiles::scaled) Tiles::copy_scales(buffer, from.scales + at.scales, valid, lane);
    };

    // Groups of copies are K0 V0 K1 V1 K2 V2 …, empty if there is no tile: 2 * stages - 1 may be pending when
    // the oldest one is needed.
    auto keys = [&](int stage) { return buffers + stage * 2 * Tiles::bytes; };
    auto values = [&](int stage) { return buffers + (stage * 2 + 1) * Tiles::bytes; };
    for (int i = 0; i < stages; ++i) {
        if (i < count) {
            const Place at = next_place(i);
            const int valid = end - blocks.start(i);
            copy(keys(i), k, at, valid);
            commit_copies();
            copy(values(i), v, at, valid);
        } else {
            commit_copies();
        }
        commit_copies();
    }
    Queries<Layout, Tiles::head_dim> q;
    load_queries<T, Tiles>(q, a, row, queries, lane);
    for (int i = 0; i < count; ++i) {
        const int stage = i % stages, next = i + stages;
        const bool more = next < count;
        const Place at = more ? next_place(next) : Place{0, 0};
        const int next_valid = end - blocks.start(next);
        copies_arrived<2 * stages - 1>();
        __syncwarp();
        attend_tile<Tiles>(state, q, keys(stage), values(stage), end - blocks.start(i), scale, lane, [&] {
            __syncwarp();  // all have read their keys
            if (more) copy(keys(stage), k, at, next_valid);
            commit_copies();
            copies_arrived<2 * stages - 1>();
            __syncwarp();
        });
        __syncwarp();
        if (more) copy(values(stage), v, at, next_valid);
        commit_copies();
    }
    copies_arrived<0>();
}

struct Merging {
    float greatest[warps][16], sum[warps][16];
};

/// @param parts into how many the longest sequence is cut  @param part_size tokens of each
template <typename T, typename Tiles, typename Layout>
__global__ void __launch_bounds__(warps * 32, Tiles::head_dim > 128 ? 1 : Tiles::template blocks<Layout>)
    decode_attention_kernel(DecodeAttention a, int parts, int part_size) {
    constexpr int head_dim = Tiles::head_dim, warp_bytes = Tiles::template stages<Layout> * 2 * Tiles::bytes;
    static_assert(warp_bytes >= 16 * head_dim * 4, "a warp's sums take its tiles' place");
    __shared__ Merging merging;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.y;
    const int group = a.heads / a.kv_heads, head = blockIdx.x * group;
    T* out = static_cast<T*>(a.out) + row * a.out_stride + head * head_dim;
    const int length = a.lengths[row] < a.max_length ? a.lengths[row] : a.max_length;
    const int count = length > 0 ? (length + part_size - 1) / part_size : 0;
    if (count == 0 && blockIdx.z == 0)
        for (int i = threadIdx.x; i < group * head_dim; i += warps * 32) out[i] = from_float<T>(0);
    if (static_cast<int>(blockIdx.z) >= count) return;

    SharedPrefix prefix{row, 1, 0};
    if (!Layout::columns && Layout::slots == 2 && a.shared) prefix = a.shared[row];
    char* buffers = dynamic_shared() + warp * warp_bytes;
    float* sums = reinterpret_cast<float*>(buffers);  // [16 or 8, head_dim], after the tiles
    float* partial_values = static_cast<float*>(a.workspace);
    float* partial_scales = partial_values + static_cast<int64_t>(a.batch) * a.heads * parts * head_dim;

    for (int part = blockIdx.z; part < count; part += gridDim.z) {
        const bool together = part < prefix.parts;
        if (together && row != prefix.first_row) continue;  // the first row's blocks do it
        const int queries = together ? prefix.rows * group : group, begin = part * part_size;
        State<Layout, head_dim> state = {{-INFINITY, -INFINITY}, {0, 0}, {}, {}};
        attend_part<T, Tiles>(state, a, buffers, row, queries, begin,
                              begin + part_size < length ? begin + part_size : length);
        __syncwarp();
#pragma unroll
        for (int slot = 0; slot < Layout::slots; ++slot) {
            const int query = Layout::query(slot, lane);
            const float sum = Layout::sum_of_tokens(state.sum[slot]);
            if (Layout::is_first(lane)) {
                merging.greatest[warp][query] = state.greatest[slot];
                merging.sum[warp][query] = sum;
            }
#pragma unroll
            for (int n = 0; n < Layout::template sum_fragments<head_dim>; ++n)
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    if (Layout::slot_of_sum(i) == slot)
                        sums[query * head_dim + Tiles::template value_dim<Layout>(n, i, lane)] =
                            Tiles::in_ones(state.values[n][i], state.unit);
        }
        __syncthreads();
        for (int i = threadIdx.x; i < queries * head_dim; i += warps * 32) {
            const int query = i / head_dim;
            float greatest = -INFINITY, sum = 0, value = 0;
            for (int w = 0; w < warps; ++w) greatest = fmaxf(greatest, merging.greatest[w][query]);
            for (int w = 0; w < warps; ++w) {
                const float factor = exp2_approximately(merging.greatest[w][query] - greatest);
                const char* theirs = dynamic_shared() + w * warp_bytes;
                sum += merging.sum[w][query] * factor;
                value += reinterpret_cast<const float*>(theirs)[i] * factor;
            }
            if (count == 1) {
                out[i] = from_float<T>(value / sum);
                continue;
            }
            const int64_t of_row = static_cast<int64_t>(row + query / group) * a.heads;
            const int64_t at = (of_row + head + query % group) * parts + part;
            partial_values[at * head_dim + i % head_dim] = value;
            if (i % head_dim == 0) {
                partial_scales[at * 2] = greatest;
                partial_scales[at * 2 + 1] = sum;
            }
        }
        __syncthreads();
    }
}

/// Merges a sequence's parts in order; one block for each query, one thread for each of its elements.
template <typename T>
__global__ void merge_parts_kernel(DecodeAttention a, int parts, int part_size) {
    const int head = blockIdx.x, row = blockIdx.y, element = threadIdx.x;
    const int length = a.lengths[row] < a.max_length ? a.lengths[row] : a.max_length;
    const int count = length > 0 ? (length + part_size - 1) / part_size : 0;
    if (count <= 1) return;  // written already
    const int64_t first = (static_cast<int64_t>(row) * a.heads + head) * parts;
    const float* values = static_cast<const float*>(a.workspace) + first * a.head_dim + element;
    const float* scales = static_cast<const float*>(a.workspace) +
                          static_cast<int64_t>(a.batch) * a.heads * parts * a.head_dim + first * 2;
    float greatest = -INFINITY, sum = 0, value = 0;
    for (int part = 0; part < count; ++part) greatest = fmaxf(greatest, scales[2 * part]);
#pragma unroll 4
    for (int part = 0; part < count; ++part) {
        const float factor = exp2_approximately(scales[2 * part] - greatest);
        sum += scales[2 * part + 1] * factor;
        value += values[static_cast<int64_t>(part) * a.head_dim] * factor;
    }
    static_cast<T*>(a.out)[row * a.out_stride + static_cast<int64_t>(head) * a.head_dim + element] =
        from_float<T>(value / sum);
}

/// Number of blocks that share a sequence's parts: enough to fill the largest devices, and more than one so
/// that a long sequence does not run last. A part's result does not depend on it.
int sharers(const DecodeAttention& a, int parts) {
    constexpr int64_t wanted = 2048;
    const int64_t work = static_cast<int64_t>(a.batch) * a.kv_heads;
    const int64_t each = (wanted + work - 1) / work < 2 ? 2 : (wanted + work - 1) / work;
    return static_cast<int>(each < parts ? each : parts);
}

template <typename T, typename Tiles, typename Layout>
int decode(const DecodeAttention& a, void* stream) {
    const int part_size = a.split_size > 0 && a.split_size < a.max_length ? a.split_size : a.max_length;
    const int parts = (a.max_length + part_size - 1) / part_size;
    const size_t shared = static_cast<size_t>(warps) * Tiles::template stages<Layout> * 2 * Tiles::bytes;
    int status =
        launch("decode_attention", decode_attention_kernel<T, Tiles, Layout>,
               dim3(a.kv_heads, a.batch, sharers(a, parts)), warps * 32, shared, stream, a, parts, part_size);
    if (status != 0 || parts == 1) return status;
    return launch("decode_attention (merge)", merge_parts_kernel<T>, dim3(a.heads, a.batch), a.head_dim, 0,
                  stream, a, parts, part_size);
}

template <typename T, int head_dim>
int decode(const DecodeAttention& a, void* stream) {
    const bool wide = a.heads / a.kv_heads > 8 || a.shared;
    if (a.k_scales)
        return wide ? decode<T, ScaledTiles<T, head_dim>, QueriesAsRows<2>>(a, stream)
                    : decode<T, ScaledTiles<T, head_dim>, QueriesAsColumns>(a, stream);
    return wide ? decode<T, PlainTiles<T, head_dim>, QueriesAsRows<2>>(a, stream)
                : decode<T, PlainTiles<T, head_dim>, QueriesAsRows<1>>(a, stream);
}

template <typename T>
int decode(const DecodeAttention& a, void* stream) {
    switch (a.head_dim) {
        case 32:
            return decode<T, 32>(a, stream);
        case 64:
            return decode<T, 64>(a, stream);
        case 128:
            return decode<T, 128>(a, stream);
        default:
            return decode<T, 256>(a, stream);
    }
}

int refusal(const DecodeAttention& a) {
    if (a.dtype != DType::bf16 && a.dtype != DType::fp16)
        return refuse("decode_attention: dtype code %d is neither bf16 nor fp16", static_cast<int>(a.dtype));
    if (a.head_dim != 32 && a.head_dim != 64 && a.head_dim != 128 && a.head_dim != 256)
        return refuse("decode_attention: head_dim %d is not one of 32, 64, 128 and 256", a.head_dim);
    if (a.batch < 0 || a.batch > 65535)
        return refuse("decode_attention: a batch of %d (at most 65535)", a.batch);
    if (a.kv_heads <= 0 || a.heads % a.kv_heads || a.heads < a.kv_heads || a.heads / a.kv_heads > 16)
        return refuse("decode_attention: %d heads on %d key heads (1 to 16 for each)", a.heads, a.kv_heads);
    if (a.block_size <= 0 || a.block_size % tile)
        return refuse("decode_attention: block size %d is not a multiple of 16", a.block_size);
    if (a.split_size < 0 || a.split_size % tile)
        return refuse("decode_attention: split size %d is not a multiple of 16", a.split_size);
    if (a.shared && (a.split_size == 0 || a.heads / a.kv_heads > 8))
        return refuse(
            "decode_attention: shared prefixes need a split size, and at most 8 heads for each key head");
    if (!a.k_scales != !a.v_scales) return refuse("decode_attention: scales of keys or of values alone");
    if (a.k_scales && a.shared) return refuse("decode_attention: no shared prefixes in a cache of e4m3");
    if (a.max_length <= 0) return refuse("decode_attention: a maximal length of %d", a.max_length);
    if (!aligned16(a.k_cache) || !aligned16(a.v_cache) || !aligned16(a.q) || !aligned16(a.out) ||
        !aligned16(a.k_scales) || !aligned16(a.v_scales) || a.cache_block_stride % (a.k_scales ? 16 : 8) ||
        a.q_stride % 2)
        return refuse("decode_attention: a pointer or stride is not aligned");
    const int64_t needed = decode_attention_workspace(a);
    if (needed > 0 && (!a.workspace || a.workspace_bytes < needed))
        return refuse("decode_attention: a workspace of %lld bytes; %lld are needed",
                      static_cast<long long>(a.workspace ? a.workspace_bytes : 0),
                      static_cast<long long>(needed));
    return 0;
}

}  // namespace
}  // namespace tritonsmith::kernels

using namespace tritonsmith::kernels;

extern "C" int tritonsmith_decode_attention(const DecodeAttention* a, void* stream) {
    if (int status = refusal(*a)) return status;
    if (a->batch == 0) return 0;
    return a->dtype == DType::bf16 ? decode<Bf16>(*a, stream) : decode<Fp16>(*a, stream);
}
