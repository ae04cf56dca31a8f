#pragma once

#include <ATen/core/Tensor.h>

#include "kernels/arguments.h"

namespace tritonsmith::engine {

struct DrawnTokens {
    at::Tensor tokens;    ///< [rows] int64
    at::Tensor logprobs;  ///< [rows] float32
};

/// @param logits [rows, vocabulary] float32, on the device  @param draws [rows], on the device
DrawnTokens draw_tokens(const at::Tensor& logits, const kernels::DrawRow* draws);

}  // namespace tritonsmith::engine
