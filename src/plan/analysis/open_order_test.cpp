#include "plan/analysis/open_order.h"

#include <gtest/gtest.h>

#include "plan/analysis/arg_scores.h"
#include "plan/ir/build.h"

namespace tritonsmith::plan {
namespace {

using B = Builder;

struct TopK {
    B b{"reference"};
    Tensor x = b.input({4, 8});
    Tensor scores = b.make("aten::tanh", B::args(x), {4, 8});
    Tensor values = b.fresh({4, 3}), places = b.fresh({4, 3}, DType::i64);

    TopK() { b.add(AtenStep{"aten::topk", B::args(scores, 3, -1), {}, B::tensors({values, places})}); }
    Tensor gathered(const Tensor& from, int dimension) {
        return b.make("aten::gather", B::args(from, dimension, places), {4, 3});
    }
    bool reaches(const std::vector<Tensor>& outputs) {
        b.plan.output = B::tensors(outputs);
        return open_order_reaches_results(b.plan);
    }
};

TEST(OpenOrder, ValuesAndPlacesThatCanBeLookedUp) {
    TopK t;
    EXPECT_FALSE(t.reaches({t.values}));
    EXPECT_FALSE(t.reaches({t.values, t.places}));
    const std::vector<ArgScores> found = arg_scores(t.b.plan);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_TRUE(found[0].open);
    EXPECT_EQ(found[0].scores.buffer, t.scores.buffer);
    EXPECT_EQ(found[0].dimension, 1);
}

TEST(OpenOrder, WhatFollowsFromPlaces) {
    TopK t;
    EXPECT_FALSE(t.reaches({t.gathered(t.scores, 1)})) << "the values";
    EXPECT_TRUE(t.reaches({t.gathered(t.scores, 0)})) << "rows that the places do not count";
    EXPECT_TRUE(t.reaches({t.gathered(t.x, -1)})) << "another tensor";
    const Tensor even = t.b.make("aten::remainder.Scalar", B::args(t.places, 2), {4, 3}, DType::i64);
    EXPECT_TRUE(t.reaches({even}));
    EXPECT_FALSE(t.reaches({t.values})) << "nobody reads it";
    t.b.op("aten::relu_", B::args(t.scores), t.scores);
    EXPECT_TRUE(t.reaches({t.gathered(t.scores, 1)})) << "changed since";
    EXPECT_TRUE(t.reaches({t.places})) << "cannot be looked up any more";
}

TEST(OpenOrder, AStableOrderIsNotOpen) {
    B b("reference");
    const Tensor x = b.input({8}), values = b.fresh({8}), places = b.fresh({8}, DType::i64);
    AtenStep step{
        "aten::sort.stable", B::args(x), {{"stable", B::value(true)}}, B::tensors({values, places})};
    EXPECT_FALSE(places_in_open_order(step));
    step.kwargs.clear();
    const auto named = places_in_open_order(step);
    ASSERT_TRUE(named);
    EXPECT_EQ(named->places.buffer, places.buffer);
    EXPECT_EQ(named->dimension, 0);
    step.result = B::value(values);
    EXPECT_FALSE(places_in_open_order(step)) << "msort";
}

}  // namespace
}  // namespace tritonsmith::plan
