#pragma once

#include <optional>
#include <vector>

#include "graph/graph.h"

namespace tritonsmith::forge {

/// The number at one place of a tensor that is made of no input: of constants and of its own index. Nothing
/// where it depends on an input, or on an operation that masks are not made of.
std::optional<double> known_element(const graph::Graph& graph, const graph::Operand& operand,
                                    const std::vector<int64_t>& at);

/// Whether a mask [batch…, queries, keys] is known to be true at keys up to the query's own place, and only
/// there.
/// @param hides true means the opposite
bool is_causal(const graph::Graph& graph, const graph::Operand& mask, bool hides);

}  // namespace tritonsmith::forge
