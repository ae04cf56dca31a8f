#include "run/worker/oracle/perturbation.h"

#include <ATen/ops/sort.h>
#include <gtest/gtest.h>

#include <cmath>

#include "plan/analysis/reduction.h"
#include "run/worker/oracle/oracle_testing.h"

namespace tritonsmith::run {
namespace {

using numerics::Precision;
using plan::DType;
using testing::integers;
using testing::OracleBench;
using testing::value;

struct Perturbed {
    at::Tensor oracle, other;
    at::Tensor moved() const { return (other - oracle).abs(); }
};

Perturbed perturbed(const OracleBench& bench, int run = 0, uint64_t seed = 1,
                    Precision precision = Precision::defaults) {
    const plan::Plan promoted = bench.promoted();
    Perturbation perturbation(bench.plan, precision, seed, run);
    return {bench.run(promoted, false),
            bench.run(promoted, false, [&](Executor& executor) { perturbation.attach(executor); })};
}

double largest(const at::Tensor& values) {
    return values.max().item<double>();
}
double deviation(const at::Tensor& values) {
    return values.square().mean().sqrt().item<double>();
}

/// One binary operator on inputs of a dtype.
OracleBench product_of_elements(DType dtype) {
    OracleBench bench;
    const plan::Tensor a = bench.drawn({5000}, dtype), b = bench.drawn({5000}, dtype);
    bench.plan.output = value(bench.result("aten::mul.Tensor", {value(a), value(b)}, {5000}, dtype));
    return bench;
}

TEST(Perturbation, ResultsMoveByHalfAUnitOfTheTypeThatTheyAreStoredIn) {
    for (const auto& [dtype, spacing] : {std::pair{DType::bf16, 0x1p-7}, std::pair{DType::f32, 0x1p-23}}) {
        const Perturbed p = perturbed(product_of_elements(dtype));
        const at::Tensor relative = p.moved() / p.oracle.abs();
        const double most = spacing / 2 + 1.5 * 0x1p-23;  // besides, what float32 functions are wrong by
        EXPECT_LE(largest(relative), most);
        EXPECT_GT(deviation(relative), 0.3 * most) << "uniform";
    }
}

TEST(Perturbation, NumbersThatAreStoredAsZeroMoveByNoMoreThanThemselves) {
    OracleBench bench;
    const plan::Tensor x = bench.drawn({1000}, DType::f16);
    const plan::Tensor tiny = bench.result("aten::mul.Scalar", {value(x), {1e-12}}, {1000}, DType::f16);
    bench.plan.output = value(tiny);
    const Perturbed p = perturbed(bench);
    EXPECT_LE(largest(p.moved() / p.oracle.abs()), 1 + 1e-6);
    EXPECT_GT(largest(p.moved() / p.oracle.abs()), 0.5);
}

TEST(Perturbation, TheSameSeedGivesTheSameRoundingsAndAnotherRunOthers) {
    const OracleBench bench = product_of_elements(DType::bf16);
    EXPECT_TRUE(perturbed(bench, 0, 3).other.equal(perturbed(bench, 0, 3).other));
    EXPECT_FALSE(perturbed(bench, 0, 3).other.equal(perturbed(bench, 1, 3).other));
    EXPECT_FALSE(perturbed(bench, 0, 3).other.equal(perturbed(bench, 0, 4).other));
}

TEST(Perturbation, SumsMoveByTheRoundingsOfTheirParts) {
    // Elements near zero are made of parts that are as large as those of others.
    OracleBench bench;
    const plan::Tensor a = bench.drawn({64, 1024}, DType::bf16), b = bench.drawn({1024, 64}, DType::bf16);
    bench.plan.output = value(bench.result("aten::mm", {value(a), value(b)}, {64, 64}, DType::bf16));
    const Perturbed p = perturbed(bench);
    const at::Tensor near_zero = p.moved().masked_select(p.oracle.abs().lt(0.5));
    ASSERT_GT(near_zero.numel(), 20);
    const double terms = 32;  // root of the sum of squares of 1024 products of normal numbers
    const double expected = 0.735 / 2 * 0x1p-7 / std::sqrt(3) * terms;
    EXPECT_NEAR(deviation(near_zero), expected, 0.5 * expected);
}

/// A product of [64, k] whose first half is positive and whose second half is as large and negative, so that
/// little is left, by what it moves.
double moved_by_halves(const std::string& op, int64_t k, DType dtype) {
    OracleBench bench;
    const bool adds = op == "aten::addmm";
    const plan::Tensor bias = bench.drawn({64}, dtype),
                       positive = bench.drawn({64, k / 2}, dtype, "aten::rand"),
                       b = bench.drawn({k / 2, 64}, dtype, "aten::rand");
    const plan::Tensor negative = bench.result("aten::neg", {value(positive)}, {64, k / 2}, dtype);
    const plan::Tensor a = bench.result(
        "aten::cat", {testing::sequence({value(positive), value(negative)}), {int64_t{1}}}, {64, k}, dtype);
    const plan::Tensor bb =
        bench.result("aten::cat", {testing::sequence({value(b), value(b)}), {int64_t{0}}}, {k, 64}, dtype);
    plan::List arguments;
    if (adds) arguments.push_back(value(bias));
    arguments.push_back(value(a));
    arguments.push_back(value(bb));
    bench.plan.output = value(bench.result(op, arguments, {64, 64}, dtype));
    return deviation(perturbed(bench).moved());
}

TEST(Perturbation, PartsOfASumThatCancelRoundAsTheyAre) {
    for (const std::string op : {"aten::mm", "aten::addmm"}) {
        // Four parts of about 64 (256 products of a mean of a quarter).
        const double part = 256 * 0.25, expected = std::sqrt(4.0) * part * 0.735 / 2 * 0x1p-7 / std::sqrt(3);
        EXPECT_NEAR(moved_by_halves(op, 1024, DType::bf16), expected, 0.3 * expected) << op;
        EXPECT_LT(moved_by_halves(op, 1024, DType::f32), 1e-3 * expected) << op;
    }
}

TEST(Perturbation, AFactorIsDistributedOverADifferenceOfIntegers) {
    auto moved = [](int32_t zero) {
        OracleBench bench;
        const plan::Tensor s = bench.drawn({64, 64}, DType::f16),
                           w = bench.constant<int32_t>({1}, DType::i32, {zero + 1}),
                           z = bench.constant<int32_t>({1}, DType::i32, {zero});
        const plan::Tensor one = bench.result("aten::sub.Tensor", {value(w), value(z)}, {1}, DType::i32);
        bench.plan.output =
            value(bench.result("aten::mul.Tensor", {value(one), value(s)}, {64, 64}, DType::f16));
        return deviation(perturbed(bench).moved());
    };
    EXPECT_GT(moved(14), 8 * moved(0)) << "15·s - 14·s is s, and rounds more";
}

TEST(Perturbation, WhatARecurrentLayerEnlargesIsSeen) {
    // h' = tanh(w·(h + x)): of a large w each step enlarges what the steps before it were wrong by.
    auto moved = [](double weight) {
        OracleBench bench;
        const plan::Tensor x = bench.drawn({40, 64, 1}), h = bench.drawn({1, 64, 1}),
                           from = bench.drawn({1, 1}), w = bench.tensor({1, 1}),
                           out = bench.tensor({40, 64, 1}), last = bench.tensor({1, 64, 1});
        const plan::Tensor little = bench.result("aten::mul.Scalar", {value(x), {1e-7}}, {40, 64, 1}),
                           start = bench.result("aten::mul.Scalar", {value(h), {0.0}}, {1, 64, 1});
        bench.forward("aten::full_like", {value(from), {weight}}, value(w));
        bench.forward("aten::rnn_tanh.input",
                      {value(little),
                       value(start),
                       testing::sequence({value(w), value(w)}),
                       {false},
                       {int64_t{1}},
                       {0.0},
                       {false},
                       {false},
                       {false}},
                      testing::sequence({value(out), value(last)}));
        bench.plan.output = value(last);
        EXPECT_TRUE(plan::recurs(bench.plan));
        EXPECT_GE(perturbed_runs(bench.plan, Precision::ieee), 2);
        const Perturbed p = perturbed(bench);
        return deviation(p.moved() / p.oracle.abs());
    };
    EXPECT_GT(moved(1.5), 2 * moved(0.2)) << "a share of it in each of the steps";
    EXPECT_GT(moved(0.2), 0x1p-25);
    EXPECT_LT(moved(0.2), 1e-5);
}

TEST(Perturbation, MeansMoveAsTheirSumsDo) {
    auto moved = [](const char* op) {
        OracleBench bench;
        const plan::Tensor x = bench.drawn({256, 400}, DType::f16);
        bench.plan.output = value(bench.result(op, {value(x), integers({1}), {false}}, {256}, DType::f16));
        return deviation(perturbed(bench).moved());
    };
    const double sums = moved("aten::sum.dim_IntList");
    EXPECT_NEAR(moved("aten::mean.dim") * 400, sums, 0.05 * sums);
}

TEST(Perturbation, WhatIsExactStays) {
    OracleBench bench;
    const plan::Tensor x = bench.drawn({500});
    const plan::Tensor positive = bench.result("aten::relu", {value(x)}, {500});
    bench.plan.output = value(bench.result("aten::neg", {value(positive)}, {500}));
    EXPECT_EQ(largest(perturbed(bench).moved()), 0);
}

TEST(Perturbation, NearTiesOfRoundingFallOnEitherSideAndWholeNumbersDoNot) {
    OracleBench bench;
    const plan::Tensor x = bench.drawn({200000});
    const plan::Tensor scaled = bench.result("aten::mul.Scalar", {value(x), {1000.0}}, {200000});
    const plan::Tensor whole = bench.result("aten::round", {value(scaled)}, {200000});
    const plan::Tensor bytes = bench.tensor({200000}, DType::i32);
    bench.forward("aten::_to_copy", {value(whole)}, value(bytes)).kwargs = {
        {"dtype", testing::symbol(plan::Symbol::Kind::dtype, "i32")}};
    bench.plan.output = value(bytes);
    double flips = 0, up = 0;
    for (const int run : {0, 1}) {
        const Perturbed p = perturbed(bench, run);
        const at::Tensor difference = (p.other - p.oracle).to(at::kDouble);
        EXPECT_LE(largest(difference.abs()), 1);
        flips += difference.abs().sum().item<double>();
        up += difference.sum().item<double>() * (run == 0 ? 1 : -1);
    }
    // By 10 spacings and a few roundings more, of numbers of about a thousand: one in a thousand is as near.
    EXPECT_GT(flips, 100);
    EXPECT_LT(flips, 2000);
    EXPECT_EQ(up, flips) << "one run to each side";
}

TEST(Perturbation, WhatIsScaledByAPowerOfTwoIsExact) {
    auto moved = [](double factor) {
        OracleBench bench;
        const plan::Tensor x = bench.drawn({1000});
        const plan::Tensor coarse = bench.result("aten::round", {value(x)}, {1000});
        const plan::Tensor half = bench.result("aten::mul.Scalar", {value(coarse), {factor}}, {1000});
        bench.plan.output = value(bench.result("aten::round", {value(half)}, {1000}));
        return perturbed(bench).moved().ne(0).any().item<bool>();
    };
    EXPECT_FALSE(moved(0.5)) << "half-way cases have one answer";
    EXPECT_TRUE(moved(1.5 - 0x1p-40)) << "near ties have not";
}

TEST(Perturbation, EqualElementsAreToldApartAtRandom) {
    OracleBench bench;
    const plan::Tensor x = bench.constant<float>({6}, DType::f32, {0, 0, 0, 0, 5, -5});
    const plan::Tensor values = bench.tensor({2}), places = bench.tensor({2}, DType::i64);
    bench.forward("aten::topk", {value(x), {int64_t{2}}}, testing::sequence({value(values), value(places)}));
    bench.plan.output = value(places);
    bool differs = false;
    for (int run = 0; run < 8; ++run) {
        const Perturbed p = perturbed(bench, run);
        EXPECT_EQ(p.other[0].item<int64_t>(), 4);
        differs = differs || p.other[1].item<int64_t>() != p.oracle[1].item<int64_t>();
    }
    EXPECT_TRUE(differs);
}

TEST(Perturbation, Tf32RoundsWhatTheLibrariesMayRound) {
    auto moved = [](const char* op, Precision precision) {
        OracleBench bench;
        plan::Tensor out;
        if (op == std::string("aten::mm")) {
            const plan::Tensor a = bench.drawn({64, 256}), b = bench.drawn({256, 64});
            out = bench.result(op, {value(a), value(b)}, {64, 64});
        } else {
            const plan::Tensor x = bench.drawn({2, 16, 20, 20}), w = bench.drawn({8, 16, 3, 3});
            out = bench.result(op,
                               {value(x),
                                value(w),
                                {},
                                integers({1, 1}),
                                integers({0, 0}),
                                integers({1, 1}),
                                {false},
                                integers({0, 0}),
                                {int64_t{1}}},
                               {2, 8, 18, 18});
        }
        bench.plan.output = value(out);
        const Perturbed p = perturbed(bench, 0, 1, precision);
        const Perturbed cut = perturbed(bench, 1, 1, precision);
        EXPECT_TRUE(precision == Precision::ieee || !cut.moved().equal(p.moved()));
        return deviation(p.moved()) / deviation(p.oracle);
    };
    EXPECT_LT(moved("aten::mm", Precision::defaults), 1e-5);
    EXPECT_GT(moved("aten::mm", Precision::tf32), 1e-4);
    EXPECT_GT(moved("aten::convolution", Precision::defaults), 1e-4);
    EXPECT_LT(moved("aten::convolution", Precision::ieee), 1e-5);
}

TEST(Perturbation, InOddRunsTf32OperandsAreCut) {
    OracleBench bench;
    const plan::Tensor a = bench.drawn({64, 256}, DType::f32, "aten::rand"),
                       b = bench.drawn({256, 64}, DType::f32, "aten::rand");
    bench.plan.output = value(bench.result("aten::mm", {value(a), value(b)}, {64, 64}));
    const Perturbed cut = perturbed(bench, 1, 1, Precision::tf32);
    // Each operand loses half of TF32's unit in the last place in the mean: 2^-11 to 2^-10 of itself, halved.
    const at::Tensor lost = (cut.oracle - cut.other) / cut.oracle;
    EXPECT_GT(lost.min().item<double>(), 0x1p-11);
    EXPECT_LT(lost.max().item<double>(), 0x1p-9);
}

TEST(Perturbation, RunsAreAsManyAsAnOutputNeeds) {
    auto runs = [](std::vector<int64_t> shape, const char* op, DType dtype) {
        OracleBench bench;
        const plan::Tensor x = bench.drawn(shape, dtype);
        bench.plan.output = value(bench.result(op, {value(x)}, shape, dtype));
        return perturbed_runs(bench.plan, Precision::ieee);
    };
    EXPECT_EQ(runs({100, 100}, "aten::exp", DType::f32), 0) << "one run shows enough";
    EXPECT_EQ(runs({100, 100}, "aten::exp", DType::bf16), 2);
    EXPECT_EQ(runs({100, 100}, "aten::round", DType::f32), 2);
    EXPECT_EQ(runs({1000}, "aten::exp", DType::f32), 2);
    EXPECT_EQ(runs({1}, "aten::exp", DType::f32), 6);
}

TEST(Perturbation, SumsAreRoundedOtherwise) {
    auto runs = [](const char* op, plan::List bounds, bool sums) {
        OracleBench bench;
        const plan::Tensor a = bench.drawn({100, 100}), b = bench.drawn({100, 100});
        const plan::Tensor x = sums ? bench.result("aten::mm", {value(a), value(b)}, {100, 100}) : a;
        bounds.insert(bounds.begin(), value(x));
        bench.plan.output = value(bench.result(op, bounds, {100, 100}));
        return perturbed_runs(bench.plan, Precision::ieee);
    };
    EXPECT_EQ(runs("aten::clamp", {{-1.0}, {10.0}}, true), 2);
    EXPECT_EQ(runs("aten::exp", {}, true), 2);
    EXPECT_EQ(runs("aten::clamp", {{-1.0}, {10.0}}, false), 0) << "exact";
    EXPECT_EQ(runs("aten::exp", {}, false), 0) << "one run shows enough";
}

}  // namespace
}  // namespace tritonsmith::run
