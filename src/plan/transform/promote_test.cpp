#include "plan/transform/promote.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "plan/analysis/reduction.h"
#include "plan/ir/build.h"
#include "plan/transform/absolute.h"

namespace tritonsmith::plan {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using B = Builder;

std::vector<std::string> ops(const Plan& plan) {
    std::vector<std::string> out;
    for (const Step& step : plan.steps) {
        if (const auto* aten = std::get_if<AtenStep>(&step.what)) out.push_back(aten->op.substr(6));
        if (std::holds_alternative<FreeStep>(step.what)) out.push_back("free");
    }
    return out;
}
const AtenStep& aten_step(const Plan& plan, size_t i) {
    return std::get<AtenStep>(plan.steps.at(i).what);
}
DType result_type(const Plan& plan, size_t i) {
    return std::get<Tensor>(aten_step(plan, i).result.v).dtype;
}
Plan promoted(const Plan& plan) {
    std::vector<std::string> rounding;
    return promote(plan, rounding);
}

TEST(Promote, NumbersAreWhatFloat32Holds) {
    B b("reference");
    const Tensor x = b.input({4});
    b.make("aten::gt.Scalar", B::args(x, 0.6), {4}, DType::b1);
    EXPECT_EQ(std::get<double>(aten_step(promoted(b.plan), 0).args[1].v), static_cast<double>(0.6F));
}

TEST(Promote, FloatingTensorsGrowAndIntegersStay) {
    B b("reference");
    b.phase(Phase::inputs);
    Tensor x = b.make("aten::rand", B::args(B::list({4, 8})), {4, 8}, DType::f32, 0);
    Tensor i = b.make("aten::randint", B::args(4, B::list({4})), {4}, DType::i64, 1);
    b.plan.inputs = B::args(x, i);
    b.phase(Phase::forward);
    Tensor y = b.make("aten::index_select", B::args(x, 0, i), {4, 8});
    Tensor view = y;
    view.shape = {2, 8};
    view.offset = 16;
    b.op("aten::slice.Tensor", B::args(y, 0, 2, 4), view);
    b.plan.output = {view};
    Plan wide = promoted(b.plan);
    EXPECT_THAT(ops(wide), ElementsAre("index_select", "slice.Tensor")) << "only the call";
    EXPECT_EQ(wide.buffers[0].bytes, 4 * 8 * 8);
    EXPECT_EQ(wide.buffers[1].bytes, 4 * 8) << "int64 stays";
    EXPECT_EQ(std::get<Tensor>(wide.output.v).dtype, DType::f64);
    EXPECT_EQ(std::get<Tensor>(wide.output.v).offset, 16) << "elements, not bytes";
    EXPECT_EQ(std::get<Tensor>(wide.inputs[1].v).dtype, DType::i64);
}

TEST(Promote, LiteralTypesAreWidened) {
    B b("reference");
    Tensor x = b.input({4});
    b.make("aten::sum", B::args(x), {});
    std::get<AtenStep>(b.plan.steps.back().what).kwargs = {{"dtype", B::dtype(DType::f32)}};
    b.make("aten::arange", B::args(4.0), {4});
    b.make("aten::_softmax", B::args(x, 0, true), {4});
    b.make("aten::ones", B::args(B::list({4})), {4}, DType::i32);
    Plan wide = promoted(b.plan);
    EXPECT_EQ(std::get<Symbol>(aten_step(wide, 0).kwargs[0].second.v).text, "f64");
    ASSERT_EQ(aten_step(wide, 1).kwargs.size(), 1u) << "without a dtype it would be float32";
    EXPECT_EQ(std::get<Symbol>(aten_step(wide, 1).kwargs[0].second.v).text, "f64");
    EXPECT_FALSE(std::get<bool>(aten_step(wide, 2).args[2].v)) << "half_to_float";
    EXPECT_THAT(aten_step(wide, 3).kwargs, IsEmpty());
}

TEST(Promote, DeliberateRoundingStaysAndIsListed) {
    B b("reference");
    Tensor x = b.input({4});
    int line = b.line();
    Tensor h = b.make("aten::_to_copy", B::args(x), {4}, DType::f16);
    std::get<AtenStep>(b.plan.steps.back().what).kwargs = {{"dtype", B::dtype(DType::f16)}};
    Tensor f = b.make("aten::_to_copy", B::args(h), {4});
    Tensor q = b.make("aten::_to_copy", B::args(f), {4}, DType::i8);
    Tensor d = b.make("aten::zeros", B::args(B::list({4})), {4}, DType::bf16);
    b.op("aten::copy_", B::args(d, f), d);
    b.plan.output = B::tensors({h, q, d});
    std::vector<std::string> rounding;
    Plan wide = promote(b.plan, rounding);
    auto at = [&](const char* type, int offset) {
        return std::string(type) + " at line " + std::to_string(line + offset);
    };
    EXPECT_THAT(rounding, ElementsAre(at("f16", 0), at("i8", 2), at("bf16", 4)));
    EXPECT_THAT(ops(wide), ElementsAre("_to_copy", "_to_copy", "free", "_to_copy", "_to_copy", "zeros",
                                       "_to_copy", "copy_", "free"));
    EXPECT_EQ(result_type(wide, 0), DType::f16);
    EXPECT_EQ(result_type(wide, 1), DType::f64);
    EXPECT_EQ(result_type(wide, 3), DType::f64) << "widening is no rounding";
    EXPECT_EQ(result_type(wide, 4), DType::i8);
    EXPECT_EQ(result_type(wide, 6), DType::bf16);
}

TEST(Promote, TheWorkingPrecisionIsNoRounding) {
    B b("reference");
    Tensor x = b.input({4}, DType::f16);
    Tensor f = b.make("aten::_to_copy", B::args(x), {4});
    Tensor h = b.make("aten::_to_copy", B::args(f), {4}, DType::f16);
    b.plan.output = {h};
    std::vector<std::string> rounding;
    Plan wide = promote(b.plan, rounding);
    EXPECT_THAT(rounding, IsEmpty());
    EXPECT_THAT(ops(wide), ElementsAre("_to_copy", "_to_copy"));
    EXPECT_EQ(result_type(wide, 1), DType::f64);
}

TEST(Promote, FloatsMadeOfIntegers) {
    B b("reference");
    Tensor i = b.input({4}, DType::i64);
    b.make("aten::div.Tensor", B::args(i, i), {4});
    b.make("aten::some_statistic", B::args(i), {4});
    Plan wide = promoted(b.plan);
    EXPECT_THAT(ops(wide), ElementsAre("_to_copy", "_to_copy", "div.Tensor", "free", "free", "some_statistic",
                                       "_to_copy", "free"));
    EXPECT_EQ(result_type(wide, 2), DType::f64);
    EXPECT_EQ(result_type(wide, 5), DType::f32);
    EXPECT_EQ(result_type(wide, 6), DType::f64);
}

TEST(Promote, ConstantsKeepTheirValues) {
    B b("reference");
    Tensor h = b.constant({3}, DType::f16), z = b.constant({1}, DType::c64), n = b.constant({2}, DType::i32);
    uint16_t halves[] = {0x3C00, 0xC100, 0x0001};  // 1, -2.5, 2^-24
    std::memcpy(b.plan.buffers[0].data.data(), halves, sizeof halves);
    float parts[] = {0.1f, -3};
    std::memcpy(b.plan.buffers[1].data.data(), parts, sizeof parts);
    b.plan.output = B::tensors({h, z, n});
    Plan wide = promoted(b.plan);
    double values[3], both[2];
    ASSERT_EQ(wide.buffers[0].data.size(), sizeof values);
    std::memcpy(values, wide.buffers[0].data.data(), sizeof values);
    EXPECT_THAT(values, ElementsAre(1.0, -2.5, std::ldexp(1, -24)));
    ASSERT_EQ(wide.buffers[1].data.size(), sizeof both);
    std::memcpy(both, wide.buffers[1].data.data(), sizeof both);
    EXPECT_THAT(both, ElementsAre(static_cast<double>(0.1f), -3.0));
    EXPECT_EQ(wide.buffers[2].bytes, 8);
    EXPECT_EQ(wide.buffers[2].data.size(), 8u);
}

TEST(Promote, BitsAsIntegersAreNotPromoted) {
    B b("reference");
    Tensor x = b.input({4});
    Tensor bits = x;
    bits.dtype = DType::i32;
    b.op("aten::view.dtype", {{x}, B::dtype(DType::i32)}, bits);
    b.plan.output = {bits};
    std::vector<std::string> rounding;
    Plan same = promote(b.plan, rounding);
    EXPECT_EQ(to_json(same), to_json(b.plan));
    EXPECT_THAT(rounding, ElementsAre(testing::HasSubstr("not promoted")));
}

// ---- magnitudes

TEST(Absolute, CancellationBecomesAddition) {
    B b("reference");
    Tensor x = b.input({4}, DType::f64), y = b.input({4}, DType::f64), i = b.input({4}, DType::i64);
    b.make("aten::sub.Tensor", B::args(x, y), {4}, DType::f64);
    b.make("aten::rsub.Scalar", B::args(x, -1.0), {4}, DType::f64);
    b.make("aten::neg", B::args(x), {4}, DType::f64);
    b.make("aten::mul.Tensor", B::args(x, -2.5), {4}, DType::f64);
    b.make("aten::addmm", B::args(x, x, x), {4}, DType::f64);
    std::get<AtenStep>(b.plan.steps.back().what).kwargs = {{"alpha", {-1.0}}};
    b.make("aten::sub.Tensor", B::args(i, i), {4}, DType::i64);
    b.make("aten::mse_loss", B::args(x, y, 1), {}, DType::f64);
    b.make("aten::log", B::args(x), {4}, DType::f64);
    Plan sums = absolute(b.plan);
    EXPECT_THAT(ops(sums), ElementsAre("add.Tensor", "add.Scalar", "abs", "mul.Tensor", "addmm", "sub.Tensor",
                                       "neg", "mse_loss", "free", "log", "abs_", "add_.Scalar"));
    EXPECT_EQ(std::get<double>(aten_step(sums, 1).args[1].v), 1.0);
    EXPECT_EQ(std::get<double>(aten_step(sums, 3).args[1].v), 2.5);
    EXPECT_EQ(std::get<double>(aten_step(sums, 4).kwargs[0].second.v), 1.0);
}

TEST(Absolute, StepsWhoseResultsAreGivenStay) {
    B b("reference");
    Tensor x = b.input({4}, DType::f64), y = b.input({4}, DType::f64);
    b.make("aten::sub.Tensor", B::args(x, y), {4}, DType::f64);
    b.make("aten::neg", B::args(x), {4}, DType::f64);
    const Plan sums = absolute(b.plan, [](const AtenStep& step) { return step.op == "aten::sub.Tensor"; });
    EXPECT_THAT(ops(sums), ElementsAre("sub.Tensor", "abs"));
}

TEST(Absolute, FormulasThatCancelNearOneAreAsLargeAsTheirTerms) {
    B b("reference");
    Tensor x = b.input({4, 4}, DType::f64);
    b.make("aten::elu", B::args(x), {4, 4}, DType::f64);
    b.make("aten::sigmoid", B::args(x), {4, 4}, DType::f64);
    b.make("aten::_log_softmax", B::args(x, 1, false), {4, 4}, DType::f64);
    Plan sums = absolute(b.plan);
    EXPECT_THAT(ops(sums),
                ElementsAre("elu", "add_.Scalar", "sigmoid", "_log_softmax", "abs_", "add_.Tensor"));
    EXPECT_EQ(std::get<double>(aten_step(sums, 1).args[1].v), 1.0);
}

TEST(Absolute, InterpolationAndRunningSumsCountWhatCancelsOnOtherWays) {
    B b("reference");
    Tensor x = b.input({4, 6}, DType::f64), y = b.input({4, 6}, DType::f64);
    b.make("aten::lerp.Scalar", B::args(x, y, -0.9), {4, 6}, DType::f64);
    b.op("aten::lerp_.Tensor", B::args(x, y, y), x);
    b.make("aten::cumsum", B::args(x, -1), {4, 6}, DType::f64);
    Plan sums = absolute(b.plan);
    EXPECT_THAT(ops(sums),
                ElementsAre("add.Tensor", "mul_.Scalar", "add.Tensor", "free", "add.Tensor", "mul_.Tensor",
                            "add_.Tensor", "free", "cumsum", "amax", "add_.Tensor", "free"));
    EXPECT_EQ(std::get<double>(aten_step(sums, 1).args[1].v), 0.9);
    EXPECT_EQ(std::get<Tensor>(aten_step(sums, 9).result.v).shape, (std::vector<int64_t>{4, 1}));
}

TEST(Absolute, SoftmaxCountsTheRoundingOfALogarithm) {
    B b("reference");
    Tensor x = b.input({4, 6}, DType::f64);
    b.make("aten::_softmax", B::args(x, 1, false), {4, 6}, DType::f64);
    EXPECT_THAT(ops(absolute(b.plan)),
                ElementsAre("_softmax", "clamp", "mul_.Scalar", "add_.Scalar", "mul_.Tensor", "free"));
}

TEST(Absolute, WhatBecomesRealOfIntegersIsPositive) {
    B b("reference");
    Tensor i = b.input({4}, DType::i8), x = b.input({4}, DType::f64), mask = b.input({4}, DType::b1);
    b.make("aten::_to_copy", B::args(i), {4}, DType::f64);
    b.make("aten::mul.Tensor", B::args(x, i), {4}, DType::f64);
    b.make("aten::mul.Tensor", B::args(x, mask), {4}, DType::f64);
    b.make("aten::_to_copy", B::args(x), {4}, DType::f64);
    b.make("aten::_to_copy", B::args(i), {4}, DType::i32);
    EXPECT_THAT(ops(absolute(b.plan)),
                ElementsAre("_to_copy", "abs_", "mul.Tensor", "abs_", "mul.Tensor", "_to_copy", "_to_copy"));
}

TEST(Absolute, MasksAndTheMaximumOfASoftmaxKeepTheirSign) {
    B b("reference");
    Tensor x = b.input({4, 4}, DType::f64), mask = b.input({4, 4}, DType::b1);
    b.make("aten::masked_fill.Scalar", B::args(x, mask, -HUGE_VAL), {4, 4}, DType::f64);
    Tensor m = b.make("aten::amax", B::args(x, B::list({1}), true), {4, 1}, DType::f64);
    b.make("aten::sub.Tensor", B::args(x, m), {4, 4}, DType::f64);
    Plan sums = absolute(b.plan);
    EXPECT_THAT(ops(sums), ElementsAre("masked_fill.Scalar", "amax", "sub.Tensor"));
    EXPECT_EQ(std::get<double>(aten_step(sums, 0).args[2].v), -HUGE_VAL);
}

TEST(Absolute, BoundsAndMinimaKeepTheLargerMagnitude) {
    B b("reference");
    Tensor x = b.input({4}, DType::f64), y = b.input({4}, DType::f64);
    b.make("aten::minimum", B::args(x, y), {4}, DType::f64);
    b.make("aten::amin", B::args(x, B::list({0})), {}, DType::f64);
    b.make("aten::clamp", B::args(x, -3.0, 2.0), {4}, DType::f64);
    b.make("aten::clamp", B::args(x, Value{}, 0.0), {4}, DType::f64);
    b.make("aten::clamp_min", B::args(x, 0.5), {4}, DType::f64);
    b.make("aten::clamp_max", B::args(x, -7.0), {4}, DType::f64);
    b.make("aten::hardtanh", B::args(x), {4}, DType::f64);
    Plan sums = absolute(b.plan);
    EXPECT_THAT(ops(sums), ElementsAre("maximum", "amax", "clamp", "clamp", "clamp", "clamp", "clamp"));
    auto bound = [&](size_t step, size_t i) {
        const auto* value = std::get_if<double>(&aten_step(sums, step).args.at(i).v);
        return value ? *value : HUGE_VAL;
    };
    EXPECT_EQ(bound(2, 1), 0);
    EXPECT_EQ(bound(2, 2), HUGE_VAL)
        << "what is not clamped has the rounding errors of its terms, however large";
    EXPECT_EQ(bound(3, 1), 0);
    EXPECT_EQ(bound(3, 2), HUGE_VAL);
    EXPECT_EQ(bound(4, 1), 0.5);
    EXPECT_EQ(bound(5, 1), 7);
    EXPECT_EQ(bound(6, 1), 0);
    EXPECT_EQ(bound(6, 2), HUGE_VAL);
}

TEST(Absolute, NormsAndVariancesCountWhatCancels) {
    B b("reference");
    Tensor x = b.input({4, 8}, DType::f64), w = b.input({8}, DType::f64);
    Tensor out = b.fresh({4, 8}, DType::f64), mean = b.fresh({4, 1}, DType::f64),
           rstd = b.fresh({4, 1}, DType::f64);
    b.add(AtenStep{
        "aten::native_layer_norm", B::args(x, B::list({8}), w, w, 1e-5), {}, B::tensors({out, mean, rstd})});
    b.make("aten::var.correction", B::args(x, B::list({1})), {4}, DType::f64);
    Plan sums = absolute(b.plan);
    EXPECT_THAT(ops(sums),
                ElementsAre("native_layer_norm", "abs_", "add_.Scalar", "mul_.Tensor", "add_.Tensor",
                            "var.correction", "mean.dim", "square_", "add_.Tensor", "free"));
    EXPECT_TRUE(std::holds_alternative<std::monostate>(aten_step(sums, 0).args[2].v));
}

TEST(Absolute, CountsWhatKernelsOfLengthsAndEntropiesLose) {
    B b("reference");
    Tensor x = b.input({4}, DType::f64), y = b.input({4}, DType::f64), z = b.input({4}, DType::c128);
    b.make("aten::hypot", B::args(x, y), {4}, DType::f64);
    b.make("aten::abs", B::args(z), {4}, DType::f64);
    b.make("aten::abs", B::args(x), {4}, DType::f64);
    b.make("aten::binary_cross_entropy", B::args(x, y, Value{}, 0), {4}, DType::f64);
    b.make("aten::binary_cross_entropy", B::args(x, y, x, 0), {4}, DType::f64);
    b.make("aten::binary_cross_entropy", B::args(x, y, Value{}, 2), {}, DType::f64);
    b.make("aten::special_xlog1py", B::args(x, y), {4}, DType::f64);
    const Plan sums = absolute(b.plan);
    EXPECT_THAT(ops(sums), ElementsAre("hypot", "clamp_", "abs", "clamp_", "abs", "binary_cross_entropy",
                                       "abs_", "add_.Scalar", "binary_cross_entropy", "abs_", "add_.Tensor",
                                       "binary_cross_entropy", "abs_", "add_.Scalar", "special_xlog1py",
                                       "abs_", "add_.Tensor"));
    EXPECT_EQ(std::get<double>(aten_step(sums, 7).args[1].v), 1.0 / 16);
    EXPECT_EQ(std::get<double>(aten_step(sums, 13).args[1].v), 4.0 / 16) << "a term of each element";
}

// ---- longest reduction

int64_t longest(const std::string& op, List args, std::vector<int64_t> result) {
    B b("reference");
    for (Value& value : args)
        if (auto* tensor = std::get_if<Tensor>(&value.v)) *tensor = b.input(tensor->shape, tensor->dtype);
    b.make(op, std::move(args), std::move(result));
    return longest_reduction(b.plan);
}
Tensor shaped(std::vector<int64_t> shape) {
    return B::contiguous(0, DType::f32, std::move(shape));
}

TEST(LongestReduction, ByOperator) {
    EXPECT_EQ(longest("aten::mm", B::args(shaped({4, 100}), shaped({100, 5})), {4, 5}), 100);
    EXPECT_EQ(longest("aten::addmm", B::args(shaped({5}), shaped({4, 100}), shaped({100, 5})), {4, 5}), 100);
    EXPECT_EQ(longest("aten::bmm", B::args(shaped({2, 4, 30}), shaped({2, 30, 5})), {2, 4, 5}), 30);
    List convolution = B::args(shaped({1, 8, 9, 9}), shaped({16, 4, 3, 3}), Value{}, B::list({1}),
                               B::list({1}), B::list({1}), false, B::list({0}), 2);
    EXPECT_EQ(longest("aten::convolution", convolution, {1, 16, 9, 9}), 36);
    convolution[6] = {true};
    EXPECT_EQ(longest("aten::convolution", convolution, {1, 16, 9, 9}), 16 * 9);
    EXPECT_EQ(longest("aten::sum.dim_IntList", B::args(shaped({4, 50}), B::list({1})), {4}), 50);
    EXPECT_EQ(longest("aten::_softmax", B::args(shaped({4, 60}), -1, false), {4, 60}), 60);
    EXPECT_EQ(longest("aten::cumsum", B::args(shaped({70, 6}), 0), {70, 6}), 70);
    EXPECT_EQ(longest("aten::native_layer_norm",
                      B::args(shaped({4, 8, 9}), B::list({8, 9}), Value{}, Value{}, 1e-5), {4, 8, 9}),
              72);
    EXPECT_EQ(longest("aten::native_group_norm",
                      B::args(shaped({2, 8, 5, 5}), Value{}, Value{}, 2, 8, 25, 4, 1e-5), {2, 8, 5, 5}),
              50);
    EXPECT_EQ(longest("aten::native_batch_norm", B::args(shaped({2, 8, 5, 5})), {2, 8, 5, 5}), 50);
    EXPECT_EQ(longest("aten::_scaled_dot_product_efficient_attention",
                      B::args(shaped({1, 2, 9, 64}), shaped({1, 2, 300, 64}), shaped({1, 2, 300, 64})),
                      {1, 2, 9, 64}),
              300);
    EXPECT_EQ(longest("aten::nll_loss_forward", B::args(shaped({128, 1000}), shaped({128})), {}), 128);
    EXPECT_EQ(longest("aten::avg_pool2d", B::args(shaped({1, 1, 8, 8}), B::list({3, 3}), B::list({1, 1})),
                      {1, 1, 6, 6}),
              9);
    EXPECT_EQ(longest("aten::mul.Tensor", B::args(shaped({100}), shaped({100})), {100}), 1);
}

}  // namespace
}  // namespace tritonsmith::plan
