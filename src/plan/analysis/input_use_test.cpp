#include "plan/analysis/input_use.h"

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

}  // namespace
}  // namespace tritonsmith::plan
