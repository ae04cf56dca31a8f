#pragma once

#include "graph/graph.h"

namespace tritonsmith::forge {

/// Whether a family takes this composite as one node (recurrent layers as a loop over time).
bool is_kept_whole(const graph::Graph& graph, const graph::Node& node);

/// The graph that is divided into kernels: composites replaced by their definitions, but those that a family
/// takes whole. A recurrent layer's initial state then is a tensor of its own, and its last hidden state a
/// view of its output.
graph::Graph simplified(const graph::Graph& graph);

}  // namespace tritonsmith::forge
