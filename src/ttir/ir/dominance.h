#pragma once

#include <vector>

#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

/// The dominator tree of a region's blocks (Lengauer and Tarjan: A Fast Algorithm for Finding Dominators in a
/// Flowgraph, 1979, with simple path compression: edges · log blocks, whatever the graph).
struct Dominators {
    /// Successors must name blocks of the region.
    explicit Dominators(const Region& region);
    std::vector<std::vector<size_t>> children;  ///< of each block, in the tree
    std::vector<size_t> unreachable;            ///< from the entry block
};

}  // namespace tritonsmith::ttir
