#include "plan/values/met_weights.h"

#include <gtest/gtest.h>

#include "plan/ir/build.h"
#include "plan/values/named_values.h"

namespace tritonsmith::plan {
namespace {

using B = Builder;

struct WithThreshold : Builder {
    Tensor tokens, numbers, threshold, other;
    WithThreshold() : Builder("reference") {
        phase(Phase::inputs);
        const Tensor drawn = make("aten::randint", B::args(8, B::list({8})), {8}, DType::i64, 0);
        tokens = make("aten::_to_copy", B::args(drawn), {8}, DType::f32);
        numbers = make("aten::randn", B::args(B::list({8})), {8}, DType::f32, 1);
        plan.inputs = {{tokens}, {numbers}};
        phase(Phase::init);
        threshold = make("aten::full", B::args(B::list({1}), 3.0), {1});
        other = make("aten::full", B::args(B::list({1}), 5.0), {1});
        weight("threshold", threshold, false);
        weight("other", other, false);
        phase(Phase::forward);
    }
};

TEST(MetWeights, AreThoseThatWholeNumbersAreComparedWith) {
    WithThreshold b;
    b.make("aten::ge.Tensor", B::args(b.tokens, b.threshold), {8}, DType::b1);
    b.make("aten::ge.Tensor", B::args(b.numbers, b.other), {8}, DType::b1);
    EXPECT_EQ(met_weights(b.plan), (std::vector<bool>{true, false}));
}

TEST(MetWeights, AreNamedWithTheNextOnes) {
    WithThreshold b;
    b.make("aten::eq.Tensor", B::args(b.tokens, b.threshold), {8}, DType::b1);
    const std::vector<NamedValues> named = named_values(b.plan);
    ASSERT_EQ(named.size(), 1U);
    EXPECT_EQ(named[0].values, (std::vector<double>{3, 4}));
}

TEST(MetWeights, AreNoneThatPlacesAreComputedFrom) {
    WithThreshold b;
    b.make("aten::ge.Tensor", B::args(b.tokens, b.threshold), {8}, DType::b1);
    const Tensor place = b.make("aten::_to_copy", B::args(b.threshold), {1}, DType::i64);
    b.make("aten::index_select", B::args(b.numbers, 0, place), {1});
    EXPECT_EQ(met_weights(b.plan)[0], false);
}

}  // namespace
}  // namespace tritonsmith::plan
