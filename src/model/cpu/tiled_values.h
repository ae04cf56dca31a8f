#pragma once

#include <ATen/core/Tensor.h>

namespace tritonsmith::model {

/// A matrix of weights in the order in which a matrix unit reads it: contiguous tiles of 1 KiB for 16 outputs
/// and 64 bytes of inputs; the tiles of 16 outputs follow each other. Within a tile, inputs are in words of 4
/// bytes (2 of bfloat16, 4 of int8), and a line holds one word of each output: the layout of the right-hand
/// side of Intel's TDPBF16PS and TDPBSSD.
struct TiledValues {
    at::Tensor tiles;  ///< [panels of 16 outputs, blocks of 64 bytes, 16 words, 16 outputs, elements of a
                       ///< word], bfloat16 or int8; padded with 0
    int64_t outputs = 0, inputs = 0;

    bool defined() const { return tiles.defined(); }
};

constexpr int64_t tile_outputs = 16, tile_words = 16, word_bytes = 4;
/// Inputs of one tile.
constexpr int64_t tile_inputs(int64_t element_bytes) {
    return tile_words * word_bytes / element_bytes;
}

/// @param values [outputs, inputs] bfloat16 or int8, on the CPU
TiledValues tiled(const at::Tensor& values);
/// Copies other values into the same memory. @param values of the same shape; rounded to the tiles' dtype
void assign(TiledValues& tiled, const at::Tensor& values);
/// @return [count, inputs] of the tiles' dtype: rows from `first` on
at::Tensor untiled(const TiledValues& tiled, int64_t first, int64_t count);
/// One row. @param to [inputs] elements
void untile_row(const TiledValues& tiled, int64_t row, void* to);

}  // namespace tritonsmith::model
