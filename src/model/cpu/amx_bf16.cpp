// Products with weights in bfloat16 on AMX tiles: rows of x are split into the sum of three bfloat16
// numbers, which keeps float32's precision.
#if defined(__x86_64__)
#include <immintrin.h>

#include "model/cpu/amx.h"

namespace tritonsmith::model::isa_amx {
namespace {

#include "model/cpu/amx_tiles.inc"

constexpr int64_t kDepth = 32;  ///< inputs of a tile
constexpr int64_t kSplits = 3;  ///< bfloat16 numbers whose sum is a float32
constexpr int64_t kPanels =
    4;  ///< at a time: sums that fit into the eight tile registers with weights and splits
constexpr int64_t kBlock = kSplits * kTileBytes;  ///< of x: 32 inputs of 16 rows

int64_t blocks_of(int64_t inputs) {
    return (inputs + kDepth - 1) / kDepth;
}

/// [tiles of 16 rows][blocks of 32 inputs][splits][16 rows][32 inputs] bfloat16.
int64_t prepared_bytes(int64_t rows, int64_t inputs) {
    return (rows + kLines - 1) / kLines * blocks_of(inputs) * kBlock;
}

__m512 widened(__m256i x) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(x), 16));
}

/// 32 inputs of one row as its splits, to[split * kTileBytes].
void split(const float* x, int64_t count, char* to) {
    __m512 low = _mm512_maskz_loadu_ps(first_lanes(count), x),
           high = _mm512_maskz_loadu_ps(first_lanes(count - 16), x + 16);
    for (int64_t split = 0; split < kSplits; ++split) {
        const auto part = reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(high, low));
        _mm512_store_si512(to + split * kTileBytes, part);
        low = _mm512_sub_ps(low, widened(_mm512_castsi512_si256(part)));
        high = _mm512_sub_ps(high, widened(_mm512_extracti64x4_epi64(part, 1)));
    }
}

void prepare(const TileProduct& p, int64_t begin, int64_t end) {
    const int64_t blocks = blocks_of(p.inputs);
    for (int64_t row = begin; row < prepared_end(p, end, kLines); ++row) {
        char* to = static_cast<char*>(p.prepared) + row / kLines * blocks * kBlock + row % kLines * 64;
        const float* x = p.x + row * p.x_stride;
        for (int64_t block = 0; block < blocks; ++block, to += kBlock)
            split(x + block * kDepth, row < end ? p.inputs - block * kDepth : 0, to);
    }
}

/// sums[panel][row][output] of 16 rows and `Panels` panels. @param w of the first panel
template <int Panels>
void tile_sums(const char* x, const char* w, int64_t blocks, float* sums) {
    const int64_t panel = blocks * kTileBytes;
    zero_sums();
    for (int64_t block = 0; block < blocks; ++block, x += kBlock, w += kTileBytes) {
        const int64_t jump = block + kAhead < blocks ? 0 : (Panels - 1) * panel;
        _tile_loadd(5, x, 64);
        _tile_loadd(6, x + kTileBytes, 64);
        _tile_loadd(7, x + 2 * kTileBytes, 64);
#define TRITONSMITH_PANEL(i)                \
    if constexpr (Panels > (i)) {           \
        prefetch_tile(w + (i)*panel, jump); \
        _tile_loadd(4, w + (i)*panel, 64);  \
        _tile_dpbf16ps(i, 5, 4);            \
        _tile_dpbf16ps(i, 6, 4);            \
        _tile_dpbf16ps(i, 7, 4);            \
    }
        TRITONSMITH_PANEL(0)
        TRITONSMITH_PANEL(1)
        TRITONSMITH_PANEL(2)
        TRITONSMITH_PANEL(3)
#undef TRITONSMITH_PANEL
    }
    store_sums<Panels>(sums);
}

/// Panels from `panel` on, of all rows in row tiles [first, last).
template <int Panels>
void multiply_panels(const TileProduct& p, int64_t panel, int64_t first, int64_t last) {
    const int64_t blocks = blocks_of(p.inputs);
    const char* w = static_cast<const char*>(p.tiles) + panel * blocks * kTileBytes;
    alignas(64) float sums[Panels * kLines * kOutputs];
    for (int64_t tile = first; tile < last; ++tile) {
        tile_sums<Panels>(static_cast<const char*>(p.prepared) + tile * blocks * kBlock, w, blocks, sums);
        const int64_t rows = p.rows - tile * kLines < kLines ? p.rows - tile * kLines : kLines;
        for (int64_t i = 0; i < Panels; ++i)
            for (int64_t row = 0; row < rows; ++row)
                put(p, _mm512_load_ps(sums + (i * kLines + row) * kOutputs), tile * kLines + row, panel + i);
    }
}

void multiply(const TileProduct& p, int64_t begin, int64_t end) {
    const int64_t tiles = (p.rows + kLines - 1) / kLines, step = tiles_at_once(blocks_of(p.inputs) * kBlock);
    const TileConfiguration configuration(p.rows < kLines ? p.rows : kLines, 5, 7);
    _tile_loadconfig(&configuration);
    for (int64_t first = 0; first < tiles; first += step) {
        const int64_t last = first + step < tiles ? first + step : tiles;
        int64_t panel = begin;
        for (; panel + kPanels <= end; panel += kPanels) multiply_panels<kPanels>(p, panel, first, last);
        if (end - panel == 3) multiply_panels<3>(p, panel, first, last);
        if (end - panel == 2) multiply_panels<2>(p, panel, first, last);
        if (end - panel == 1) multiply_panels<1>(p, panel, first, last);
    }
    _tile_release();
}

void fetch(const TileProduct& p, int64_t begin) {
    const int64_t panel = blocks_of(p.inputs) * kTileBytes;
    for (int64_t i = 0; i < kPanels; ++i)
        fetch_bytes(static_cast<const char*>(p.tiles) + (begin + i) * panel, kAhead * kTileBytes);
}

}  // namespace

const TileKernels& bf16_tiles() {
    static constexpr TileKernels set = {INT64_MAX, prepared_bytes, prepare, fetch, multiply};
    return set;
}

}  // namespace tritonsmith::model::isa_amx

#endif
