#include "run/worker/sample/elements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/ir/tensor_position.h"

namespace tritonsmith::run::sample {
namespace {

using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

plan::Tensor matrix(int buffer, int64_t rows, int64_t columns, int64_t stride) {
    return {buffer, plan::DType::f32, {rows, columns}, {stride, 1}, 0};
}

TEST(ElementsWithin, LieInTheBytesAndInTheTensor) {
    std::mt19937_64 random(3);
    const plan::Tensor tensor = matrix(0, 4, 6, 8);  // two elements behind each row are not its own
    ttir::ByteRanges bytes;
    bytes.add(4 * 8, 4 * 16);   // row 1 and the gap behind it
    bytes.add(4 * 26, 4 * 28);  // row 3, columns 2 and 3
    EXPECT_THAT(elements_within(bytes, tensor, 64, random), UnorderedElementsAre(6, 7, 8, 9, 10, 11, 20, 21));
    EXPECT_EQ(elements_within(bytes, tensor, 3, random).size(), 3u);
    EXPECT_EQ(plan::storage_offset(tensor, 20), 26);
    EXPECT_EQ(plan::position_of(tensor, 20), (std::vector<int64_t>{3, 2}));
    ttir::ByteRanges part;
    part.add(2, 6);  // no whole element
    EXPECT_THAT(elements_within(part, tensor, 64, random), IsEmpty());
}

}  // namespace
}  // namespace tritonsmith::run::sample
