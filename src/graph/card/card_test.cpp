#include "graph/card/card.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/card/fold.h"
#include "graph/card/signature.h"
#include "graph/card/state.h"
#include "plan/ir/build.h"

namespace tritonsmith::graph {
namespace {

using plan::Builder;
using plan::Tensor;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

plan::Weight entry(const std::string& name, std::vector<int64_t> shape, bool parameter = true) {
    plan::Weight out{name, {}, parameter};
    out.tensor.shape = std::move(shape);
    return out;
}

TEST(Signature, IsThatOfTheTasksClass) {
    const Signatures found = signatures_of(
        "class Other:\n    def __init__(self, wrong): pass\n"
        "class Model(nn.Module):\n"
        "    def __init__(self, dim: int, heads: int = 4,\n                 scale=0.5, *, bias=True, "
        "**more):\n"
        "        pass\n"
        "    def forward(self, x, mask=None):\n"
        "        h = self.fc(\n            x)\n"
        "        h[:, 0] += 1\n        a, b = h.chunk(2)\n        return a\n",
        "Model");
    EXPECT_EQ(found.forward.text(), "x, mask=None");
    EXPECT_THAT(found.constructor.text(), HasSubstr("dim, heads=4, scale=0.5"));
    EXPECT_THAT(found.constructor.text(), HasSubstr("bias=True"));
    EXPECT_THAT(found.names.inputs, ElementsAre("x", "mask"));
    EXPECT_EQ(found.names.lines.at(8), "h");
    EXPECT_EQ(found.names.lines.at(9), "h");
    EXPECT_EQ(found.names.lines.at(11), "a");
    EXPECT_FALSE(found.names.lines.contains(12));
}

TEST(State, GroupsTensorsOfAModuleAndModulesByNumber) {
    EXPECT_THAT(state_lines({entry("a.0.w", {2}), entry("a.0.b", {2}), entry("a.1.w", {2}),
                             entry("a.1.b", {2}), entry("a.3.w", {2}), entry("n", {}, false)}),
                ElementsAre("a.{0..1}.{w,b} f32[2]", "a.3.w f32[2]", "n* f32[]"));
    EXPECT_THAT(state_lines({entry("l0.fc.w", {2, 3}), entry("l0.fc.b", {2}), entry("l1.fc.w", {2, 3}),
                             entry("l1.fc.b", {2})}),
                ElementsAre("l{0..1}.fc.{w f32[2,3], b f32[2]}"));
    EXPECT_THAT(state_lines({entry("a.0.b1.w", {2}), entry("a.0.b2.w", {2}), entry("a.1.b1.w", {2}),
                             entry("a.1.b2.w", {2})}),
                ElementsAre("a.{0..1}.b{1..2}.w f32[2]"));
}

TEST(Fold, PatternsCountByOneStep) {
    EXPECT_EQ(pattern_of({"l.0.w", "l.1.w", "l.2.w"}), "l.{i}.w");
    EXPECT_EQ(pattern_of({"l1.3.w", "l1.5.w"}), "l1.{2i+3}.w");
    EXPECT_EQ(pattern_of({"l.0.w", "l.1.w", "l.3.w"}), "");
    EXPECT_EQ(pattern_of({"l.0.w", "m.1.w"}), "");
}

/// relu, then `rounds` times y = relu(y * w_i) (with the first y added again where `residual`), then exp.
Builder chain(int rounds, bool residual) {
    Builder b("reference");
    const Tensor x = b.input({4});
    std::vector<Tensor> weights;
    for (int i = 0; i < rounds; ++i) {
        weights.push_back(b.fresh({4}));
        b.weight("layers." + std::to_string(i) + ".scale", weights.back());
    }
    const Tensor first = b.make("aten::sigmoid", Builder::args(x), {4});
    Tensor y = first;
    for (const Tensor& weight : weights) {
        y = b.make("aten::mul.Tensor", Builder::args(y, weight), {4});
        if (residual) y = b.make("aten::add.Tensor", Builder::args(y, first), {4});
        y = b.make("aten::relu", Builder::args(y), {4});
    }
    b.plan.output = {b.make("aten::exp", Builder::args(y), {4})};
    return b;
}
const char* const kTask = "class Model:\n  def __init__(self): pass\n  def forward(self, x): pass\n";

TEST(Card, FoldsRepeatedBlocksAndSaysWhatTheyHandOn) {
    const Card card = describe(kTask, "Model", chain(5, false).plan);
    EXPECT_FALSE(card.refusal);
    EXPECT_EQ(
        card.text,
        "class Model()\nforward(x)\n  x: f32[4]\nstate (* buffer)\n  layers.{0..4}.scale f32[4]\noperators\n"
        "  %0 = sigmoid(x)\n"
        "  repeat 5, i from 0, then %0 := %2:\n"
        "    %1 = %0 * layers.{i}.scale\n"
        "    %2 = relu(%1)\n"
        "  %11 = exp(%2)\n"
        "return %11 f32[4]\n");
    EXPECT_EQ(card.json["operators"].size(), 12U) << "every operator, unfolded";
}

TEST(Card, DoesNotFoldWhatReadsBothTheFirstAndTheLastRound) {
    const Card card = describe(kTask, "Model", chain(3, true).plan);
    EXPECT_THAT(card.text, Not(HasSubstr("repeat 3")));  // %0 would be two things in the first round
}

TEST(Card, IsTheSameEveryTime) {
    const plan::Plan plan = chain(7, false).plan;
    EXPECT_EQ(describe(kTask, "Model", plan).text, describe(kTask, "Model", plan).text);
}

TEST(Card, SaysWhichOperatorItDoesNotKnow) {
    Builder b("reference");
    const Tensor x = b.input({4});
    b.plan.output = {b.make("aten::nonzero", Builder::args(x), {4, 1})};
    const Card card = describe(kTask, "Model", b.plan);
    ASSERT_TRUE(card.refusal);
    EXPECT_THAT(card.text, HasSubstr("operators not known: line 10: aten::nonzero"));
}

}  // namespace
}  // namespace tritonsmith::graph
