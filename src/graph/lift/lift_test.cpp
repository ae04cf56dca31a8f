#include "graph/lift.h"

#include <gtest/gtest.h>

#include <cmath>

#include "graph/text.h"
#include "plan/ir/build.h"

namespace tritonsmith::graph {
namespace {

using plan::Builder;
using plan::Tensor;

Graph lifted(const Builder& builder, const Names& names = {}) {
    std::variant<Graph, Refusal> out = lift(builder.plan, names);
    if (const auto* refused = std::get_if<Refusal>(&out)) throw std::runtime_error(refused->text());
    EXPECT_EQ(check(std::get<Graph>(out)), "");
    return std::get<Graph>(out);
}
/// The graph's text after its leaves.
std::string body(const Graph& graph) {
    std::string out;
    const Notation notation(graph, labels_of(graph));
    for (const Node& node : graph.nodes)
        if (!is_leaf(node)) out += notation.line(node) + "\n";
    for (const Output& output : graph.outputs) out += "return " + notation.operand(output.operand) + "\n";
    for (const Update& update : graph.updates)
        out += "update " + notation.label(update.leaf) + " = " + notation.operand(update.now) + "\n";
    return out;
}
Tensor view(Tensor of, std::vector<int64_t> shape, std::vector<int64_t> stride, int64_t offset = 0) {
    of.shape = std::move(shape);
    of.stride = std::move(stride);
    of.offset += offset;
    return of;
}

TEST(Lift, AnOperatorBecomesANodeWithTheTasksNames) {
    Builder b("reference");
    const Tensor x = b.input({2, 3});
    b.plan.output = {b.make("aten::relu", Builder::args(x), {2, 3})};
    Names names{{"x"}, {{b.line() - 1, "h"}}};
    EXPECT_EQ(body(lifted(b, names)), "h = relu(x) : f32[2,3]\nreturn h\n");
}

TEST(Lift, ViewsAndCopiesAreIndexMaps) {
    Builder b("reference");
    const Tensor x = b.input({4, 6});
    const Tensor t = b.op("aten::t", Builder::args(x), view(x, {6, 4}, {1, 6}));
    const Tensor c = b.make("aten::clone", Builder::args(t), {6, 4});
    const Tensor flat = b.op("aten::view", {{c}, Builder::list({24})}, view(c, {24}, {1}));
    const Tensor flipped = b.make("aten::flip", {{flat}, Builder::list({0})}, {24});
    b.plan.output = {b.make("aten::exp", Builder::args(flipped), {24})};
    const Graph graph = lifted(b);
    EXPECT_EQ(graph.nodes.size(), 2U);
    const IndexMap& map = graph.nodes[1].operands[0].view;
    for (int64_t i = 0; i < 24; ++i) {
        EXPECT_EQ(map.index[0].at({i}), (23 - i) % 4);
        EXPECT_EQ(map.index[1].at({i}), (23 - i) / 4);
    }
}

TEST(Lift, CastsBelongToTheOperand) {
    Builder b("reference");
    const Tensor x = b.input({8});
    const Tensor half = b.make("aten::_to_copy", Builder::args(x), {8}, plan::DType::bf16);
    b.plan.output = {b.make("aten::neg", Builder::args(half), {8}, plan::DType::bf16)};
    EXPECT_EQ(body(lifted(b)), "%0 = -bf16(input0) : bf16[8]\nreturn %0\n");
}

TEST(Lift, AWriteInPlaceMakesANewValueForAllItsReaders) {
    Builder b("reference");
    const Tensor x = b.input({2, 3});
    const Tensor h = b.make("aten::exp", Builder::args(x), {2, 3});
    const Tensor row = view(h, {3}, {1}, 3);
    b.op("aten::select.int", Builder::args(h, 0, 1), row);
    b.op("aten::mul_.Tensor", Builder::args(row, 2), row);
    b.plan.output = {b.make("aten::neg", Builder::args(h), {2, 3})};
    EXPECT_EQ(body(lifted(b)),
              "%0 = exp(input0) : f32[2,3]\n"
              "%1 = %0[1, i0] * 2.0 : f32[3]\n"
              "%2 = where(i0 == 1, %1[i1]?0, %0) : f32[2,3]\n"
              "%3 = -%2 : f32[2,3]\nreturn %3\n");
}

TEST(Lift, ChangedInputsAndStateAreUpdates) {
    Builder b("reference");
    const Tensor x = b.input({4});
    const Tensor count = b.fresh({}, plan::DType::i64);
    b.weight("count", count, false);
    b.op("aten::add_.Tensor", Builder::args(count, 1), count);
    b.op("aten::relu_", Builder::args(x), x);
    b.plan.output = {x};
    EXPECT_EQ(body(lifted(b)),
              "%0 = count + 1 : i64[]\n%1 = relu(input0) : f32[4]\nreturn %1\n"
              "update input0 = %1\nupdate count = %0\n");
}

TEST(Lift, ALinearLayerIsAContractionWithAnAddend) {
    Builder b("reference");
    const Tensor x = b.input({2, 4, 8}), w = b.fresh({3, 8}), bias = b.fresh({3});
    b.weight("fc.weight", w);
    b.weight("fc.bias", bias);
    const Tensor rows = b.op("aten::view", {{x}, Builder::list({8, 8})}, view(x, {8, 8}, {8, 1}));
    const Tensor wt = b.op("aten::t", Builder::args(w), view(w, {8, 3}, {1, 8}));
    b.plan.output = {b.make("aten::addmm", Builder::args(bias, rows, wt), {8, 3})};
    EXPECT_EQ(body(lifted(b)), "%0 = linear(input0.view(8,8), fc.weight, fc.bias) : f32[8,3]\nreturn %0\n");
}

TEST(Lift, WhatHasNoRuleIsRefusedWithOperatorAndLine) {
    Builder b("reference");
    const Tensor x = b.input({4});
    const int line = b.line();
    b.plan.output = {b.make("aten::nonzero", Builder::args(x), {4, 1})};
    const auto out = lift(b.plan);
    ASSERT_TRUE(std::holds_alternative<Refusal>(out));
    EXPECT_EQ(std::get<Refusal>(out).op, "aten::nonzero");
    EXPECT_EQ(std::get<Refusal>(out).line, line);
}

TEST(Lift, RandomNumbersAndForeignBitsAreRefused) {
    Builder b("reference");
    const Tensor x = b.input({4});
    b.plan.output = {b.make("aten::randn_like", Builder::args(x), {4}, plan::DType::f32, 0)};
    EXPECT_TRUE(std::holds_alternative<Refusal>(lift(b.plan)));
    Builder c("reference");
    const Tensor y = c.input({4});
    Tensor bits = y;
    bits.dtype = plan::DType::i32;
    c.plan.output = {c.op("aten::view.dtype", Builder::args(y, Builder::dtype(plan::DType::i32)), bits)};
    EXPECT_TRUE(std::holds_alternative<Refusal>(lift(c.plan)));
}

TEST(Lift, AtLeastAHundredAndFiftyOperatorsHaveRules) {
    EXPECT_GE(lifted_operators().size(), 150U);
}

}  // namespace
}  // namespace tritonsmith::graph
