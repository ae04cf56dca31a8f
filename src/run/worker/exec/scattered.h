#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "run/draw/draw.h"

namespace tritonsmith::run {

/// Which elements of a tensor become something else, of several kinds: [the tensor's shape] a number in
/// [kind / kinds, (kind + 1) / kinds) for those of a kind, and one beyond 1 for all others. One element in
/// `one_in` is of some kind, and one at least of each where there are as many elements.
/// @param whole_rows so many kinds, the first ones, have rows of their own: one in eight, in turn; 0: none
at::Tensor scattered_kinds(const at::Tensor& values, const DrawKey& key, double one_in, int64_t kinds,
                           int64_t whole_rows);
/// Those of a kind. @param scattered by scattered_kinds
at::Tensor of_kind(const at::Tensor& scattered, int64_t kind, int64_t kinds);

}  // namespace tritonsmith::run
