#pragma once

#include <optional>

#include "forge/field/context.h"
#include "graph/graph.h"

namespace tritonsmith::forge {

/// Attention that is written as products and a softmax, softmax(scale · q kᵀ + mask) v, as one node: where
/// the scores are used for nothing else and a kernel can hold its tiles (is_attention_size, at the task's own
/// size). Nothing where the graph has none.
std::optional<graph::Graph> with_attention(const graph::Graph& graph, Choices& choices);

/// A tile of queries, and of keys, fits into registers. @param shape of the result
bool is_attention_size(const std::vector<int64_t>& shape, int64_t depth);

}  // namespace tritonsmith::forge
