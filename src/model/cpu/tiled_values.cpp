#include "model/cpu/tiled_values.h"

#include <ATen/Functions.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.h"
#include "model/cpu/huge_pages.h"
#include "model/cpu/parallel.h"

namespace tritonsmith::model {
namespace {

using Word = std::array<char, word_bytes>;
using Line = std::array<Word, tile_outputs>;  // a word of each output
using Tile = std::array<Line, tile_words>;
constexpr int64_t row_bytes = tile_words * word_bytes;  ///< of one output in a tile

/// Calls f(tile, first byte of its inputs in a row, how many of them there are) for a panel's tiles.
template <class Tiles, class Function>
void for_tiles(Tiles* panel, int64_t bytes, const Function& f) {
    for (int64_t begin = 0; begin < bytes; begin += row_bytes, ++panel)
        f(*panel, begin, std::min(row_bytes, bytes - begin));
}

int64_t bytes_of_row(const TiledValues& tiled) {
    return tiled.inputs * static_cast<int64_t>(tiled.tiles.element_size());
}

}  // namespace

TiledValues tiled(const at::Tensor& values) {
    if (values.scalar_type() != at::kBFloat16 && values.scalar_type() != at::kChar)
        throw InputError("only weights in bfloat16 and int8 are tiled");
    const auto element = static_cast<int64_t>(values.element_size());
    const int64_t panels = (values.size(0) + tile_outputs - 1) / tile_outputs,
                  blocks = (values.size(1) + tile_inputs(element) - 1) / tile_inputs(element);
    TiledValues result{empty_in_huge_pages({panels, blocks, tile_words, tile_outputs, word_bytes / element},
                                           values.scalar_type()),
                       values.size(0), values.size(1)};
    assign(result, values);
    return result;
}

void assign(TiledValues& tiled, const at::Tensor& values) {
    if (values.dim() != 2 || values.size(0) != tiled.outputs || values.size(1) != tiled.inputs)
        throw InputError("new weights must have the same shape");
    const at::Tensor rows = values.to(tiled.tiles.scalar_type()).contiguous();
    const auto* from = static_cast<const char*>(rows.const_data_ptr());
    auto* tiles = static_cast<Tile*>(tiled.tiles.mutable_data_ptr());
    const int64_t bytes = bytes_of_row(tiled), blocks = tiled.tiles.size(1);
    parallel_for(tiled.tiles.size(0), 4, [&](int64_t begin, int64_t end) {
        for (int64_t panel = begin; panel < end; ++panel) {
            const int64_t first = panel * tile_outputs,
                          count = std::min<int64_t>(tile_outputs, tiled.outputs - first);
            for_tiles(tiles + panel * blocks, bytes, [&](Tile& tile, int64_t offset, int64_t length) {
                for (int64_t output = 0; output < tile_outputs; ++output) {
                    std::array<Word, tile_words> row = {};
                    if (output < count)
                        std::memcpy(row.data(), from + (first + output) * bytes + offset,
                                    static_cast<size_t>(length));
                    for (size_t word = 0; word < row.size(); ++word)
                        tile[word][static_cast<size_t>(output)] = row[word];
                }
            });
        }
    });
}

void untile_row(const TiledValues& tiled, int64_t row, void* to) {
    const auto* panel =
        static_cast<const Tile*>(tiled.tiles.const_data_ptr()) + row / tile_outputs * tiled.tiles.size(1);
    const auto output = static_cast<size_t>(row % tile_outputs);
    for_tiles(panel, bytes_of_row(tiled), [&](const Tile& tile, int64_t offset, int64_t length) {
        std::array<Word, tile_words> words;
        for (size_t word = 0; word < words.size(); ++word) words[word] = tile[word][output];
        std::memcpy(static_cast<char*>(to) + offset, words.data(), static_cast<size_t>(length));
    });
}

at::Tensor untiled(const TiledValues& tiled, int64_t first, int64_t count) {
    at::Tensor result = at::empty({count, tiled.inputs}, tiled.tiles.options());
    auto* to = static_cast<char*>(result.mutable_data_ptr());
    for (int64_t row = 0; row < count; ++row) untile_row(tiled, first + row, to + row * bytes_of_row(tiled));
    return result;
}

}  // namespace tritonsmith::model
