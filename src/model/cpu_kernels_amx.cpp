// Products on AMX tiles (Intel's matrix unit): weights in bfloat16 go into tiles as they lie, rows of x as
// the sum of three bfloat16 numbers, so that nothing of float32's precision is lost. All else is AVX-512's.
#if defined(__x86_64__)
#include "model/cpu_kernels_amx.h"

#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "model/cpu_kernels.h"

namespace tritonsmith::model::isa_amx {
namespace {

constexpr int kTileRows = 16;  ///< of each tile: 16 rows of 64 bytes
constexpr int kDepth = 32;     ///< inputs of a tile: bfloat16 in 64 bytes
constexpr int kSplits = 3;     ///< bfloat16 numbers whose sum is a float32
constexpr int kTiles = 4;  ///< of outputs at a time: what eight tile registers hold beside weights and splits
constexpr int kOutputs = kTiles * kTileRows;
constexpr int kTileElements = kTileRows * kDepth;

struct alignas(64) TileConfiguration {
    uint8_t palette = 1, start_row = 0, reserved[14] = {};
    uint16_t bytes_of_row[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

/// Rows of x as tiles: [tiles of 16 rows][blocks of 32 inputs][splits][16 pairs of inputs][16 rows][2]
/// bfloat16. What is missing is 0.
struct PackedRows {
    struct alignas(64) Line {  // a row of a tile, in one cache line
        uint16_t values[kDepth];
    };
    int64_t tiles = 0, blocks = 0;
    std::vector<Line> lines;
    uint16_t* values() { return lines.data()->values; }
    const uint16_t* at(int64_t tile, int64_t block) const {
        return lines[static_cast<size_t>((tile * blocks + block) * kSplits * kTileRows)].values;
    }
};

__m512 widened(__m256bh x) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(reinterpret_cast<__m256i>(x)), 16));
}

/// A row of x as its splits, each contiguous: to[split * stride + input]; `width` inputs, those behind the
/// row's end 0.
void split_row(const float* x, int64_t inputs, int64_t width, int64_t stride, uint16_t* to) {
    for (int64_t k = 0; k < width; k += 16) {
        const auto mask = static_cast<__mmask16>((1U << std::clamp<int64_t>(inputs - k, 0, 16)) - 1);
        __m512 left = _mm512_maskz_loadu_ps(mask, x + k);
        for (int split = 0; split < kSplits; ++split) {
            const __m256bh part = _mm512_cvtneps_pbh(left);
            left = _mm512_sub_ps(left, widened(part));
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + split * stride + k),
                                reinterpret_cast<__m256i>(part));
        }
    }
}

void pack(const Product& p, PackedRows& packed) {
    packed.tiles = (p.rows + kTileRows - 1) / kTileRows;
    packed.blocks = (p.inputs + kDepth - 1) / kDepth;
    const int64_t width = packed.blocks * kDepth, stride = width * kTileRows;
    const auto lines = static_cast<size_t>(packed.tiles * packed.blocks * kSplits * kTileRows);
    if (packed.lines.size() < lines) packed.lines.resize(lines);
    thread_local std::vector<uint16_t> rows;
    if (rows.size() < static_cast<size_t>(stride * kSplits))
        rows.resize(static_cast<size_t>(stride * kSplits));
    const __m512i places =
        _mm512_mullo_epi32(_mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
                           _mm512_set1_epi32(static_cast<int>(width / 2)));
    uint16_t* to = packed.values();
    for (int64_t tile = 0; tile < packed.tiles; ++tile) {
        const int64_t first = tile * kTileRows, count = std::min<int64_t>(kTileRows, p.rows - first);
        for (int64_t row = 0; row < count; ++row)
            split_row(p.x + (first + row) * p.x_stride, p.inputs, width, stride, rows.data() + row * width);
        const auto mask = static_cast<__mmask16>((1U << count) - 1);
        for (int64_t block = 0; block < packed.blocks; ++block)
            for (int split = 0; split < kSplits; ++split) {
                const uint16_t* from = rows.data() + split * stride + block * kDepth;
                for (int pair = 0; pair < kDepth / 2; ++pair, to += 2 * kTileRows)
                    _mm512_storeu_si512(to, _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), mask, places,
                                                                        from + 2 * pair, 4));
            }
    }
}

