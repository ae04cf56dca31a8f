#include "ttir/analysis/reorder.h"

#include "ttir/interp/interp_testing.h"
#include "ttir/parse/printer.h"

namespace tritonsmith::ttir {
namespace {

using testing::Kernel;
using testing::values;

/// Stores b0[0 .. 7] after a reshape to 4 x 2 as b1[row * 2 + column].
std::string reshaped(const std::string& leave) {
    return R"(module {
  tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
    %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %xp = tt.addptr %xs, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %v = tt.load %xp : tensor<8x!tt.ptr<f32>>
    %w = tt.reshape %v )" +
           leave + R"( : tensor<8xf32> -> tensor<4x2xf32>
    %j = tt.reshape %i : tensor<8xi32> -> tensor<4x2xi32>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<4x2x!tt.ptr<f32>>
    %yp = tt.addptr %ys, %j : tensor<4x2x!tt.ptr<f32>>, tensor<4x2xi32>
    tt.store %yp, %w : tensor<4x2x!tt.ptr<f32>>
    tt.return
  }
}
)";
}

/// Sums a block of 4 x 2 made flat; `more` stands behind the reduction.
std::string summed(const std::string& more) {
    return R"(module {
  tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
    %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %j = tt.reshape %i : tensor<8xi32> -> tensor<4x2xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<4x2x!tt.ptr<f32>>
    %xp = tt.addptr %xs, %j : tensor<4x2x!tt.ptr<f32>>, tensor<4x2xi32>
    %v = tt.load %xp : tensor<4x2x!tt.ptr<f32>>
    %w = tt.reshape %v allow_reorder : tensor<4x2xf32> -> tensor<8xf32>
    %s = "tt.reduce"(%w) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<8xf32>) -> f32
    tt.store %y, %s : !tt.ptr<f32>
)" + more + R"(    tt.return
  }
}
)";
}

TEST(Reorder, TheElementsOfBothHalvesTakeTurns) {
    const auto other = reordered(parse(reshaped("allow_reorder")));
    ASSERT_TRUE(other);
    Kernel k(print(*other));
    k.in<float>({0, 1, 2, 3, 4, 5, 6, 7});
    Buffer& out = k.out<float>(8);
    k.clean();
    EXPECT_EQ(values<float>(out), (std::vector<float>{0, 4, 1, 5, 2, 6, 3, 7}));
}

TEST(Reorder, TheInterpreterKeepsTheOrder) {
    Kernel k(reshaped("allow_reorder"));
    k.in<float>({0, 1, 2, 3, 4, 5, 6, 7});
    Buffer& out = k.out<float>(8);
    k.clean();
    EXPECT_EQ(values<float>(out), (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(Reorder, OtherReshapesStay) {
    const Module plain = parse(reshaped(""));
    EXPECT_FALSE(reordered(plain));
    EXPECT_EQ(first_reordered(plain), -1);
}

TEST(Reorder, WhatIsOnlyReducedStays) {
    EXPECT_FALSE(reordered(parse(summed(""))));
    const std::string stored = R"(    %one = arith.constant dense<1> : tensor<8xi32>
    %k = arith.addi %i, %one : tensor<8xi32>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %yp = tt.addptr %ys, %k : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    tt.store %yp, %w : tensor<8x!tt.ptr<f32>>
)";
    const auto other = reordered(parse(summed(stored)));
    ASSERT_TRUE(other);
    Kernel k(print(*other));
    k.in<float>({0, 1, 2, 3, 4, 5, 6, 7});
    Buffer& out = k.out<float>(9);
    k.clean();
    EXPECT_EQ(values<float>(out), (std::vector<float>{28, 0, 4, 1, 5, 2, 6, 3, 7}));
}

}  // namespace
}  // namespace tritonsmith::ttir
