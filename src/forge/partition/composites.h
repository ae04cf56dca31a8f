#pragma once

#include "forge/field/context.h"
#include "graph/graph.h"

namespace tritonsmith::forge {

/// Whether a family takes this composite as one node (recurrent layers as a loop over time).
/// @param relaxed PyTorch may compute convolutions
bool is_kept_whole(const graph::Graph& graph, const graph::Node& node, bool relaxed);

/// The graph that is divided into kernels: composites replaced by their definitions, but those that a family
/// takes whole. A recurrent layer's input then is multiplied for all time steps by a node of its own, its
/// initial state is a tensor of its own, and its last hidden state a view of its output. Where PyTorch
/// computes convolutions, what is added to them is a node of its own, for the kernels behind them.
/// @param choices whether attention that is written out becomes one node
graph::Graph simplified(const graph::Graph& graph, Choices& choices, bool relaxed = false);

}  // namespace tritonsmith::forge
