#include "plan/values/named_values.h"

#include <gtest/gtest.h>

#include "plan/ir/build.h"

namespace tritonsmith::plan {
namespace {

using B = Builder;
using Values = std::vector<double>;

struct Loss : Builder {
    Tensor scores, labels;
    Loss() : Builder("reference") {
        scores = input({8, 4});
        labels = input({8}, DType::i64);
        phase(Phase::forward);
    }
};

TEST(NamedValues, AreLabelsThatALossIgnoresUnlessTheTaskDoesNotSay) {
    const auto named = [](int ignored) {
        Loss b;
        const Tensor cast = b.make("aten::_to_copy", B::args(b.labels), {8}, DType::i64);
        b.make("aten::nll_loss_forward", B::args(b.scores, cast, Value{}, 1, ignored), {});
        return named_values(b.plan);
    };
    ASSERT_EQ(named(255).size(), 1U);
    EXPECT_EQ(named(255)[0].input, 1U);
    EXPECT_EQ(named(255)[0].values, Values{255});
    EXPECT_TRUE(named(-100).empty());
}

TEST(NamedValues, OfLabelSmoothingAreNoneThatTheTaskDoesNotSay) {
    const auto named = [](bool smoothed, int own_line) {
        Loss b;
        b.add(AtenStep{"aten::nll_loss_forward", B::args(b.scores, b.labels, Value{}, 1, -100), {}, {}});
        b.plan.steps.back().line = 4;
        for (const int line : smoothed ? std::vector<int>{4, own_line} : std::vector<int>{own_line}) {
            if (line == 0) continue;
            b.make("aten::eq.Scalar", B::args(b.labels, -100), {8}, DType::b1);
            b.plan.steps.back().line = line;
        }
        return named_values(b.plan).size();
    };
    EXPECT_EQ(named(true, 0), 0U);
    EXPECT_EQ(named(true, 5), 1U) << "it says so itself";
    EXPECT_EQ(named(false, 5), 1U);
}

TEST(NamedValues, AreWhatInputsAreComparedWith) {
    Loss b;
    b.make("aten::eq.Scalar", B::args(b.labels, 7), {8}, DType::b1);
    b.make("aten::ne.Scalar", B::args(b.labels, 3), {8}, DType::b1);
    b.make("aten::ne.Scalar", B::args(b.labels, 0.5), {8}, DType::b1);
    b.make("aten::gt.Scalar", B::args(b.labels, 5), {8}, DType::b1);
    b.make("aten::eq.Scalar", B::args(b.scores, -1.0), {8, 4}, DType::b1);
    const Tensor next = b.make("aten::add.Scalar", B::args(b.labels, 1), {8}, DType::i64);
    b.make("aten::eq.Scalar", B::args(next, 9), {8}, DType::b1);
    const std::vector<NamedValues> found = named_values(b.plan);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].values, Values{-1});
    EXPECT_EQ(found[1].values, (Values{3, 5, 6, 7}))
        << "half is no integer, sums are no input, and an order is decided between two";
}

TEST(NamedValues, AreThresholdsThatRealsSeldomMeet) {
    Loss b;
    b.make("aten::gt.Scalar", B::args(b.scores, 0.25), {8, 4}, DType::b1);
    b.make("aten::threshold", B::args(b.scores, 3.0, 0.0), {8, 4});
    const Tensor sizes = b.make("aten::abs", B::args(b.scores), {8, 4});
    b.make("aten::lt.Scalar", B::args(sizes, 2.0), {8, 4}, DType::b1);
    b.make("aten::histc", B::args(b.scores, 7, -1.0, 5.0), {8});
    const std::vector<NamedValues> found = named_values(b.plan);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].values, (Values{-2, -1, 0.25, 2, 3, 5}));
    EXPECT_TRUE(found[0].weights.empty());
}

TEST(NamedValues, AreWeightsOfRealsThatInputsAreComparedWith) {
    Builder b("reference");
    b.phase(Phase::init);
    const Tensor bounds = b.make("aten::rand", B::args(B::list({4})), {4});
    const Tensor gain = b.make("aten::rand", B::args(B::list({4})), {4});
    b.plan.weights = {{"gain", gain, true}, {"bounds", bounds, true}};
    b.phase(Phase::inputs);
    const Tensor x = b.input({8, 4});
    b.phase(Phase::forward);
    b.make("aten::mul.Tensor", B::args(x, gain), {8, 4});
    b.make("aten::bucketize.Tensor", B::args(x, bounds), {8, 4}, DType::i64);
    const std::vector<NamedValues> found = named_values(b.plan);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].weights, std::vector<size_t>{1});
}

}  // namespace
}  // namespace tritonsmith::plan
