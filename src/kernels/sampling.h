#pragma once

#include <cstdint>

#include "kernels/arguments.h"

/// How a token is drawn from logits, on the CPU; the CUDA kernel draws the same token from the same logits,
/// bit for bit.
///
/// A token's distance is the difference of its logit to the greatest, divided by the temperature, in units of
/// 2^-18 octaves; its weight is 2^-distance as an integer in units of 2^-40. Everything after that is in
/// integers, so no order of sums can change a result: keep the tokens within the top_k-th smallest distance
/// (ties stay), of these the nearest whose weights make top_p of the kept sum (ties stay), of these those
/// within min_p's distance; then the first token in index order whose running sum of kept weights exceeds u ·
/// (sum of kept weights), u from Philox4x32-10 of (seed, sample, position). Equal to transformers' and vLLM's
/// order temperature, top-k, top-p, min-p.
namespace tritonsmith::kernels {

/// @param temperature 0: the greatest logit  @param top_k 0: all  @param top_p (0, 1]  @param min_p [0, 1],
/// 0: all
/// @throws std::invalid_argument (a value out of range or not a number)
DrawRow draw_row(double temperature, int top_k, double top_p, double min_p, uint64_t seed, uint32_t sample,
                 uint32_t position);

struct Drawn {
    int64_t token = -1;  ///< -1: no logit is finite
    float logprob = 0;   ///< natural logarithm, at temperature 1 before any cut; NaN if there is no token
};

/// @param logits [vocabulary], at most 2^22
Drawn draw_token(const float* logits, int vocabulary, const DrawRow& row);

}  // namespace tritonsmith::kernels
