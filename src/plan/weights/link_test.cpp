#include "plan/weights/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/ir/build.h"
#include "plan/ir/validate.h"

namespace tritonsmith::plan {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

using B = Builder;

/// A module under construction: each weight as torch.nn makes it.
struct Module : B {
    int draws = 0;
    explicit Module(const std::string& role) : B(role) { phase(Phase::init); }

    Tensor drawn(std::vector<int64_t> shape) {
        Tensor w = make("aten::empty.memory_format", args(list(shape)), shape);
        return op("aten::uniform_", args(w, -1.0, 1.0), w, draws++);
    }
    Tensor filled(const char* factory, std::vector<int64_t> shape) {
        return make(factory, args(list(shape)), shape);
    }
    Tensor parameter(const std::string& name, const Tensor& tensor) {
        weight(name, tensor);
        return tensor;
    }
    /// The call: reads these tensors.
    Plan called(const std::vector<Tensor>& used) {
        phase(Phase::forward);
        Tensor y = make("aten::empty.memory_format", args(list({4})), {4});
        List arguments;
        for (const Tensor& tensor : used) arguments.push_back({tensor});
        arguments.push_back({y});
        launch(arguments);
        plan.output = {y};
        auto wrong = validate(plan);
        EXPECT_FALSE(wrong) << wrong->message;
        return plan;
    }
};

// ---- origins

TEST(Origin, AKernelThatOnlyReadsAWeightLeavesItsLaw) {
    Module m("candidate");
    Tensor w = m.drawn({8, 4}), v = m.drawn({8, 4});  // steps 0 to 3
    m.parameter("w", w);
    m.parameter("v", v);
    Tensor folded = m.make("aten::empty.memory_format", B::args(B::list({8, 4})), {8, 4});
    m.launch(B::args(w, v, folded));
    Plan plan = m.called({folded});
    EXPECT_EQ(weight_origins(plan)[0].law, Law::derived) << "nothing is known of the kernel: it may write";
    KernelEffects effects(plan.kernels.size());
    effects[0] = {
        {.reads = true, .writes = false}, {.reads = true, .writes = false}, {.reads = false, .writes = true}};
    WeightOrigin origin = weight_origins(plan, effects)[0];
    EXPECT_EQ(origin.law, Law::random);
    EXPECT_THAT(origin.writes, testing::Contains(1));
}

TEST(Origin, LawsAndInitialisingWrites) {
    Module m("reference");
    Tensor w = m.drawn({8, 4});                                                       // steps 0, 1
    Tensor gamma = m.filled("aten::ones", {8}), beta = m.filled("aten::zeros", {8});  // 2, 3
    Tensor raw = m.make("aten::randn", B::args(B::list({8})), {8}, DType::f32, 1);    // 4
    Tensor scaled = m.make("aten::mul.Tensor", B::args(raw, 0.02), {8});              // 5
    Tensor half = m.make("aten::full", B::args(B::list({1}), 0.5), {1});              // 6
    Tensor packed = m.make("aten::clone", B::args(w), {8, 4});                        // 7
    Tensor table = m.constant({8});
    Tensor cast = m.make("aten::_to_copy", B::args(gamma), {8}, DType::f16);  // 8
    Tensor later = m.filled("aten::zeros", {8});                              // 9
    m.op("aten::fill_.Scalar", B::args(later, 1.0), later);                   // 10
    for (auto& [name, tensor] : std::vector<std::pair<std::string, Tensor>>{{"w", w},
                                                                            {"beta", beta},
                                                                            {"scaled", scaled},
                                                                            {"half", half},
                                                                            {"packed", packed},
                                                                            {"table", table},
                                                                            {"cast", cast},
                                                                            {"later", later}})
        m.parameter(name, tensor);
    std::vector<WeightOrigin> origins = weight_origins(m.called({w}));
    auto expect = [&](size_t i, Law law, std::vector<int> writes, int draw) {
        EXPECT_EQ(origins[i].law, law) << i;
        EXPECT_EQ(origins[i].writes, writes) << i;
        EXPECT_EQ(origins[i].draw, draw) << i;
    };
    expect(0, Law::random, {1}, 0);
    expect(1, Law::zeros, {3}, -1);
    expect(2, Law::random, {5}, 1);
    expect(3, Law::constant, {6}, -1);
    expect(4, Law::derived, {}, 0);
    expect(5, Law::constant, {}, -1);
    expect(6, Law::ones, {8}, -1);
    expect(7, Law::ones, {9, 10}, -1);
}

TEST(Origin, InPlaceInitialisationIsNoDerivation) {
    Module m("reference");
    Tensor w = m.drawn({8});                        // 0, 1
    m.op("aten::erfinv_", B::args(w), w);           // 2
    m.op("aten::mul_.Tensor", B::args(w, 0.5), w);  // 3
    m.parameter("w", w);
    std::vector<WeightOrigin> origins = weight_origins(m.called({w}));
    EXPECT_EQ(origins[0].law, Law::random);
    EXPECT_THAT(origins[0].writes, ElementsAre(1, 2, 3));
}

TEST(Origin, TiedAndFlattenedWeights) {
    Module m("reference");
    Tensor first = m.drawn({4}), second = m.drawn({4});                                           // 0..3
    Tensor flat = m.make("aten::_cudnn_rnn_flatten_weight", {B::tensors({first, second})}, {8});  // 4
    Tensor low = flat, high = flat;
    low.shape = high.shape = {4};
    high.offset = 4;
    m.parameter("weight_ih", low);
    m.parameter("weight_hh", high);
    m.parameter("tied", low);
    std::vector<WeightOrigin> origins = weight_origins(m.called({low, high}));
    for (const WeightOrigin& origin : origins) {
        EXPECT_EQ(origin.law, Law::random);
        EXPECT_THAT(origin.writes, ElementsAre(4));
    }
}

TEST(Origin, AnotherWeightsValueMakesItDerivedWhateverItsOrder) {
    Module m("candidate");
    Tensor w = m.drawn({8});
    Tensor copy = m.filled("aten::zeros", {8});
    m.op("aten::copy_", B::args(copy, w), copy);
    m.parameter("copy", copy);
    m.parameter("w", w);
    std::vector<WeightOrigin> origins = weight_origins(m.called({w, copy}));
    EXPECT_EQ(origins[0].law, Law::derived);
    EXPECT_THAT(origins[0].writes, IsEmpty());
    EXPECT_EQ(origins[1].law, Law::random);
}

// ---- links

Plan linear_reference() {
    Module m("reference");
    Tensor w = m.parameter("linear.weight", m.drawn({8, 4}));
    Tensor b = m.parameter("linear.bias", m.drawn({8}));
    return m.called({w, b});
}

TEST(Link, ByName) {
    Module m("candidate");
    Tensor b = m.parameter("linear.bias", m.drawn({8}));  // in another order
    Tensor w = m.parameter("linear.weight", m.drawn({8, 4}));
    Links links = link_weights(linear_reference(), m.called({w, b}));
    EXPECT_THAT(links.by_candidate, testing::IsSupersetOf({Pair("linear.weight", "linear.weight"),
                                                           Pair("linear.bias", "linear.bias")}));
    EXPECT_THAT(links.unlinked, IsEmpty());
    EXPECT_THAT(links.unused, IsEmpty());
    EXPECT_FALSE(links.ambiguous);
}

TEST(Link, ByShapeWhereNamesDiffer) {
    Module m("candidate");
    Tensor w = m.parameter("weight", m.drawn({8, 4}));
    Tensor b = m.parameter("bias_vector", m.drawn({1, 8, 1}));  // sizes of 1 do not matter
    Links links = link_weights(linear_reference(), m.called({w, b}));
    EXPECT_THAT(links.by_candidate,
                UnorderedElementsAre(Pair("weight", "linear.weight"), Pair("bias_vector", "linear.bias")));
    EXPECT_FALSE(links.ambiguous);
}

TEST(Link, LawAndLastNameTellEqualShapesApart) {
    Module r("reference");
    Tensor gamma = r.parameter("norm.weight", r.filled("aten::ones", {8}));
    Tensor beta = r.parameter("norm.bias", r.filled("aten::zeros", {8}));
    Module m("candidate");
    Tensor ours_beta = m.parameter("beta", m.filled("aten::zeros", {8}));
    Tensor ours_gamma = m.parameter("gamma", m.filled("aten::ones", {8}));
    Links links = link_weights(r.called({gamma, beta}), m.called({ours_beta, ours_gamma}));
    EXPECT_THAT(links.by_candidate,
                UnorderedElementsAre(Pair("beta", "norm.bias"), Pair("gamma", "norm.weight")));
    EXPECT_FALSE(links.ambiguous);
}

TEST(Link, EqualShapesGoByDrawOrderAndAreReported) {
    Module r("reference");
    Tensor a = r.parameter("a.weight", r.drawn({4, 4}));
    Tensor b = r.parameter("b.weight", r.drawn({4, 4}));
    Module m("candidate");
    Tensor first = m.drawn({4, 4}), second = m.drawn({4, 4});
    m.parameter("w2", second);  // the state dict has them the other way round
    m.parameter("w1", first);
    Links links = link_weights(r.called({a, b}), m.called({first, second}));
    EXPECT_THAT(links.by_candidate, testing::IsSupersetOf({Pair("w1", "a.weight"), Pair("w2", "b.weight")}));
    EXPECT_TRUE(links.ambiguous);
    EXPECT_THAT(links.alternative, testing::IsSupersetOf({Pair("w2", "a.weight"), Pair("w1", "b.weight")}));
}

TEST(Link, WhatStandsForNothingIsUnlinked) {
    Module m("candidate");
    Tensor w = m.parameter("linear.weight", m.drawn({8, 4}));
    Tensor b = m.parameter("linear.bias", m.drawn({8}));
    Tensor extra = m.parameter("extra", m.drawn({16, 16}));
    m.parameter("never_used", m.drawn({32}));
    Links links = link_weights(linear_reference(), m.called({w, b, extra}));
    EXPECT_THAT(links.unlinked, ElementsAre("extra"));
}

TEST(Link, WhatTheCandidateLeavesOutIsUnused) {
    Module m("candidate");
    Tensor w = m.parameter("linear.weight", m.drawn({8, 4}));
    Links links = link_weights(linear_reference(), m.called({w}));
    EXPECT_THAT(links.unused, ElementsAre("linear.bias"));
    EXPECT_THAT(links.unlinked, IsEmpty());
}

TEST(Link, WrongShapesDoNotLink) {
    Module m("candidate");
    Tensor w = m.parameter("linear.weight", m.drawn({4, 8}));
    Tensor b = m.parameter("linear.bias", m.drawn({8}));
    Links links = link_weights(linear_reference(), m.called({w, b}));
    EXPECT_THAT(links.unlinked, ElementsAre("linear.weight"));
    EXPECT_THAT(links.unused, ElementsAre("linear.weight"));
}

TEST(Link, TiedWeightsAreOne) {
    Module r("reference");
    Tensor w = r.drawn({8, 4});
    r.parameter("embedding", w);
    r.parameter("head", w);
    Module m("candidate");
    Tensor ours = m.drawn({8, 4});
    m.parameter("embedding", ours);
    m.parameter("other_name", ours);
    Links links = link_weights(r.called({w}), m.called({ours}));
    EXPECT_EQ(links.by_candidate.at("embedding"), "embedding");
    EXPECT_THAT(links.unlinked, IsEmpty());
    EXPECT_THAT(links.unused, IsEmpty());

    Module once("candidate");
    ours = once.parameter("embedding", once.drawn({8, 4}));
    EXPECT_THAT(link_weights(r.plan, once.called({ours})).unused, IsEmpty());
}

TEST(Link, DerivedWeightsNeedNoLink) {
    Module m("candidate");
    Tensor w = m.parameter("linear.weight", m.drawn({8, 4}));
    Tensor b = m.parameter("linear.bias", m.drawn({8}));
    Tensor packed = m.parameter("packed", m.make("aten::clone", B::args(w), {8, 4}));
    Links links = link_weights(linear_reference(), m.called({packed, b}));
    EXPECT_THAT(links.unlinked, IsEmpty());
    EXPECT_THAT(links.unused, IsEmpty());
    EXPECT_FALSE(links.by_candidate.contains("packed"));
}

TEST(Link, ConstantParametersOfTheCandidatesOwnAreTables) {
    Module m("candidate");
    Tensor w = m.parameter("linear.weight", m.drawn({8, 4}));
    Tensor b = m.parameter("linear.bias", m.drawn({8}));
    Tensor scale = m.parameter("scale", m.make("aten::full", B::args(B::list({3}), 0.5), {3}));
    EXPECT_THAT(link_weights(linear_reference(), m.called({w, b, scale})).unlinked, IsEmpty());

    Module without("candidate");  // but not where a weight of the reference is missing
    w = without.parameter("linear.weight", without.drawn({8, 4}));
    scale = without.parameter("zeros", without.filled("aten::zeros", {3}));
    EXPECT_THAT(link_weights(linear_reference(), without.called({w, scale})).unlinked, ElementsAre("zeros"));
}

TEST(Link, BuffersThatHoldATableKeepTheirValuesUnlessBothAreDrawn) {
    Module r("reference");
    Tensor mask = r.filled("aten::arange", {4}), noise = r.drawn({5});
    r.weight("mask", mask, false);
    r.weight("noise", noise, false);
    Module m("candidate");
    Tensor ours = m.filled("aten::zeros", {4}), drawn = m.drawn({5});
    m.weight("mask", ours, false);
    m.weight("noise", drawn, false);
    Links links = link_weights(r.called({mask, noise}), m.called({ours, drawn}));
    EXPECT_THAT(links.by_candidate, UnorderedElementsAre(Pair("noise", "noise")));
}

TEST(Link, BuffersOfOneNumberAreLinkedAsParametersAre) {
    Module r("reference");
    Tensor gain = r.filled("aten::ones", {4});
    r.weight("gain", gain, false);
    Module m("candidate");
    Tensor ours = m.filled("aten::ones", {4});
    m.weight("gain", ours, false);
    EXPECT_THAT(link_weights(r.called({gain}), m.called({ours})).by_candidate,
                UnorderedElementsAre(Pair("gain", "gain")));
}

TEST(Link, PlainTensorsLinkByTheirDraws) {
    Module r("reference");
    Tensor w = r.parameter("w", r.drawn({8, 4}));  // draw 0
    Tensor plain = r.drawn({8});                   // draw 1
    Module m("candidate");
    Tensor waste = m.drawn({3});    // draw 0: something else
    Tensor theirs = m.drawn({8});   // draw 1: the same ordinal, operator and shape
    Tensor late = m.drawn({8, 4});  // draw 2 stands for draw 0
    Links links = link_weights(r.called({w, plain}), m.called({waste, theirs, late}));
    EXPECT_THAT(links.by_candidate, UnorderedElementsAre(Pair("draw/1", "draw/1"), Pair("draw/2", "draw/0")));
}

TEST(Link, ADrawOfALinkedWeightStandsForNoOther) {
    Module r("reference");
    Tensor plain = r.drawn({8});                // draw 0
    Tensor w = r.parameter("w", r.drawn({8}));  // draw 1
    Module m("candidate");
    Tensor ours = m.parameter("w", m.drawn({8}));  // draw 0
    Tensor theirs = m.drawn({8});                  // draw 1: the reference's plain tensor
    Links links = link_weights(r.called({plain, w}), m.called({ours, theirs}));
    EXPECT_THAT(links.by_candidate, UnorderedElementsAre(Pair("w", "w"), Pair("draw/1", "draw/0")));
}

TEST(Link, IntegerBuffersThatBothDrawAreOne) {
    auto integers = [](Module& m) {
        return m.make("aten::randint.low", B::args(-127, 128, B::list({8, 4})), {8, 4}, DType::i8, m.draws++);
    };
    Module r("reference"), m("candidate");
    Tensor theirs = integers(r), table = r.filled("aten::ones", {4});
    r.weight("qweight", theirs, false);
    r.weight("table", table, false);
    Tensor ours = integers(m), drawn = m.drawn({8, 4});
    m.weight("qweight", ours, false);
    m.weight("table", drawn, false);
    EXPECT_THAT(link_weights(r.called({theirs, table}), m.called({ours, drawn})).by_candidate,
                UnorderedElementsAre(Pair("qweight", "qweight")));
    Module floats("candidate");
    Tensor other = floats.drawn({8, 4});
    floats.weight("qweight", other, false);
    EXPECT_THAT(link_weights(r.plan, floats.called({other})).by_candidate, IsEmpty());
}

}  // namespace
}  // namespace tritonsmith::plan
