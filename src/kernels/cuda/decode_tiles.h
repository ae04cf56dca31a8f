#pragma once

/// The cache's elements in decode attention: their copies into shared memory and from there into the
/// fragments of tensor cores. PlainTiles have the activations' type; ScaledTiles are e4m3 with a scale for
/// each token.
#include "kernels/cuda/query_layouts.h"

namespace tritonsmith::kernels {
namespace {

/// A power of two, the unit in which a warp sums values up: the greatest of their scales so far, or a little
/// less. So weights times scales fit fp16, whatever the values' size. Not used by plain tiles.
struct ValueUnit {
    float power = 0x1p-100f;

    __device__ __forceinline__ float reciprocal() const {
        return __uint_as_float(0x7f000000u - __float_as_uint(power));
    }
};

/// An offset in a tile in shared memory, [tile, row_bytes] in chunks of 16 bytes that are permuted within
/// each row, so that the eight rows that ldmatrix reads at a time are in different banks.
template <int row_bytes>
__device__ __forceinline__ char* chunk_of(char* buffer, int token, int chunk) {
    // Rows shorter than 128 bytes share the banks' 128 bytes.
    constexpr int chunks = row_bytes / 16, rows = chunks < 8 ? 8 / chunks : 1,
                  mask = chunks < 8 ? chunks - 1 : 7;
    return buffer + token * row_bytes + ((chunk ^ (token / rows & mask)) * 16);
}

/// Offset of a lane's first chunk in a tile, in bytes.
template <int row_bytes>
__device__ __forceinline__ int64_t lane_bytes(int token_bytes, int lane) {
    constexpr int chunks = row_bytes / 16;
    return static_cast<int64_t>(lane / chunks) * token_bytes + lane % chunks * 16;
}

/// Starts the copy of one tile; tokens from `valid` on become zeros. @param from the lane's first chunk
template <int row_bytes>
__device__ __forceinline__ void copy_rows(char* buffer, const char* from, int token_bytes, int valid,
                                          int lane) {
    constexpr int chunks = row_bytes / 16, tokens = 32 / chunks;  // at a time
#pragma unroll
    for (int i = 0; i < tile / tokens; ++i) {
        const int token = i * tokens + lane / chunks;
        copy_async(chunk_of<row_bytes>(buffer, token, lane % chunks),
                   from + static_cast<int64_t>(i * tokens) * token_bytes, token < valid);
    }
}

template <typename T, int dim>
struct PlainTiles {
    static constexpr int head_dim = dim, row_bytes = dim * 2, bytes = tile * row_bytes;
    static constexpr bool scaled = false;
    using Factor = T;  ///< of products

    template <typename Layout>
    static constexpr int stages = 2;  ///< pending tiles of a warp, of keys and of values each
    template <typename Layout>
    static constexpr int blocks = 3;  ///< for each multiprocessor

