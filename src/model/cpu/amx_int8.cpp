// Products with weights in int8 on AMX tiles: a row of x is converted to integers of 30 bits and a sign, in
// units of a power of two that the row's greatest element determines, and these to four digits of 8 bits. All
// sums are of integers, so exact, and rounded once.
#if defined(__x86_64__)
#include <immintrin.h>

#include "model/cpu/amx.h"

namespace tritonsmith::model::isa_amx {
namespace {

#include "model/cpu/amx_tiles.inc"

constexpr int64_t kDepth = 64;               ///< inputs of a tile
constexpr int64_t kDigits = 4;               ///< to the base 256, each -128 to 127
constexpr int64_t kRows = kLines / kDigits;  ///< of x in a tile
constexpr int64_t kRowAhead = 8 << 10;       ///< bytes of weights that are prefetched in one row's product
constexpr int64_t kMostInputs =
    1 << 17;  ///< times 128 · 127, and half of it times 128 · 255, is less than 2^31

int64_t blocks_of(int64_t inputs) {
    return (inputs + kDepth - 1) / kDepth;
}
int64_t tiles_of(int64_t rows) {
    return (rows + kRows - 1) / kRows;
}

/// [tiles of 4 rows][blocks of 64 inputs][4 rows][4 digits][64 inputs] int8, then [rows] float32: their
/// units.
int64_t prepared_bytes(int64_t rows, int64_t inputs) {
    return tiles_of(rows) * (blocks_of(inputs) * kTileBytes + kRows * static_cast<int64_t>(sizeof(float)));
}
float* units_of(const TileProduct& p) {
    return reinterpret_cast<float*>(static_cast<char*>(p.prepared) +
                                    tiles_of(p.rows) * blocks_of(p.inputs) * kTileBytes);
}

float power_of_two(int exponent) {
    return _mm_cvtss_f32(_mm_castsi128_ps(_mm_cvtsi32_si128((exponent + 127) << 23)));
}

/// The bits of the greatest |x|; above those of infinity where one is not a number.
uint32_t greatest(const float* x, int64_t n) {
    __m512i most = _mm512_setzero_si512();
    for (int64_t k = 0; k < n; k += 16) {
        const __m512i bits = _mm512_castps_si512(_mm512_maskz_loadu_ps(first_lanes(n - k), x + k));
        most = _mm512_max_epu32(most, _mm512_and_si512(bits, _mm512_set1_epi32(0x7FFFFFFF)));
    }
    return _mm512_reduce_max_epu32(most);
}

/// One row's digits: to[block * kTileBytes + digit * 64 + input], 0 from n to `width`. @return the lowest
/// one's unit
float digits(const float* x, int64_t n, int64_t width, char* to) {
    const uint32_t most = greatest(x, n);
    const bool finite = most < 0x7F800000;
    // Of 2^30 units at most; a row of tiny numbers has the least unit that is a normal number.
    const int exponent = static_cast<int>(most >> 23) - 127 < -97 ? -97 : static_cast<int>(most >> 23) - 127;
    const __m512 scale = _mm512_set1_ps(finite ? power_of_two(29 - exponent) : 0.0f);
    const __m512i carry = _mm512_set1_epi32(0x00808080);  // makes digits below the highest signed
    for (int64_t k = 0; k < width; k += 16) {
        const __mmask16 mask = finite ? first_lanes(n - k) : __mmask16{0};
        const __m512i units = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_maskz_loadu_ps(mask, x + k), scale));
        __m512i words = _mm512_xor_si512(_mm512_add_epi32(units, carry), carry);
        for (int64_t digit = 0; digit < kDigits; ++digit, words = _mm512_srli_epi32(words, 8))
            _mm_store_si128(
                reinterpret_cast<__m128i*>(to + k / kDepth * kTileBytes + digit * kDepth + k % kDepth),
                _mm512_cvtepi32_epi8(words));
    }
    return finite ? power_of_two(exponent - 29) : __builtin_nanf("");
}

void prepare(const TileProduct& p, int64_t begin, int64_t end) {
    const int64_t tile = blocks_of(p.inputs) * kTileBytes;
    float* units = units_of(p);
    for (int64_t row = begin; row < prepared_end(p, end, kRows); ++row)
        units[row] = digits(p.x + row * p.x_stride, row < end ? p.inputs : 0, blocks_of(p.inputs) * kDepth,
                            static_cast<char*>(p.prepared) + row / kRows * tile + row % kRows * kDigits * 64);
}

