#pragma once

#include <vector>

#include "graph/graph.h"

/// Views of operands. Where a view cannot be said by one index map (two paddings with different fills), the
/// inner one becomes a pointwise node of `graph`.
namespace tritonsmith::graph {

using Shape = std::vector<int64_t>;

/// `operand` read through one more map.
Operand through(Graph& graph, const Operand& operand, const IndexMap& map);
/// The elements in another dtype: by the operand itself, or by a node where it converts already.
Operand converted(Graph& graph, Operand operand, DType dtype);
/// A new value with the operand's elements.
Operand materialised(Graph& graph, const Operand& operand);

/// Right-aligned, axes of 1 repeated, as in PyTorch.
Operand broadcast(Graph& graph, const Operand& operand, const Shape& shape);
/// Row-major elements in another shape.
Operand reshaped(Graph& graph, const Operand& operand, const Shape& shape);
/// Axis d of the result is axis order[d] of the operand.
Operand permuted(Graph& graph, const Operand& operand, const std::vector<int>& order);
Operand sliced(Graph& graph, const Operand& operand, int axis, int64_t start, int64_t length,
               int64_t step = 1);
/// Without the axis, at one place of it.
Operand selected(Graph& graph, const Operand& operand, int axis, int64_t at);
/// With axes of 1 at these places (of the result, ascending).
Operand unsqueezed(Graph& graph, const Operand& operand, const std::vector<int>& axes);

}  // namespace tritonsmith::graph
