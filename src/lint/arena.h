#pragma once

#include <cstddef>

namespace tritonsmith::lint {

/// Memory of one parse. While a Scope lives, whatever tree-sitter allocates on this thread comes from a
/// region that the thread keeps: allocation is an addition, nothing is given back one by one, and what a tree
/// is made of lies together. All of it is gone when the outermost Scope ends. Elsewhere tree-sitter's memory
/// is malloc's.
class ArenaScope {
  public:
    ArenaScope();
    ~ArenaScope();
    ArenaScope(const ArenaScope&) = delete;
    ArenaScope& operator=(const ArenaScope&) = delete;

    /// Whether everything since the outermost Scope began lies in the region. If not (4 GiB were used, or
    /// address space is short), the rest is malloc's and must be given back with tree-sitter's own functions.
    static bool holds_everything();
};

}  // namespace tritonsmith::lint
