#include "plan/values/met_rows.h"

#include <gtest/gtest.h>

#include "plan/ir/build.h"

namespace tritonsmith::plan {
namespace {

using B = Builder;

struct Codebook : Builder {
    Tensor codes, x;
    Codebook() : Builder("reference") {
        phase(Phase::init);
        codes = make("aten::rand", B::args(B::list({16, 4})), {16, 4});
        plan.weights = {{"codes", codes, true}};
        x = input({8, 4});
        phase(Phase::forward);
    }
    Tensor distances() {
        return make("aten::_cdist_forward", B::args(x, codes, 2.0, Value{}), {8, 16});
    }
};

TEST(MetRows, AreThoseOfAWeightThatResultsAreChosenBy) {
    Codebook b;
    b.make("aten::argmin", B::args(b.distances(), 1), {8}, DType::i64);
    const std::vector<MetRows> found = met_rows(b.plan);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].input, 0U);
    EXPECT_EQ(found[0].weight, 0U);
}

TEST(MetRows, AreNoneWhereNothingIsChosen) {
    Codebook b;
    b.make("aten::exp", B::args(b.distances()), {8, 16});
    EXPECT_TRUE(met_rows(b.plan).empty());
}

}  // namespace
}  // namespace tritonsmith::plan
