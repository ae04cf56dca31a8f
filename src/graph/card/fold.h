#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "graph/text.h"

namespace tritonsmith::graph {

/// `length` consecutive lines from `first` that are the same `count` times in a row, but for the weights'
/// numbers and for what one round hands to the next.
struct Block {
    size_t first = 0, length = 1;
    int64_t count = 1;  ///< 1: a line that is not repeated
    /// Values that are other ones from the second round on: what the first round reads → what a later one
    /// does, as the round before it made it.
    std::map<int, int> carried;
    /// Weights' names, by their name in the first round: "blocks.{i}.fc.weight", i from 0.
    std::map<std::string, std::string> weights;
};

/// @param lines indices of the nodes that are listed, in order
std::vector<Block> folded(const Graph& graph, const std::vector<size_t>& lines);

/// "blocks.{i}.fc" for names whose numbers are the same or go up by one step; "" where they do not.
std::string pattern_of(const std::vector<std::string>& names);

}  // namespace tritonsmith::graph
