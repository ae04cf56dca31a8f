#include "plan/weights/redrawn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/ir/build.h"

namespace tritonsmith::plan {
namespace {

using testing::ElementsAre;
using B = Builder;

Tensor drawn(Builder& b, std::vector<int64_t> shape) {
    return b.make("aten::randn", B::args(B::list(shape)), shape, DType::f32, 0);
}

TEST(Redrawn, ParametersComputedFromOthersAndWhatTheTextStates) {
    Builder b("reference");
    b.phase(Phase::init);
    const Tensor q = drawn(b, {8});
    b.weight("q", q);
    b.weight("k", b.make("aten::clone", B::args(q), {8}));
    b.weight("cache", b.make("aten::reciprocal", B::args(q), {8}), false);
    b.weight("zero_point", b.make("aten::zeros", B::args(B::list({8})), {8}, DType::i32), false);
    b.weight("scale", b.make("aten::full", B::args(B::list({8}), 0.02), {8}), false);
    b.weight("table", b.make("aten::arange", B::args(8), {8}), false);
    const std::vector<WeightOrigin> origins = weight_origins(b.plan);
    EXPECT_THAT(redrawn_weights(b.plan, origins), ElementsAre(Redrawn::no, Redrawn::around, Redrawn::no,
                                                              Redrawn::other, Redrawn::around, Redrawn::no));
    EXPECT_EQ(origins[1].last, 1);
    EXPECT_THAT(redrawn_weights(b.plan, origins, false), testing::Each(Redrawn::no));
}

TEST(Redrawn, OneNumberHoweverItIsMadeAndIntegerParameters) {
    Builder b("reference");
    b.phase(Phase::init);
    const Tensor ones = b.make("aten::ones", B::args(B::list({8})), {8});
    b.weight("scale", b.make("aten::mul.Tensor", B::args(ones, 0.5), {8}), false);
    b.weight("zero_point", b.make("aten::full", B::args(B::list({8}), 8), {8}, DType::i32));
    b.weight("places", b.make("aten::arange", B::args(8), {8}, DType::i64));
    const std::vector<WeightOrigin> origins = weight_origins(b.plan);
    EXPECT_THAT(redrawn_weights(b.plan, origins), ElementsAre(Redrawn::around, Redrawn::other, Redrawn::no));
    EXPECT_THAT(redrawn_weights(b.plan, origins, false), testing::Each(Redrawn::no));
}

TEST(Redrawn, ParametersOfIntegersAreLinked) {
    const auto module = [](const char* role, const char* name) {
        Builder b(role);
        b.phase(Phase::init);
        b.weight(name, b.make("aten::arange", B::args(8), {8}, DType::i32));
        b.weight("other", drawn(b, {8}));
        b.phase(Phase::forward);
        b.make("aten::relu", B::args(b.plan.weights[0].tensor), {8}, DType::i32);
        return b.plan;
    };
    for (const char* name : {"places", "indices"}) {
        const Links links = link_weights(module("reference", "places"), module("candidate", name));
        EXPECT_TRUE(links.by_candidate.contains(name));
        EXPECT_TRUE(links.unlinked.empty());
    }
}

TEST(Redrawn, WhatHostCodeReadsStays) {
    Builder b("reference");
    b.phase(Phase::init);
    const Tensor count = b.make("aten::zeros", B::args(B::list({1})), {1}, DType::i64);
    b.weight("count", count, false);
    b.phase(Phase::forward);
    b.add(ReadStep{count, {0}});
    EXPECT_THAT(redrawn_weights(b.plan, weight_origins(b.plan)), ElementsAre(Redrawn::no));
}

TEST(Redrawn, DrawnParametersMayBeScaledOnce) {
    Builder b("reference");
    b.phase(Phase::init);
    const Tensor q = drawn(b, {8});
    b.weight("embedding", q);
    b.weight("head", q);
    b.weight("gain", b.make("aten::ones", B::args(B::list({8})), {8}));
    b.weight("noise", drawn(b, {8}), false);
    EXPECT_THAT(scalable_weights(b.plan, weight_origins(b.plan)), ElementsAre(0))
        << "tied weights, by the first";
}

TEST(Redrawn, AComputedParameterIsLinkedToOneThatIsComputedToo) {
    auto module = [](const char* role, bool computed) {
        Builder b(role);
        b.phase(Phase::init);
        const Tensor q = drawn(b, {8});
        b.weight("q", q);
        b.weight("k", computed ? b.make("aten::clone", B::args(q), {8}) : drawn(b, {8}));
        b.phase(Phase::forward);
        return b.plan;
    };
    const Plan reference = module("reference", true), drawn_apart = module("reference", false);
    EXPECT_TRUE(link_weights(reference, module("candidate", true)).by_candidate.contains("k"));
    EXPECT_FALSE(link_weights(drawn_apart, module("candidate", true)).by_candidate.contains("k"))
        << "what a constructor makes of a weight that is drawn goes on to be that";
}

}  // namespace
}  // namespace tritonsmith::plan
