#pragma once

#include <optional>
#include <vector>

#include "graph/index_map.h"

namespace tritonsmith::forge {

/// Where a reader's element lies that reads element i of a value: the other way of a view that moves every
/// element once (permutations, reshapes). The position in `view.shape` as a function of the axes of `base`.
/// Nothing where the view leaves out, repeats or mixes elements.
std::optional<std::vector<graph::Index>> invert(const graph::IndexMap& view,
                                                const std::vector<int64_t>& base);

/// Whether two expressions are equal at all points; decided by their normal form, else by their values at
/// corners and many other points.
bool same_index(const graph::Index& a, const graph::Index& b, const graph::Extents& extents);
bool same_indices(const std::vector<graph::Index>& a, const std::vector<graph::Index>& b,
                  const graph::Extents& extents);

}  // namespace tritonsmith::forge
