#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace tritonsmith::train {

/// Where stochastic rounding takes its randomness from: nothing but these numbers and an element's index, so
/// the same on every device, and however tensors are divided.
struct RoundingKey {
    uint64_t seed = 0;
    int64_t step = 0;
    int64_t tensor = 0;  ///< number of the parameter
    int64_t use = 0;     ///< which of its tensors
};

/// Where the stream of random numbers of a key begins: element i has number SplitMix64(stream + i · golden
/// ratio).
uint64_t stream_of(const RoundingKey& key);

/// Writes float32 values into bfloat16, up or down at random, so that the expected value is the exact one
/// (arXiv 2010.06192): what is much smaller than a rounding step is not lost. NaN and infinity stay.
/// @param to    [n] bfloat16, contiguous  @param from [n] float32, contiguous
/// @param first index of the first element in the whole tensor
void round_stochastically(at::Tensor& to, const at::Tensor& from, const RoundingKey& key, int64_t first);

}  // namespace tritonsmith::train
