#include "ttir/ir/dominance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace tritonsmith::ttir {
namespace {

Region graph(const std::vector<std::vector<int>>& edges) {
    Region region;
    for (const std::vector<int>& to : edges) {
        Operation& branch = region.blocks.emplace_back().operations.emplace_back();
        for (int target : to) branch.successors.push_back({target, {}});
    }
    return region;
}

std::set<int> reachable(const std::vector<std::vector<int>>& edges, int without) {
    std::set<int> seen;
    if (without == 0) return seen;
    std::vector<int> stack{0};
    while (!stack.empty()) {
        int at = stack.back();
        stack.pop_back();
        if (at == without || !seen.insert(at).second) continue;
        for (int next : edges[static_cast<size_t>(at)]) stack.push_back(next);
    }
    return seen;
}

/// By definition: a dominates b if b cannot be reached without a.
TEST(Dominators, AgreesWithTheDefinitionOnRandomGraphs) {
    std::mt19937 random(3);
    for (int round = 0; round < 300; ++round) {
        int count = 1 + static_cast<int>(random() % 12);
        std::vector<std::vector<int>> edges(static_cast<size_t>(count));
        for (auto& to : edges) {
            for (unsigned k = random() % 3; k > 0; --k)
                to.push_back(static_cast<int>(random() % static_cast<unsigned>(count)));
        }
        Dominators tree(graph(edges));
        std::set<int> all = reachable(edges, -1);
        for (size_t b = 0; b < edges.size(); ++b) {
            bool listed =
                std::find(tree.unreachable.begin(), tree.unreachable.end(), b) != tree.unreachable.end();
            EXPECT_EQ(listed, !all.contains(static_cast<int>(b)));
        }
        // Everything below a in the tree, and nothing else, is what a dominates.
        for (int a : all) {
            std::set<int> below, dominated, without = reachable(edges, a);
            std::vector<size_t> stack{static_cast<size_t>(a)};
            while (!stack.empty()) {
                size_t at = stack.back();
                stack.pop_back();
                below.insert(static_cast<int>(at));
                stack.insert(stack.end(), tree.children[at].begin(), tree.children[at].end());
            }
            for (int b : all) {
                if (!without.contains(b)) dominated.insert(b);
            }
            EXPECT_EQ(below, dominated) << "block " << a << " in round " << round;
        }
    }
}

TEST(Dominators, LongChainsAndManyEdges) {
    std::vector<std::vector<int>> edges(4096);
    for (int i = 0; i + 1 < 4096; ++i) edges[static_cast<size_t>(i)] = {i + 1, 4095, i / 2 + 1};
    Dominators tree(graph(edges));
    EXPECT_TRUE(tree.unreachable.empty());
    size_t total = 0;
    for (const auto& children : tree.children) total += children.size();
    EXPECT_EQ(total, 4095u);
}

}  // namespace
}  // namespace tritonsmith::ttir
