#include "plan/analysis/exact.h"

#include <gtest/gtest.h>

#include "plan/ir/build.h"

namespace tritonsmith::plan {
namespace {

using B = Builder;

AtenStep step(const std::string& op, List args = {}, std::vector<std::pair<std::string, Value>> kwargs = {},
              Value result = {}) {
    return {op, std::move(args), std::move(kwargs), std::move(result)};
}

TEST(Exact, WhatMovesComparesAndChoosesRoundsNothing) {
    for (const char* op :
         {"aten::relu", "aten::relu_", "aten::view", "aten::cat", "aten::argmax", "aten::gt.Scalar",
          "aten::floor", "aten::where.self", "aten::max_pool2d_with_indices"})
        EXPECT_TRUE(exact(op)) << op;
    for (const char* op : {"aten::add.Tensor", "aten::mm", "aten::exp_", "aten::sum.dim_IntList",
                           "aten::frac", "aten::index_add", "aten::_softmax"})
        EXPECT_FALSE(exact(op)) << op;
}

TEST(Exact, RoundingToIntegersIsSeenInCastsAsWell) {
    const Tensor x = B::contiguous(0, DType::f32, {4}), q = B::contiguous(1, DType::i8, {4}),
                 h = B::contiguous(2, DType::f16, {4});
    EXPECT_TRUE(rounds_to_integers(step("aten::round", {{x}}, {}, {x})));
    EXPECT_TRUE(rounds_to_integers(step("aten::floor_", {{x}}, {}, {x})));
    EXPECT_TRUE(rounds_to_integers(step("aten::_to_copy", {{x}}, {}, {q})));
    EXPECT_TRUE(rounds_to_integers(step("aten::copy_", {{q}, {x}}, {}, {q})));
    EXPECT_FALSE(rounds_to_integers(step("aten::_to_copy", {{x}}, {}, {h})));
    EXPECT_FALSE(rounds_to_integers(step("aten::_to_copy", {{q}}, {}, {x})));
}

TEST(Exact, TheFirstOfEqualElementsIsPromisedBySome) {
    EXPECT_TRUE(chooses("aten::argmax"));
    EXPECT_TRUE(chooses("aten::max.dim"));
    EXPECT_FALSE(chooses("aten::max"));
    EXPECT_TRUE(chooses("aten::topk"));
    EXPECT_FALSE(chooses_any(step("aten::argmax")));
    EXPECT_TRUE(chooses_any(step("aten::topk")));
    EXPECT_TRUE(chooses_any(step("aten::sort")));
    EXPECT_FALSE(chooses_any(step("aten::sort.stable", {}, {{"stable", {true}}})));
}

TEST(Exact, PlansThatDecide) {
    B add("reference");
    const Tensor x = add.input({4});
    add.make("aten::add.Tensor", B::args(x, x), {4});
    EXPECT_FALSE(decides(add.plan));
    B compare("reference");
    const Tensor y = compare.input({4});
    compare.make("aten::gt.Scalar", B::args(y, 0.5), {4}, DType::b1);
    EXPECT_TRUE(decides(compare.plan));
    EXPECT_FALSE(chooses(compare.plan));
    B best("reference");
    const Tensor z = best.input({4});
    best.make("aten::argmax", B::args(z), {}, DType::i64);
    EXPECT_TRUE(chooses(best.plan));
    for (const DType type : {DType::f32, DType::bf16}) {
        B attention("reference");
        const Tensor q = attention.input({1, 1, 4, 4}, type);
        attention.make("aten::_scaled_dot_product_flash_attention_for_cpu", B::args(q, q, q), {1, 1, 4, 4},
                       type);
        EXPECT_EQ(decides(attention.plan), type == DType::bf16) << "rounded queries choose between keys";
    }
}

TEST(Exact, PlansThatWorkWithWhatTheyChose) {
    B places("reference");
    const Tensor x = places.input({4, 8}), rows = places.input({8, 4});
    const Tensor best = places.make("aten::argmax", B::args(x, 1), {4}, DType::i64);
    EXPECT_FALSE(works_with_choices(places.plan)) << "they are the result";
    places.make("aten::embedding", B::args(rows, best), {4, 4});
    EXPECT_TRUE(works_with_choices(places.plan));
    B largest("reference");
    const Tensor y = largest.input({4});
    const Tensor m = largest.make("aten::amax", B::args(y), {1});
    largest.make("aten::sub.Tensor", B::args(y, m), {4});
    EXPECT_FALSE(works_with_choices(largest.plan));
}

TEST(Exact, LogarithmsOfWhatIsComputed) {
    B given("reference");
    const Tensor x = given.input({4});
    given.make("aten::log", B::args(x), {4});
    EXPECT_FALSE(takes_computed_logarithms(given.plan));
    B computed("reference");
    const Tensor y = computed.input({4});
    const Tensor p = computed.make("aten::sigmoid", B::args(y), {4});
    EXPECT_FALSE(takes_computed_logarithms(computed.plan));
    computed.make("aten::binary_cross_entropy", B::args(p, y, Value{}, 0), {4});
    EXPECT_TRUE(takes_computed_logarithms(computed.plan));
}

TEST(Exact, AnglesThatAreComputed) {
    B given("reference");
    const Tensor x = given.input({4});
    given.make("aten::sin", B::args(x), {4});
    EXPECT_FALSE(turns_computed_angles(given.plan));
    B computed("reference");
    const Tensor y = computed.input({4});
    const Tensor angle = computed.make("aten::mul.Tensor", B::args(y, y), {4});
    computed.make("aten::cos", B::args(angle), {4});
    EXPECT_TRUE(turns_computed_angles(computed.plan));
}

}  // namespace
}  // namespace tritonsmith::plan
