#pragma once

#include <vector>

#include "graph/index_map.h"

namespace tritonsmith::forge {

/// Whether PyTorch can be given what reads a tensor of shape `base` so as a factor of a product: as it lies,
/// in another shape, or with the last two axes swapped.
bool is_library_factor(const graph::IndexMap& view, const std::vector<int64_t>& base);

}  // namespace tritonsmith::forge