    /// The first of the two neighbours of a step's 16 dimensions that a lane's register `part` has.
    __device__ static __forceinline__ int key_dim(int part, int lane) { return part * 8 + lane % 4 * 2; }
    __device__ static __forceinline__ uint32_t query_pair(const T* from) {
        return *reinterpret_cast<const uint32_t*>(from);
    }
    template <int slots>
    __device__ static __forceinline__ void multiply_keys(float (&scores)[2][4],
                                                         const Queries<QueriesAsRows<slots>, dim>& q,
                                                         char* keys, int lane) {
#pragma unroll
        for (int step = 0; step < dim / 16; ++step) {
            uint32_t k[4];
            load_matrices(k, chunk_of<row_bytes>(keys, lane / 16 * 8 + lane % 8, 2 * step + lane / 8 % 2));
            multiply_add<T>(scores[0], q.of[step], k[0], k[1]);
            multiply_add<T>(scores[1], q.of[step], k[2], k[3]);
        }
    }
    template <typename Layout>
    __device__ static __forceinline__ TokenScales<Layout> key_scales(const char*, float scale, int) {
        TokenScales<Layout> scales;
#pragma unroll
        for (float& one : scales.of) one = scale;
        return scales;
    }
    template <typename Layout>
    __device__ static __forceinline__ float value_scales(TokenScales<Layout>&, ValueUnit&, const char*, int,
                                                         int) {
        return 1;
    }
    __device__ static __forceinline__ void multiply_values(float (&sums)[dim / 8][4],
                                                           const uint32_t (&weights)[4], char* values,
                                                           int lane) {
#pragma unroll
        for (int step = 0; step < dim / 16; ++step) {
            uint32_t v[4];
            load_matrices_transposed(
                v, chunk_of<row_bytes>(values, lane / 8 % 2 * 8 + lane % 8, 2 * step + lane / 16));
            multiply_add<T>(sums[2 * step], weights, v[0], v[1]);
            multiply_add<T>(sums[2 * step + 1], weights, v[2], v[3]);
        }
    }
    /// The dimension of a lane's element of fragment n of the sums.
    template <typename Layout>
    __device__ static __forceinline__ int value_dim(int n, int element, int lane) {
        return n * 8 + lane % 4 * 2 + element % 2;
    }
    __device__ static __forceinline__ float in_ones(float sum, ValueUnit) {
        return sum;
    }
};

/// Bytes go through ldmatrix as pairs, and are made fp16 in registers. So each lane has other dimensions, or
/// values of other dimensions, than the fragments of fp16 would have: queries are laid out likewise (a
/// product does not care for its terms' order), and sums are put where they belong at the end.
///
/// Behind the rows of a tile lie its scales, [tile] floats.
template <typename T, int dim>
struct ScaledTiles {
    static constexpr int head_dim = dim, row_bytes = dim, bytes = tile * (row_bytes + 4);
    static constexpr bool scaled = true;
    using Factor = Fp16;
    // Measured: more blocks with fewer pending tiles each are faster, if the registers suffice.
    template <typename Layout>
    static constexpr int stages = Layout::columns ? 2 : 4;
    template <typename Layout>
    static constexpr int blocks = Layout::columns ? 5 : 3;
    /// Weights times scales are below twice the unit; times this they are far from fp16's least numbers.
    static constexpr float weight_scale = 0x1p14f;

