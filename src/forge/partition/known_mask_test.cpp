#include "forge/partition/known_mask.h"

#include <gtest/gtest.h>

namespace tritonsmith::forge {
namespace {

using graph::ScalarOp;

/// A mask [queries, keys] that compares a key's place with its query's.
graph::Operand mask(graph::Graph& graph, ScalarOp op, int64_t queries, int64_t keys) {
    graph::Pointwise kind;
    const int query = kind.body.index(graph::Index::axis(0)), key = kind.body.index(graph::Index::axis(1));
    kind.body.apply(op, {key, query}, graph::DType::b1);
    return graph.whole(graph.add({kind, {}, {}, -1, 0, "aten::mask"}, {{graph::DType::b1, {queries, keys}}}));
}

TEST(KnownMask, IsCausalWhereKeysUpToTheQueryTakePart) {
    graph::Graph graph;
    EXPECT_TRUE(is_causal(graph, mask(graph, ScalarOp::le, 8, 8), false));
    EXPECT_TRUE(is_causal(graph, mask(graph, ScalarOp::gt, 5, 9), true));
    EXPECT_FALSE(is_causal(graph, mask(graph, ScalarOp::lt, 8, 8), false));
    EXPECT_FALSE(is_causal(graph, mask(graph, ScalarOp::le, 8, 8), true));
}

TEST(KnownMask, OfAnInputNothingIsKnown) {
    graph::Graph graph;
    const graph::Operand input =
        graph.whole(graph.add({graph::Input{}, {}, {}, -1, 0, ""}, {{graph::DType::b1, {4, 4}}}));
    EXPECT_FALSE(known_element(graph, input, {0, 0}));
    EXPECT_FALSE(is_causal(graph, input, false));
}

}  // namespace
}  // namespace tritonsmith::forge
