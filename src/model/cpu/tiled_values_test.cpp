#include "model/cpu/tiled_values.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "model/matrix.h"

namespace tritonsmith::model {
namespace {

TEST(TiledValues, HoldEveryValueOnce) {
    for (const auto& [outputs, inputs] :
         {std::pair<int64_t, int64_t>{1, 1}, {16, 32}, {17, 33}, {40, 31}, {33, 130}, {16, 64}})
        for (const at::ScalarType dtype : {at::kBFloat16, at::kChar}) {
            const at::Tensor values = (at::randn({outputs, inputs}) * 40).to(dtype);
            const TiledValues tiles = tiled(values);
            EXPECT_TRUE(at::equal(untiled(tiles, 0, outputs), values));
            EXPECT_TRUE(at::equal(untiled(tiles, outputs - 1, 1), values.narrow(0, outputs - 1, 1)));
            // What is no value is 0.
            EXPECT_EQ(tiles.tiles.count_nonzero().item<int64_t>(), values.count_nonzero().item<int64_t>());
        }
    EXPECT_THROW(tiled(at::randn({4, 4})), InputError);
}

TEST(TiledValues, AreInTheOrderOfTheMatrixUnit) {
    const at::Tensor values = at::arange(40 * 70).view({40, 70}).remainder(125).to(at::kChar);
    const TiledValues tiles = tiled(values);
    EXPECT_EQ(tiles.tiles.sizes(), (std::vector<int64_t>{3, 2, 16, 16, 4}));
    // Output 16 + 5, input 64 + 4 + 1: the second panel and block, the second word, its second element.
    EXPECT_TRUE(at::equal(tiles.tiles[1][1][1][5][1], values[21][69]));
    const TiledValues halves = tiled(values.to(at::kBFloat16));
    EXPECT_EQ(halves.tiles.sizes(), (std::vector<int64_t>{3, 3, 16, 16, 2}));
    EXPECT_TRUE(at::equal(halves.tiles[1][2][2][5][1], values[21][69].to(at::kBFloat16)));
}

TEST(Matrix, OthersAreCopiedIntoTheSameMemory) {
    const at::Tensor before = at::randn({21, 45}), after = at::randn({21, 45});
    for (const bool tiles : {false, true})
        for (const Matrix& start :
             {Matrix{before.clone()}, Matrix{before.to(at::kBFloat16)}, quantise(before)}) {
            Matrix matrix = start;
            if (tiles && start.dtype() != at::kFloat) {
                matrix.tiles = tiled(start.values);
                matrix.values = at::Tensor();
            }
            const Matrix shared = matrix;  // a tied head, say
            assign(matrix, after);
            const Matrix expected =
                start.scales.defined() ? quantise(after) : Matrix{after.to(start.dtype())};
            EXPECT_TRUE(at::equal(dequantise(shared), dequantise(expected))) << start.dtype() << tiles;
            EXPECT_EQ(shared.outputs(), 21);
            EXPECT_EQ(shared.inputs(), 45);
            EXPECT_THROW(assign(matrix, after.narrow(0, 0, 20)), InputError);
        }
}

}  // namespace
}  // namespace tritonsmith::model