/// sums[tile of rows][panel][line][output]: of one tile of rows and four panels.
template <int Panels>
void one_tile(const char* x, const char* w, int64_t blocks, int32_t* sums) {
    const int64_t panel = blocks * kTileBytes;
    zero_sums();
    for (int64_t block = 0; block < blocks; ++block, x += kTileBytes, w += kTileBytes) {
        const int64_t jump = block + kAhead < blocks ? 0 : (Panels - 1) * panel;
        _tile_loadd(4, x, 64);
#define TRITONSMITH_PANEL(i, weights)            \
    if constexpr (Panels > (i)) {                \
        prefetch_tile(w + (i)*panel, jump);      \
        _tile_loadd(weights, w + (i)*panel, 64); \
        _tile_dpbssd(i, 4, weights);             \
    }
        TRITONSMITH_PANEL(0, 6)
        TRITONSMITH_PANEL(1, 7)
        TRITONSMITH_PANEL(2, 6)
        TRITONSMITH_PANEL(3, 7)
#undef TRITONSMITH_PANEL
    }
    store_sums<Panels>(sums);
}

/// The same of two tiles of rows and two panels.
void two_tiles(const char* x, const char* w, int64_t blocks, int32_t* sums) {
    const int64_t next = blocks * kTileBytes;
    zero_sums();
    for (int64_t block = 0; block < blocks; ++block, x += kTileBytes, w += kTileBytes) {
        const int64_t jump = block + kAhead < blocks ? 0 : next;
        _tile_loadd(4, x, 64);
        prefetch_tile(w, jump);
        _tile_loadd(6, w, 64);
        _tile_dpbssd(0, 4, 6);
        prefetch_tile(w + next, jump);
        _tile_loadd(7, w + next, 64);
        _tile_dpbssd(1, 4, 7);
        _tile_loadd(5, x + next, 64);
        _tile_dpbssd(2, 5, 6);
        _tile_dpbssd(3, 5, 7);
    }
    store_sums<4>(sums);
}

/// Four lines of sums, those of one row's digits, as that row's sums.
__m512 together(const int32_t* lines, float unit) {
    const auto half = [&](int64_t first) {
        __m512d total = _mm512_setzero_pd();
        for (int64_t digit = kDigits - 1; digit >= 0; --digit)
            total = _mm512_fmadd_pd(total, _mm512_set1_pd(256),
                                    _mm512_cvtepi32_pd(_mm256_load_si256(
                                        reinterpret_cast<const __m256i*>(lines + digit * kOutputs + first))));
        return _mm512_cvtpd_ps(_mm512_mul_pd(total, _mm512_set1_pd(unit)));
    };
    return _mm512_insertf32x8(_mm512_castps256_ps512(half(0)), half(8), 1);
}

/// What one_tile() or two_tiles() found for one tile of rows.
void finish(const TileProduct& p, const int32_t* sums, int64_t tile, int64_t panel, int64_t panels) {
    const int64_t rows = p.rows - tile * kRows < kRows ? p.rows - tile * kRows : kRows;
    const float* units = units_of(p) + tile * kRows;
    for (int64_t i = 0; i < panels; ++i)
        for (int64_t row = 0; row < rows; ++row)
            put(p, together(sums + (i * kLines + row * kDigits) * kOutputs, units[row]), tile * kRows + row,
                panel + i);
}

template <int Panels>
void multiply_one(const TileProduct& p, int64_t panel, int64_t tile) {
    const int64_t blocks = blocks_of(p.inputs), bytes = blocks * kTileBytes;
    alignas(64) int32_t sums[Panels * kLines * kOutputs];
    one_tile<Panels>(static_cast<const char*>(p.prepared) + tile * bytes,
                     static_cast<const char*>(p.tiles) + panel * bytes, blocks, sums);
    finish(p, sums, tile, panel, Panels);
}

void multiply_two(const TileProduct& p, int64_t panel, int64_t tile) {
    const int64_t blocks = blocks_of(p.inputs), bytes = blocks * kTileBytes;
    alignas(64) int32_t sums[4 * kLines * kOutputs];
    two_tiles(static_cast<const char*>(p.prepared) + tile * bytes,
              static_cast<const char*>(p.tiles) + panel * bytes, blocks, sums);
    finish(p, sums, tile, panel, 2);
    finish(p, sums + 2 * kLines * kOutputs, tile + 1, panel, 2);
}

