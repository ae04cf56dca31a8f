#include "plan/analysis/shows.h"

#include <gtest/gtest.h>

#include "plan/ir/build.h"

namespace tritonsmith::plan {
namespace {

using B = Builder;

struct Task {
    B b{"reference"};
    Tensor x = b.input({4, 8}), y = b.input({4, 8});
    Tensor n = b.input({4, 8}, DType::i64);
};

TEST(Shows, OneNumberOfManyReals) {
    Task t;
    t.b.make("aten::sum.dim_IntList", B::args(t.x, B::list({1})), {4});
    EXPECT_FALSE(reduces_everything(t.b.plan));
    t.b.make("aten::sum", B::args(t.n), {}, DType::i64);
    EXPECT_FALSE(reduces_everything(t.b.plan)) << "integers";
    t.b.make("aten::linalg_vector_norm", B::args(t.x), {});
    EXPECT_TRUE(reduces_everything(t.b.plan));
}

TEST(Shows, FewNumbersOfManyReals) {
    Task t;
    t.b.make("aten::sum.dim_IntList", B::args(t.x, B::list({1})), {4});
    EXPECT_FALSE(reduces_to_few(t.b.plan)) << "rows are as short as there are few";
    const Tensor longer = t.b.input({2, 4096});
    t.b.make("aten::relu", B::args(longer), {2, 4096});
    EXPECT_FALSE(reduces_to_few(t.b.plan));
    t.b.make("aten::argmax", B::args(longer, 1), {2}, DType::i64);
    EXPECT_TRUE(reduces_to_few(t.b.plan));
}

TEST(Shows, CasesOfZero) {
    Task t;
    t.b.make("aten::eq.Scalar", B::args(t.n, 0), {4, 8}, DType::b1);
    t.b.make("aten::eq.Scalar", B::args(t.x, 1), {4, 8}, DType::b1);
    EXPECT_FALSE(has_case_of_zero(t.b.plan)) << "integers, another number";
    Task other = t;
    other.b.make("aten::eq.Scalar", B::args(other.x, 0), {4, 8}, DType::b1);
    EXPECT_TRUE(has_case_of_zero(other.b.plan));
    t.b.make("aten::xlogy.Tensor", B::args(t.x, t.y), {4, 8});
    EXPECT_TRUE(has_case_of_zero(t.b.plan));
}

TEST(Shows, InputsThatMeet) {
    Task t;
    const Tensor twice = t.b.make("aten::mul.Tensor", B::args(t.x, t.x), {4, 8});
    t.b.make("aten::mm", B::args(t.x, t.y), {4, 4});
    t.b.make("aten::add.Tensor", B::args(twice, t.y), {4, 8});
    EXPECT_FALSE(holds_inputs_together(t.b.plan));
    t.b.make("aten::sub.Tensor", B::args(twice, t.y), {4, 8});
    EXPECT_TRUE(holds_inputs_together(t.b.plan));
}

TEST(Shows, IntegersThatAreMoreThanPlaces) {
    Task t;
    t.b.make("aten::embedding", B::args(t.x, t.n), {4, 8, 8});
    EXPECT_FALSE(computes_with_integers(t.b.plan));
    t.b.make("aten::sum", B::args(t.n), {}, DType::i64);
    EXPECT_TRUE(computes_with_integers(t.b.plan));
}

}  // namespace
}  // namespace tritonsmith::plan
