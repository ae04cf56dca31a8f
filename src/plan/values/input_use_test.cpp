#include "plan/values/input_use.h"

#include <gtest/gtest.h>

#include "plan/ir/build.h"

namespace tritonsmith::plan {
namespace {

using B = Builder;

TEST(InputUse, PlacesAreToldFromWhatIsComputedWith) {
    Builder b("reference");
    b.phase(Phase::inputs);
    const Tensor table = b.make("aten::randn", B::args(B::list({8, 4})), {8, 4}, DType::f32, 0);
    const Tensor places = b.make("aten::arange", B::args(8), {8}, DType::i64);
    const Tensor both = b.make("aten::arange", B::args(8), {8}, DType::i64);
    const Tensor unread = b.make("aten::arange", B::args(8), {8}, DType::i64);
    b.phase(Phase::forward);
    const Tensor cast = b.make("aten::_to_copy", B::args(places), {8}, DType::i32);
    b.make("aten::embedding", B::args(table, cast), {8, 4});
    b.make("aten::embedding", B::args(table, both), {8, 4});
    b.plan.output = {b.make("aten::mul.Tensor", B::args(both, 2), {8}, DType::i64)};
    const std::vector<Use> found = uses(b.plan, {table, places, both, unread});
    EXPECT_TRUE(found[0].other && !found[0].index) << "what is read at places";
    EXPECT_TRUE(found[1].index_only()) << "through a cast";
    EXPECT_TRUE(found[2].index && found[2].other);
    EXPECT_FALSE(found[3].read);
}

TEST(InputUse, BoundariesAreToldThroughArithmetic) {
    Builder b("reference");
    const Tensor x = b.input({8}), edges = b.input({4}), scaled = b.input({4}), ordered = b.input({4}),
                 order = b.input({4}, DType::i64);
    b.phase(Phase::forward);
    b.make("aten::bucketize.Tensor", B::args(x, edges), {8}, DType::i64);
    const Tensor twice = b.make("aten::mul.Tensor", B::args(scaled, 2), {4});
    b.make("aten::searchsorted.Tensor", B::args(twice, x), {8}, DType::i64);
    b.add(AtenStep{"aten::searchsorted.Tensor", B::args(ordered, x), {{"sorter", Value{order}}}, {}});
    const std::vector<Use> found = uses(b.plan, {x, edges, scaled, ordered});
    EXPECT_FALSE(found[0].boundaries);
    EXPECT_TRUE(found[1].boundaries);
    EXPECT_TRUE(found[2].boundaries);
    EXPECT_FALSE(found[3].boundaries) << "the order is given";
}

TEST(InputUse, ComparisonsAndPlacesThatAreComputedAreTold) {
    Builder b("reference");
    const Tensor x = b.input({8, 4}), mask = b.input({8}), truths = b.input({8}), scale = b.input({8}),
                 lengths = b.input({8}, DType::i64), counts = b.input({8}, DType::i64);
    b.phase(Phase::forward);
    b.make("aten::eq.Scalar", B::args(mask, 0), {8}, DType::b1);
    b.make("aten::_to_copy", B::args(truths), {8}, DType::b1);
    b.make("aten::mul.Tensor", B::args(x, scale), {8, 4});
    const Tensor last = b.make("aten::sub.Tensor", B::args(lengths, 1), {8}, DType::i64);
    b.make("aten::index.Tensor", B::args(x, last), {8, 4});
    const Tensor inside = b.make("aten::lt.Tensor", B::args(last, counts), {8}, DType::b1);
    b.make("aten::index.Tensor", B::args(x, inside), {8, 4});
    const std::vector<Use> found = uses(b.plan, {x, mask, truths, scale, lengths, counts});
    EXPECT_TRUE(found[1].compared && found[2].compared);
    EXPECT_FALSE(found[0].compared || found[3].compared);
    EXPECT_TRUE(found[4].places);
    EXPECT_FALSE(found[5].places) << "truths are no places";
}

}  // namespace
}  // namespace tritonsmith::plan