/// One row alone: AVX-512's dot products of bytes, directly from the tiles, whose lines are their operands.
/// They are of unsigned with signed bytes, so 128 is added to weights and its contribution subtracted.
/// Consecutive panels are one stream of memory.
void multiply_row(const TileProduct& p, int64_t begin, int64_t end) {
    const int64_t blocks = blocks_of(p.inputs);
    const char *x = static_cast<const char*>(p.prepared),
               *w = static_cast<const char*>(p.tiles) + begin * blocks * kTileBytes;
    const __m512i bias = _mm512_set1_epi8(-128);
    const auto word = [&](int64_t block, int64_t digit, int64_t line) {
        int32_t inputs = 0;
        __builtin_memcpy(&inputs, x + block * kTileBytes + digit * kDepth + line * 4, 4);
        return _mm512_set1_epi32(inputs);
    };
    __m512i added[kDigits];
    for (int64_t digit = 0; digit < kDigits; ++digit) {
        __m512i sum = _mm512_setzero_si512();
        for (int64_t block = 0; block < blocks; ++block)
            sum = _mm512_dpbusd_epi32(sum, bias, _mm512_load_si512(x + block * kTileBytes + digit * kDepth));
        added[digit] = _mm512_set1_epi32(_mm512_reduce_add_epi32(sum));
    }
    alignas(64) int32_t sums[kDigits * kOutputs];
    for (int64_t panel = begin; panel < end; ++panel) {
        __m512i even[kDigits] = {}, odd[kDigits] = {};
        for (int64_t block = 0; block < blocks; ++block, w += kTileBytes)
#pragma GCC unroll 8
            for (int64_t line = 0; line < kLines; line += 2) {
                _mm_prefetch(w + kRowAhead + line * 64, _MM_HINT_T0);
                _mm_prefetch(w + kRowAhead + line * 64 + 64, _MM_HINT_T0);
                const __m512i first = _mm512_xor_si512(_mm512_load_si512(w + line * 64), bias),
                              second = _mm512_xor_si512(_mm512_load_si512(w + line * 64 + 64), bias);
#pragma GCC unroll 4
                for (int64_t digit = 0; digit < kDigits; ++digit) {
                    even[digit] = _mm512_dpbusd_epi32(even[digit], first, word(block, digit, line));
                    odd[digit] = _mm512_dpbusd_epi32(odd[digit], second, word(block, digit, line + 1));
                }
            }
        for (int64_t digit = 0; digit < kDigits; ++digit)
            _mm512_store_si512(sums + digit * kOutputs,
                               _mm512_sub_epi32(_mm512_add_epi32(even[digit], odd[digit]), added[digit]));
        put(p, together(sums, *units_of(p)), 0, panel);
    }
}

/// All panels with row tiles [first, last).
void multiply_tiles(const TileProduct& p, int64_t begin, int64_t end, int64_t first, int64_t last) {
    int64_t panel = begin;
    for (; panel + 2 <= end && last - first >= 2; panel += 2) {
        int64_t tile = first;
        for (; tile + 2 <= last; tile += 2) multiply_two(p, panel, tile);
        if (tile < last) multiply_one<2>(p, panel, tile);
    }
    for (; panel + 4 <= end && last - first == 1; panel += 4) multiply_one<4>(p, panel, first);
    for (; panel < end; ++panel)
        for (int64_t tile = first; tile < last; ++tile) multiply_one<1>(p, panel, tile);
}

void multiply(const TileProduct& p, int64_t begin, int64_t end) {
    if (p.rows == 1) return multiply_row(p, begin, end);
    const int64_t tiles = tiles_of(p.rows), step = tiles_at_once(blocks_of(p.inputs) * kTileBytes);
    const TileConfiguration configuration((p.rows < kRows ? p.rows : kRows) * kDigits, 4, 5);
    _tile_loadconfig(&configuration);
    for (int64_t first = 0; first < tiles; first += step)
        multiply_tiles(p, begin, end, first, first + step < tiles ? first + step : tiles);
    _tile_release();
}

void fetch(const TileProduct& p, int64_t begin) {
    fetch_bytes(static_cast<const char*>(p.tiles) + begin * blocks_of(p.inputs) * kTileBytes, kRowAhead);
}

}  // namespace

const TileKernels& int8_tiles() {
    static constexpr TileKernels set = {kMostInputs, prepared_bytes, prepare, fetch, multiply};
    return set;
}

}  // namespace tritonsmith::model::isa_amx

#endif
