#pragma once

#include <ATen/core/Tensor.h>

#include "model/config.h"

namespace tritonsmith::model {

/// Rotary position embedding (RoFormer, arXiv 2104.09864, in the "half" layout of Hugging Face) with the
/// scalings of transformers' modeling_rope_utils.py: the same formulas in the same precision, so that
/// frequencies are equal bit for bit.
struct RopeFrequencies {
    at::Tensor inverse;             ///< [head_dim / 2] float32, on the CPU
    double attention_factor = 1.0;  ///< that cosines and sines are multiplied with
};
RopeFrequencies rope_frequencies(const Config& config);

/// Cosines and sines of positions. Angles are products in float32, as those that models were trained with.
struct RopeRows {
    at::Tensor cos, sin;  ///< [positions, head_dim / 2] float32, holding values of `dtype`
};
/// @param positions [n] int64 on the CPU  @param dtype that values are rounded to, as transformers does
RopeRows rope_rows(const RopeFrequencies& frequencies, const at::Tensor& positions, at::ScalarType dtype);

}  // namespace tritonsmith::model
