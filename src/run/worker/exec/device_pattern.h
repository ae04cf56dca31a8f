#pragma once

#include <ATen/core/Tensor.h>

#include "run/draw/draw.h"

namespace tritonsmith::run {

/// Applies the pattern of a draw's variant (pattern.h) to drawn values where they lie, by the same formulas:
/// the same values become the same. Traits of lines and columns are made on the CPU, piece by piece.
/// @param values float32, contiguous
void apply_pattern(const at::Tensor& values, const Draw& draw, int64_t at_a_time = int64_t{1} << 24);
/// That of integers. @param values contiguous, of any dtype
void apply_integers(const at::Tensor& values, const Draw& draw, int64_t at_a_time = int64_t{1} << 24);

}  // namespace tritonsmith::run
