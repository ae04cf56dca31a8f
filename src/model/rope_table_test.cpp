#include "model/rope_table.h"

#include <ATen/Functions.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace tritonsmith::model {
namespace {

RopeFrequencies frequencies() {
    Config config;
    config.head_dim = 32;
    config.rope_theta = 1e6;
    config.rope = {};
    return rope_frequencies(config);
}

RopeTable table() {
    return RopeTable(frequencies(), at::kFloat);
}

at::Tensor positions(std::initializer_list<int64_t> values) {
    return at::tensor(at::IntArrayRef(values), at::kLong);
}

TEST(RopeTable, HasTheCosinesAndSinesOfItsPositions) {
    const RopeTable whole = table();
    for (const at::Tensor& asked :
         {positions({0}), positions({63, 64}), positions({700, 3, 3}), positions({5000})}) {
        const RopeAngles angles = whole.angles(asked);
        const RopeRows rows = rope_rows(frequencies(), asked, at::kFloat);
        EXPECT_TRUE(at::allclose(angles.cos.index_select(0, angles.rows), rows.cos, 0, 1e-6));
        EXPECT_TRUE(at::allclose(angles.sin.index_select(0, angles.rows), rows.sin, 0, 1e-6));
    }
}

TEST(RopeTable, BitsDoNotDependOnEarlierPositions) {
    const RopeTable grown = table(), at_once = table();
    for (int64_t position = 0; position < 500; position += 7) grown.angles(positions({position}));
    const RopeAngles some = grown.angles(positions({499})), all = at_once.angles(positions({1000}));
    EXPECT_TRUE(some.cos.narrow(0, 0, 500).equal(all.cos.narrow(0, 0, 500)));
    EXPECT_TRUE(some.sin.narrow(0, 0, 500).equal(all.sin.narrow(0, 0, 500)));
}

TEST(RopeTable, ReturnedRowsStay) {
    const RopeTable growing = table();
    const RopeAngles before = growing.angles(positions({1}));
    const at::Tensor copy = before.cos.clone();
    growing.angles(positions({2000}));
    EXPECT_TRUE(before.cos.equal(copy));
}

TEST(RopeTable, RefusesNegativePositions) {
    EXPECT_THROW(table().angles(positions({4, -1})), InputError);
}

}  // namespace
}  // namespace tritonsmith::model
