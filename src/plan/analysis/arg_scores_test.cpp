#include "plan/analysis/arg_scores.h"

#include <gtest/gtest.h>

#include "plan/ir/build.h"

namespace tritonsmith::plan {
namespace {

using B = Builder;

struct Reference {
    B b{"reference"};
    Tensor x = b.input({4, 8});
    Tensor y = b.make("aten::tanh", B::args(x), {4, 8});
};

TEST(ArgScores, OfAnArgmaxBehindACast) {
    Reference r;
    const Tensor place = r.b.make("aten::argmax", B::args(r.y, -1), {4}, DType::i64);
    r.b.free(r.y);
    const Tensor cast = r.b.make("aten::_to_copy", B::args(place), {4}, DType::i32);
    r.b.plan.output = B::tensors({r.x, cast});
    const std::vector<ArgScores> found = arg_scores(r.b.plan);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].output, 1U);
    EXPECT_EQ(found[0].scores.buffer, r.y.buffer);
    EXPECT_EQ(found[0].dimension, 1);
    const size_t steps = r.b.plan.steps.size();
    keep_scores(r.b.plan);
    EXPECT_EQ(r.b.plan.steps.size(), steps - 1);
}

TEST(ArgScores, NotWhereTheComparedIsOverwritten) {
    Reference r;
    const Tensor place = r.b.make("aten::argmin", B::args(r.y), {}, DType::i64);
    r.b.plan.output = {place};
    ASSERT_EQ(arg_scores(r.b.plan).size(), 1U);
    EXPECT_EQ(arg_scores(r.b.plan)[0].dimension, -1);
    r.b.op("aten::relu_", B::args(r.y), r.y);
    EXPECT_TRUE(arg_scores(r.b.plan).empty());
}

}  // namespace
}  // namespace tritonsmith::plan
