#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <cmath>

#include "judge/elements/element_oracle.h"
#include "plan/ir/build.h"
#include "run/worker/aten/aten_step.h"
#include "run/worker/torch_types.h"

/// The judge's rules for single elements, against the operators as ATen has them.
namespace tritonsmith::judge {
namespace {

using B = plan::Builder;
using plan::Value;

/// One operator on tensors of a plan.
class Operator {
  public:
    Value given(const at::Tensor& values) {
        const at::Tensor own = values.contiguous();
        const plan::Tensor tensor = builder_.input(own.sizes().vec(), run::from_torch(own.scalar_type()));
        views_.push_back(own);
        return {tensor};
    }
    Value drawn(std::vector<int64_t> shape) { return given(at::randn(shape, at::kDouble)); }
    Value positive(std::vector<int64_t> shape) { return given(at::rand(shape, at::kDouble) * 0.9 + 0.05); }
    Value places(std::vector<int64_t> values) { return given(at::tensor(values, at::kLong)); }
    Value flags(std::vector<int64_t> shape) { return given(at::randn(shape, at::kDouble).gt(0)); }

    /// @param seldom elements of which nothing may be known
    void agrees(const std::string& op, plan::List args,
                std::vector<std::pair<std::string, Value>> kwargs = {}, int64_t seldom = 0) {
        SCOPED_TRACE(op);
        plan::AtenStep step{op, std::move(args), std::move(kwargs), {}};
        const auto view = [&](const plan::Tensor& tensor) {
            return views_.at(static_cast<size_t>(tensor.buffer));
        };
        const std::vector<at::Tensor> results = run::evaluate(step, view, at::kCPU, true);
        std::vector<plan::Tensor> declared;
        for (const at::Tensor& result : results)
            declared.push_back(builder_.fresh(result.sizes().vec(), run::from_torch(result.scalar_type())));
        step.result = B::tensors(declared);
        builder_.plan.steps.push_back({step, plan::Phase::forward, 1});
        ElementOracle oracle(
            builder_.plan, [&](const plan::Tensor& tensor, int64_t at) -> std::optional<OracleElement> {
                const double value = view(tensor).to(at::kDouble).flatten()[at].item<double>();
                return OracleElement{value, std::abs(value)};
            });
        for (size_t r = 0; r < results.size(); ++r) {
            const at::Tensor want = results[r].to(at::kDouble).flatten();
            int64_t unknown = 0;
            for (int64_t i = 0; i < want.numel(); ++i) {
                const auto found = oracle.element(declared[r], i);
                unknown += !found;
                if (!found) continue;
                const double value = want[i].item<double>();
                if (std::isnan(value) || std::isinf(value)) {
                    EXPECT_TRUE(std::isnan(value) ? std::isnan(found->value) : found->value == value)
                        << r << " " << i;
                    continue;
                }
                ASSERT_NEAR(found->value, value, 1e-9 * (1 + found->scale))
                    << "result " << r << " element " << i;
                EXPECT_GE(found->scale, std::abs(value) * (1 - 1e-9)) << "result " << r << " element " << i;
            }
            EXPECT_LE(unknown, seldom) << "result " << r << " of " << want.numel();
        }
    }

