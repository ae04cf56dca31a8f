#include "ttir/ir/dominance.h"

#include <algorithm>

namespace tritonsmith::ttir {
namespace {

constexpr size_t kNone = static_cast<size_t>(-1);

const std::vector<Successor>& successors(const Block& block) {
    static const std::vector<Successor> none;
    return block.operations.empty() ? none : block.operations.back().successors;
}

/// Blocks are renamed to their depth-first number; all arrays are indexed by it.
class LengauerTarjan {
  public:
    explicit LengauerTarjan(const Region& region) : number(region.blocks.size(), kNone) {
        search(region);
        size_t count = block.size();
        semi_.resize(count);
        label_.resize(count);
        ancestor_.assign(count, kNone);
        dominator.assign(count, 0);
        for (size_t v = 0; v < count; ++v) semi_[v] = label_[v] = v;
        std::vector<std::vector<size_t>> predecessors(count), bucket(count);
        for (size_t v = 0; v < count; ++v) {
            for (const Successor& next : successors(region.blocks[block[v]])) {
                predecessors[number[static_cast<size_t>(next.block)]].push_back(v);
            }
        }
        for (size_t w = count; w-- > 1;) {
            for (size_t v : predecessors[w]) semi_[w] = std::min(semi_[w], semi_[least(v)]);
            bucket[semi_[w]].push_back(w);
            size_t parent = parent_[w];
            ancestor_[w] = parent;
            for (size_t v : bucket[parent]) {
                size_t u = least(v);
                dominator[v] = semi_[u] < semi_[v] ? u : parent;
            }
            bucket[parent].clear();
        }
        for (size_t w = 1; w < count; ++w) {
            if (dominator[w] != semi_[w]) dominator[w] = dominator[dominator[w]];
        }
    }

    std::vector<size_t> number;     ///< of each block; kNone: unreachable
    std::vector<size_t> block;      ///< of each number
    std::vector<size_t> dominator;  ///< immediate, by number; the entry's is itself

  private:
    void search(const Region& region) {
        std::vector<std::pair<size_t, size_t>> stack;  // block, next successor
        auto enter = [&](size_t b, size_t parent) {
            number[b] = block.size();
            block.push_back(b);
            parent_.push_back(parent);
            stack.emplace_back(b, 0);
        };
        enter(0, 0);
        while (!stack.empty()) {
            size_t from = stack.back().first;
            const std::vector<Successor>& to = successors(region.blocks[from]);
            if (stack.back().second == to.size()) {
                stack.pop_back();
                continue;
            }
            size_t target = static_cast<size_t>(to[stack.back().second++].block);
            if (number.at(target) == kNone) enter(target, number[from]);
        }
    }

    /// The vertex of least semidominator on the path from v up to (not including) its tree's root, with path
    /// compression.
    size_t least(size_t v) {
        if (ancestor_[v] == kNone) return label_[v];
        path_.clear();
        for (size_t u = v; ancestor_[ancestor_[u]] != kNone; u = ancestor_[u]) path_.push_back(u);
        while (!path_.empty()) {
            size_t u = path_.back(), above = ancestor_[u];
            path_.pop_back();
            if (semi_[label_[above]] < semi_[label_[u]]) label_[u] = label_[above];
            ancestor_[u] = ancestor_[above];
        }
        return label_[v];
    }

    std::vector<size_t> parent_, semi_, label_, ancestor_, path_;
};

}  // namespace

Dominators::Dominators(const Region& region) : children(region.blocks.size()) {
    if (region.blocks.empty()) return;
    LengauerTarjan tree(region);
    for (size_t v = 1; v < tree.block.size(); ++v)
        children[tree.block[tree.dominator[v]]].push_back(tree.block[v]);
    for (size_t b = 0; b < region.blocks.size(); ++b) {
        if (tree.number[b] == kNone) unreachable.push_back(b);
    }
}

}  // namespace tritonsmith::ttir
