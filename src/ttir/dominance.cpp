#include "ttir/dominance.h"

#include <algorithm>

namespace tritonsmith::ttir {
namespace {

constexpr size_t kNone = static_cast<size_t>(-1);

const std::vector<Successor>& successors(const Block& block) {
    static const std::vector<Successor> none;
    return block.operations.empty() ? none : block.operations.back().successors;
}

/// Reachable blocks in reverse postorder.
std::vector<size_t> order_of(const Region& region) {
    std::vector<size_t> postorder;
    std::vector<char> seen(region.blocks.size(), 0);
    std::vector<std::pair<size_t, size_t>> stack{{0, 0}};
    seen[0] = 1;
    while (!stack.empty()) {
        auto& [block, next] = stack.back();
        const std::vector<Successor>& to = successors(region.blocks[block]);
        if (next == to.size()) {
            postorder.push_back(block);
            stack.pop_back();
            continue;
        }
        size_t target = static_cast<size_t>(to[next++].block);
        if (!seen.at(target)) {
            seen[target] = 1;
            stack.emplace_back(target, 0);
        }
    }
    std::reverse(postorder.begin(), postorder.end());
    return postorder;
}

}  // namespace

Dominators::Dominators(const Region& region) : children(region.blocks.size()) {
    if (region.blocks.empty()) return;
    std::vector<size_t> order = order_of(region);
    std::vector<size_t> number(region.blocks.size(), kNone), parent(region.blocks.size(), kNone);
    for (size_t i = 0; i < order.size(); ++i) number[order[i]] = i;
    std::vector<std::vector<size_t>> predecessors(region.blocks.size());
    for (size_t block : order) {
        for (const Successor& next : successors(region.blocks[block]))
            predecessors[next.block].push_back(block);
    }
    parent[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t block : order) {
            if (block == 0) continue;
            size_t dominator = kNone;
            for (size_t other : predecessors[block]) {
                if (parent[other] == kNone) continue;
                if (dominator == kNone) dominator = other;
                while (dominator != other) {
                    while (number[other] > number[dominator]) other = parent[other];
                    while (number[dominator] > number[other]) dominator = parent[dominator];
                }
            }
            if (parent[block] != dominator) parent[block] = dominator, changed = true;
        }
    }
    for (size_t block = 1; block < region.blocks.size(); ++block) {
        if (number[block] == kNone) {
            unreachable.push_back(block);
        } else {
            children[parent[block]].push_back(block);
        }
    }
}

}  // namespace tritonsmith::ttir