    /// @param from of the tile's first token
    __device__ static __forceinline__ void copy_scales(char* buffer, const float* from, int valid, int lane) {
        if (lane < tile / 4)
            copy_async(buffer + tile * row_bytes + lane * 16, from + lane * 4, lane * 4 < valid);
    }
    /// Four neighbours of the 16 are in a lane: a register of bytes.
    __device__ static __forceinline__ int key_dim(int part, int lane) { return lane % 4 * 4 + part * 2; }
    __device__ static __forceinline__ uint32_t query_pair(const T* from) {
        const Pack<T, 2> pair = load_pack<T, 2>(from);
        return pack_two<Fp16>(to_float(pair.values[0]), to_float(pair.values[1]));
    }
    template <int slots>
    __device__ static __forceinline__ void multiply_keys(float (&scores)[2][4],
                                                         const Queries<QueriesAsRows<slots>, dim>& q,
                                                         char* keys, int lane) {
#pragma unroll
        for (int step = 0; step < dim / 32; ++step) {
            KeyBytes k(keys, step, lane);
#pragma unroll
            for (int i = 0; i < 4; ++i)
                multiply_add<Fp16>(scores[i / 2], q.of[2 * step + i % 2], k.low[i], k.high[i]);
        }
    }
    __device__ static __forceinline__ void multiply_keys(float (&scores)[1][4],
                                                         const Queries<QueriesAsColumns, dim>& q, char* keys,
                                                         int lane) {
        float others[4] = {};  // two sums, so that each product need not wait for the one before it
#pragma unroll
        for (int step = 0; step < dim / 32; ++step) {
            KeyBytes k(keys, step, lane);
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const uint32_t rows[4] = {k.low[i], k.low[2 + i], k.high[i], k.high[2 + i]};
                const uint32_t(&columns)[2] = q.of[2 * step + i];
                multiply_add<Fp16>(i ? others : scores[0], rows, columns[0], columns[1]);
            }
        }
#pragma unroll
        for (int i = 0; i < 4; ++i) scores[0][i] += others[i];
    }
    /// Times `scale`; those of tokens that do not exist are undefined.
    template <typename Layout>
    __device__ static __forceinline__ TokenScales<Layout> key_scales(const char* keys, float scale,
                                                                     int lane) {
        TokenScales<Layout> scales = read_scales<Layout>(keys, lane);
#pragma unroll
        for (float& one : scales.of) one *= scale;
        return scales;
    }
    /// What weights are multiplied by, zeros for tokens that do not exist. The unit grows where it must.
    /// @return what sums so far are to be multiplied by
    template <typename Layout>
    __device__ static __forceinline__ float value_scales(TokenScales<Layout>& scales, ValueUnit& unit,
                                                         const char* values, int valid, int lane) {
        scales = read_scales<Layout>(values, lane);
        float greatest = 0;
#pragma unroll
        for (int i = 0; i < Layout::tokens; ++i) {
            // The cache behind the last token may hold NaN.
            if (Layout::token(i, lane) >= valid) scales.of[i] = 0;
            greatest = fmaxf(greatest, scales.of[i]);
        }
        greatest = Layout::max_of_tokens(greatest);
        const float before = unit.power;
        unit.power = fmaxf(before, __uint_as_float(__float_as_uint(greatest) & 0x7f800000u));
        const float reciprocal = unit.reciprocal();
#pragma unroll
        for (float& one : scales.of) one *= reciprocal * weight_scale;
        return before * reciprocal;
    }
    __device__ static __forceinline__ void multiply_values(float (&sums)[dim / 8][4],
                                                           const uint32_t (&weights)[4], char* values,
                                                           int lane) {
#pragma unroll
        for (int step = 0; step < dim / 32; ++step) {
            const ValueBytes v(values, step, lane);
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                multiply_add<Fp16>(sums[2 * (2 * step + i)], weights, v.even[i][0], v.even[i][1]);
                multiply_add<Fp16>(sums[2 * (2 * step + i) + 1], weights, v.odd[i][0], v.odd[i][1]);
            }
        }
    }
    /// The same for queries as columns: values are the first operand (query_layouts.h).
    __device__ static __forceinline__ void multiply_values(float (&sums)[dim / 16][4],
                                                           const uint32_t (&weights)[2], char* values,
                                                           int lane) {
#pragma unroll
        for (int step = 0; step < dim / 32; ++step) {
            const ValueBytes v(values, step, lane);
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const uint32_t rows[4] = {v.even[i][0], v.odd[i][0], v.even[i][1], v.odd[i][1]};
                multiply_add<Fp16>(sums[2 * step + i], rows, weights[0], weights[1]);
            }
        }
    }
    template <typename Layout>
    __device__ static __forceinline__ int value_dim(int n, int element, int lane) {
        if (Layout::columns) return n * 16 + lane / 4 * 2 + element / 2;
        return n / 2 * 16 + (lane % 4 * 2 + element % 2) * 2 + n % 2;
    }
    __device__ static __forceinline__ float in_ones(float sum, ValueUnit unit) {
        return sum * (unit.power / weight_scale);
    }

  private:
    /// Of 32 dimensions: register i is of tokens i / 2 * 8 + lane / 4 and of 16 dimensions, i % 2.
    struct KeyBytes {
        uint32_t low[4], high[4];
        __device__ __forceinline__ KeyBytes(char* keys, int step, int lane) {
            uint32_t k[4];
            load_matrices(k, chunk_of<row_bytes>(keys, lane / 16 * 8 + lane % 8, 2 * step + lane / 8 % 2));
#pragma unroll
            for (int i = 0; i < 4; ++i) fp16_of_e4m3(low[i], high[i], k[i]);
        }
    };
    /// Of 16 dimensions and 16 more, the even and the odd ones; of tokens 0 to 7 and 8 to 15.
    struct ValueBytes {
        uint32_t even[2][2], odd[2][2];
        __device__ __forceinline__ ValueBytes(char* values, int step, int lane) {
            uint32_t v[4];
            load_matrices_transposed(
                v, chunk_of<row_bytes>(values, lane / 8 % 2 * 8 + lane % 8, 2 * step + lane / 16));
            // A register has two dimensions of two tokens, token by token; wanted is dimension by dimension.
#pragma unroll
            for (int i = 0; i < 4; ++i)
                fp16_of_e4m3(even[i / 2][i % 2], odd[i / 2][i % 2], __byte_perm(v[i], 0, 0x3120));
        }
    };

    template <typename Layout>
    __device__ static __forceinline__ TokenScales<Layout> read_scales(const char* buffer, int lane) {
        const float* scales = reinterpret_cast<const float*>(buffer + tile * row_bytes);
        TokenScales<Layout> read;
#pragma unroll
        for (int i = 0; i < Layout::tokens; ++i) read.of[i] = scales[Layout::token(i, lane)];
        return read;
    }
};

}  // namespace
}  // namespace tritonsmith::kernels
