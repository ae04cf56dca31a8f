#pragma once

#include <functional>

#include "graph/graph.h"

namespace tritonsmith::graph {

/// Whether a node has a definition by simpler ones: all but leaves, Pointwise, Concat, Reduce, Scan, Sort,
/// TopK, Contract, Gather and Scatter.
bool is_composite(const NodeKind& kind);

/// The same program with the composites that `chosen` names replaced by their definitions (all, by default):
/// convolution becomes a contraction over windows, attention two contractions and a softmax, recurrences are
/// unrolled.
Graph expand(const Graph& graph, const std::function<bool(const Node&)>& chosen = {});

}  // namespace tritonsmith::graph