  private:
    plan::Builder builder_{"reference"};
    std::vector<at::Tensor> views_;
};

Value list(std::vector<int64_t> numbers) {
    return B::list(std::move(numbers));
}
Value text(const std::string& word) {
    return {word};
}
const Value none{};

class ElementRules : public ::testing::Test {
  protected:
    void SetUp() override { at::manual_seed(3); }
};

TEST_F(ElementRules, Functions) {
    for (const char* op :
         {"aten::tan", "aten::atan", "aten::sinh", "aten::cosh", "aten::asinh", "aten::erfc", "aten::trunc",
          "aten::frac", "aten::isnan", "aten::isinf", "aten::logical_not", "aten::deg2rad", "aten::sinc",
          "aten::celu", "aten::hardshrink", "aten::softshrink", "aten::nan_to_num"}) {
        Operator one;
        one.agrees(op, {one.drawn({3, 5})});
    }
    for (const char* op : {"aten::asin", "aten::acos", "aten::atanh", "aten::lgamma", "aten::log10",
                           "aten::special_entr", "aten::logit"}) {
        Operator one;
        one.agrees(op, {one.positive({3, 5})});
    }
    Operator threshold;
    threshold.agrees("aten::threshold", {threshold.drawn({9}), {0.1}, {-2.0}});
    Operator infinite;
    infinite.agrees("aten::nan_to_num",
                    {infinite.given(at::tensor({NAN, INFINITY, -INFINITY, 1.0}, at::kDouble))});
}

TEST_F(ElementRules, Pairs) {
    for (const char* op :
         {"aten::fmax", "aten::fmin", "aten::fmod.Tensor", "aten::remainder.Tensor", "aten::atan2",
          "aten::hypot", "aten::copysign.Tensor", "aten::logaddexp", "aten::floor_divide",
          "aten::logical_and", "aten::logical_or", "aten::logical_xor"}) {
        Operator one;
        one.agrees(op, {one.drawn({3, 5}), one.drawn({5})});
    }
    for (const char* op :
         {"aten::bitwise_and.Tensor", "aten::bitwise_or.Tensor", "aten::bitwise_xor.Tensor",
          "aten::bitwise_left_shift.Tensor", "aten::bitwise_right_shift.Tensor", "aten::floor_divide"}) {
        Operator one;
        one.agrees(op, {one.given(at::randint(-50, 50, {20}, at::kLong)),
                        one.given(at::randint(1, 7, {20}, at::kLong))});
    }
    Operator entropy;
    entropy.agrees("aten::xlogy.Tensor", {entropy.drawn({3, 5}), entropy.positive({3, 5})});
    Operator of_three;
    of_three.agrees("aten::remainder.Scalar", {of_three.drawn({11}), {3.0}});
}

TEST_F(ElementRules, SeveralTensors) {
    for (const char* op : {"aten::addcmul", "aten::addcdiv"}) {
        Operator one;
        one.agrees(op, {one.drawn({3, 5}), one.drawn({3, 1}), one.drawn({5})}, {{"value", {-1.5}}});
    }
    Operator lerp, between, clamp, prelu, glu, outer, vector;
    lerp.agrees("aten::lerp.Scalar", {lerp.drawn({7}), lerp.drawn({7}), {0.3}});
    between.agrees("aten::lerp.Tensor", {between.drawn({7}), between.drawn({7}), between.drawn({7})});
    clamp.agrees("aten::clamp.Tensor", {clamp.drawn({4, 5}), clamp.drawn({5}), clamp.drawn({4, 1})});
    prelu.agrees("aten::_prelu_kernel", {prelu.drawn({3, 4}), prelu.drawn({3, 1})});
    glu.agrees("aten::glu", {glu.drawn({3, 6, 2}), {int64_t{1}}});
    outer.agrees("aten::addr", {outer.drawn({3, 4}), outer.drawn({3}), outer.drawn({4})},
                 {{"beta", {0.5}}, {"alpha", {2.0}}});
    vector.agrees("aten::addmv", {vector.drawn({3}), vector.drawn({3, 4}), vector.drawn({4})});
}

TEST_F(ElementRules, LossesThatReduceNothing) {
    for (const char* op :
         {"aten::mse_loss", "aten::smooth_l1_loss", "aten::huber_loss", "aten::soft_margin_loss"}) {
        Operator one;
        one.agrees(op, {one.drawn({30}), one.drawn({30}), {int64_t{0}}});
    }
    Operator entropy, logits;
    entropy.agrees("aten::binary_cross_entropy",
                   {entropy.positive({9}), entropy.positive({9}), none, {int64_t{0}}});
    logits.agrees("aten::binary_cross_entropy_with_logits",
                  {logits.drawn({9}), logits.positive({9}), none, none, {int64_t{0}}});
}

TEST_F(ElementRules, Moves) {
    Operator pad, mirrored, repeated, rolled, along, shuffled, back, taken, tiled, channels;
    pad.agrees("aten::constant_pad_nd", {pad.drawn({3, 4, 5}), list({1, 2, 0, 3, -1, 1}), {0.5}});
    mirrored.agrees("aten::reflection_pad2d", {mirrored.drawn({2, 4, 5}), list({3, 2, 1, 0})});
    repeated.agrees("aten::replication_pad1d", {repeated.drawn({2, 4}), list({3, 2})});
    rolled.agrees("aten::roll", {rolled.drawn({3, 4, 5}), list({1, -7}), list({0, 2})});
    along.agrees("aten::roll", {along.drawn({3, 4}), list({5})});
    shuffled.agrees("aten::pixel_shuffle", {shuffled.drawn({2, 8, 3, 2}), {int64_t{2}}});
    back.agrees("aten::pixel_unshuffle", {back.drawn({2, 3, 4, 6}), {int64_t{2}}});
    taken.agrees("aten::take", {taken.drawn({3, 4}), taken.places({5, -1, 0})});
    tiled.agrees("aten::repeat", {tiled.drawn({3, 2}), list({2, 1, 3})});
    channels.agrees("aten::channel_shuffle", {channels.drawn({2, 6, 3, 2}), {int64_t{3}}});
    for (const int first : {0, 1}) {
        Operator rows;
        const Value x = rows.drawn({4, 5, 6}), places = rows.places({3, 0, -1});
        plan::Sequence indices;
        if (first == 1) indices.items.push_back(none);
        indices.items.push_back(places);
        indices.items.push_back(places);
        rows.agrees("aten::index.Tensor", {x, {indices}});
    }
}

TEST_F(ElementRules, Scatters) {
    const at::Tensor permutation = at::tensor({2, 0, 3, 1}, at::kLong);
    Operator one, adds, greatest, mean, slices, copies, fills, stated;
    one.agrees("aten::scatter.src", {one.drawn({6, 3}),
                                     {int64_t{0}},
                                     one.given(permutation.unsqueeze(1).expand({4, 2})),
                                     one.drawn({5, 3})});
    stated.agrees("aten::scatter.value", {stated.drawn({6}), {int64_t{0}}, stated.places({1, 1, 4}), {2.5}});
    adds.agrees("aten::scatter_add", {adds.drawn({3, 6}),
                                      {int64_t{1}},
                                      adds.given(at::randint(0, 6, {3, 9}, at::kLong)),
                                      adds.drawn({3, 9})});
    greatest.agrees("aten::scatter_reduce.two", {greatest.drawn({3, 6}),
                                                 {int64_t{1}},
                                                 greatest.given(at::randint(0, 6, {3, 9}, at::kLong)),
                                                 greatest.drawn({3, 9}),
                                                 text("amax")});
    mean.agrees("aten::scatter_reduce.two",
                {mean.drawn({6}), {int64_t{0}}, mean.places({1, 1, 4}), mean.drawn({3}), text("mean")},
                {{"include_self", {false}}});
    slices.agrees("aten::index_add",
                  {slices.drawn({3, 4, 2}), {int64_t{1}}, slices.places({2, 2, 0}), slices.drawn({3, 3, 2})},
                  {{"alpha", {0.5}}});
    copies.agrees("aten::index_copy",
                  {copies.drawn({4, 2}), {int64_t{0}}, copies.places({2, 0}), copies.drawn({2, 2})});
    fills.agrees("aten::index_fill.int_Scalar",
                 {fills.drawn({4, 2}), {int64_t{0}}, fills.places({2, 0}), {3.0}});
}

TEST_F(ElementRules, Interpolation) {
    Operator one, two, three, centred, line, plane, aligned, space;
    one.agrees("aten::upsample_nearest1d", {one.drawn({2, 3, 5}), list({11})});
    two.agrees("aten::upsample_nearest2d", {two.drawn({2, 3, 5, 4}), list({10, 8}), {2.0}, {2.0}});
    three.agrees("aten::upsample_nearest3d", {three.drawn({1, 2, 3, 4, 5}), list({6, 3, 7})});
    centred.agrees("aten::_upsample_nearest_exact2d", {centred.drawn({2, 3, 5, 4}), list({7, 9})});
    line.agrees("aten::upsample_linear1d", {line.drawn({2, 3, 5}), list({13}), {false}});
    plane.agrees("aten::upsample_bilinear2d",
                 {plane.drawn({2, 3, 5, 4}), list({10, 3}), {false}, {2.0}, none});
    aligned.agrees("aten::upsample_bilinear2d", {aligned.drawn({2, 3, 5, 4}), list({9, 7}), {true}});
    space.agrees("aten::upsample_trilinear3d", {space.drawn({1, 2, 3, 4, 3}), list({6, 8, 5}), {false}});
}

TEST_F(ElementRules, Sequences) {
    Operator sums, greatest, least, both, all, any, number;
    sums.agrees("aten::logcumsumexp", {sums.drawn({3, 7, 2}), {int64_t{1}}});
    greatest.agrees("aten::cummax", {greatest.given(at::randint(0, 4, {3, 9}, at::kDouble)), {int64_t{1}}});
    least.agrees("aten::cummin", {least.drawn({3, 9}), {int64_t{0}}});
    both.agrees("aten::aminmax", {both.drawn({3, 9, 2})}, {{"dim", {int64_t{1}}}, {"keepdim", {true}}});
    all.agrees("aten::all.dim", {all.flags({9, 2}), {int64_t{1}}});
    any.agrees("aten::any.dim", {any.flags({9, 2}), {int64_t{1}}, {true}});
    number.agrees("aten::count_nonzero.dim_IntList", {number.flags({4, 5, 2}), list({0, 2})});
}

TEST_F(ElementRules, TransposedConvolutions) {
    Operator line, plane;
    line.agrees("aten::convolution", {line.drawn({2, 4, 6}),
                                      line.drawn({4, 3, 5}),
                                      line.drawn({6}),
                                      list({2}),
                                      list({1}),
                                      list({2}),
                                      {true},
                                      list({1}),
                                      {int64_t{2}}});
    plane.agrees("aten::convolution", {plane.drawn({1, 2, 3, 4}),
                                       plane.drawn({2, 3, 2, 3}),
                                       none,
                                       list({3, 2}),
                                       list({0, 1}),
                                       list({1, 1}),
                                       {true},
                                       list({0, 0}),
                                       {int64_t{1}}});
}

TEST_F(ElementRules, AttentionWithMasksAndSharedHeads) {
    for (const bool causal : {false, true}) {
        Operator shared;
        shared.agrees("aten::_scaled_dot_product_flash_attention_for_cpu",
                      {shared.drawn({2, 4, 5, 3}),
                       shared.drawn({2, 2, 5, 3}),
                       shared.drawn({2, 2, 5, 3}),
                       {0.0},
                       {causal}},
                      {}, 2 * 4 * 5);  // the statistics
    }
    Operator masked;
    const Value q = masked.drawn({2, 4, 5, 3}), mask = masked.drawn({1, 1, 5, 5});
    masked.agrees("aten::_scaled_dot_product_flash_attention_for_cpu", {q, q, q, {0.0}, {false}},
                  {{"attn_mask", mask}}, 2 * 4 * 5);
}

}  // namespace
}  // namespace tritonsmith::judge