/// The tile of 16 outputs and 32 inputs at w, whole or not. @param space where it is put together if it must
/// be
std::pair<const uint16_t*, int64_t> tile_of(const uint16_t* w, int64_t inputs, int64_t count, int64_t depth,
                                            uint16_t* space) {
    if (count == kTileRows && depth == kDepth) return {w, inputs * 2};
    for (int64_t row = 0; row < kTileRows; ++row) {
        uint16_t* to = space + row * kDepth;
        const int64_t there = row < count ? depth : 0;
        std::memcpy(to, w + row * inputs, static_cast<size_t>(there) * 2);
        std::fill(to + there, to + kDepth, uint16_t{0});
    }
    return {space, 64};
}

/// sums[output][row] of up to 64 outputs and 16 rows. @param next weights that will be read soon, one behind
/// the other; or null
void tile_sums(const Product& p, const PackedRows& packed, int64_t tile, const uint16_t* w, int64_t outputs,
               const uint16_t* next, float* sums) {
    alignas(64) uint16_t space[kTiles][kTileElements];
    constexpr int64_t line = 64 / sizeof(uint16_t);
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (int64_t block = 0; block < packed.blocks; ++block) {
        const int64_t k = block * kDepth, depth = std::min<int64_t>(kDepth, p.inputs - k);
        const uint16_t* x = packed.at(tile, block);
        // The next outputs' weights lie in one piece, which is fetched in its own order while this one's are
        // read across: a line in eight is enough for the hardware to see it and fetch the rest.
        if (next != nullptr)
            for (int64_t i = 0; i < kOutputs * depth; i += 8 * line)
                __builtin_prefetch(next + k * kOutputs + i, 0, 2);
        _tile_loadd(5, x, 64);
        _tile_loadd(6, x + kTileElements, 64);
        _tile_loadd(7, x + 2 * kTileElements, 64);
        const auto weights = [&](int64_t t) {
            return tile_of(w + t * kTileRows * p.inputs + k, p.inputs,
                           std::clamp<int64_t>(outputs - t * kTileRows, 0, kTileRows), depth, space[t]);
        };
#define TRITONSMITH_OUTPUTS(t)                  \
    if (outputs > (t)*kTileRows) {              \
        const auto [from, stride] = weights(t); \
        _tile_loadd(4, from, stride);           \
        _tile_dpbf16ps(t, 4, 5);                \
        _tile_dpbf16ps(t, 4, 6);                \
        _tile_dpbf16ps(t, 4, 7);                \
    }
        TRITONSMITH_OUTPUTS(0)
        TRITONSMITH_OUTPUTS(1)
        TRITONSMITH_OUTPUTS(2)
        TRITONSMITH_OUTPUTS(3)
#undef TRITONSMITH_OUTPUTS
    }
    _tile_stored(0, sums, 64);
    _tile_stored(1, sums + kTileRows * kTileRows, 64);
    _tile_stored(2, sums + 2 * kTileRows * kTileRows, 64);
    _tile_stored(3, sums + 3 * kTileRows * kTileRows, 64);
}

void finish(const Product& p, const float* sums, int64_t tile, int64_t output, int64_t outputs) {
    const int64_t rows = std::min<int64_t>(kTileRows, p.rows - tile * kTileRows);
    for (int64_t r = 0; r < rows; ++r) {
        float* y = p.y + (tile * kTileRows + r) * p.y_stride + output;
        for (int64_t o = 0; o < outputs; ++o) {
            float sum = sums[o * kTileRows + r];
            if (p.scales != nullptr) sum *= p.scales[output + o];
            if (p.bias != nullptr) sum += p.bias[output + o];
            y[o] = sum;
        }
    }
}

void product(const Product& p) {
    thread_local PackedRows packed;
    pack(p, packed);
    const TileConfiguration configuration;
    _tile_loadconfig(&configuration);
    const auto* w = static_cast<const uint16_t*>(p.w);
    alignas(64) float sums[kOutputs * kTileRows];
    for (int64_t output = p.begin; output < p.end; output += kOutputs) {
        const int64_t outputs = std::min<int64_t>(kOutputs, p.end - output);
        const auto* from = w + output * p.inputs;
        const auto* next = output + 2 * kOutputs <= p.end ? from + kOutputs * p.inputs : nullptr;
        for (int64_t tile = 0; tile < packed.tiles; ++tile) {
            tile_sums(p, packed, tile, from, outputs, tile == 0 ? next : nullptr, sums);
            finish(p, sums, tile, output, outputs);
        }
    }
    _tile_release();
}

}  // namespace

bool usable() {
    constexpr int request_permission = 0x1023, tile_data = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
    return ::syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}

const CpuKernels& kernels() {
    static const CpuKernels set = [] {
        CpuKernels out = isa_avx512::kernels();
        out.isa = "amx";
        out.several_bf16 = product;
        return out;
    }();
    return set;
}

}  // namespace tritonsmith::model::isa_amx

#endif
