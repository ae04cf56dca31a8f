#include "run/worker/aten/convolve.h"

#include <ATen/ops/allclose.h>
#include <ATen/ops/convolution.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

namespace tritonsmith::run {
namespace {

/// As at::convolution, bias and all.
void compare(std::vector<int64_t> x, std::vector<int64_t> weight, const std::vector<int64_t>& stride,
             const std::vector<int64_t>& padding, const std::vector<int64_t>& dilation, int64_t groups,
             at::ScalarType dtype = at::kDouble) {
    const size_t axes = x.size() - 2;
    Convolution of{at::randn(x, dtype),
                   at::randn(weight, dtype),
                   at::randn({weight[0]}, dtype),
                   stride,
                   padding,
                   dilation,
                   false,
                   std::vector<int64_t>(axes, 0),
                   groups};
    for (const bool bias : {true, false}) {
        if (!bias) of.bias.reset();
        const at::Tensor expected = at::convolution(of.x, of.weight, of.bias, stride, padding, dilation,
                                                    false, of.output_padding, groups);
        const at::Tensor out = convolve(of);
        ASSERT_EQ(out.sizes(), expected.sizes());
        EXPECT_TRUE(out.is_contiguous());
        EXPECT_TRUE(at::allclose(out, expected, 1e-12, 1e-12)) << groups << " groups of " << weight[1];
    }
}

TEST(Convolve, ManyGroupsAreThoseOfATen) {
    compare({2, 16, 9}, {16, 1, 3}, {1}, {1}, {1}, 16);
    compare({2, 16, 12, 11}, {16, 1, 3, 3}, {2, 2}, {1, 1}, {1, 1}, 16);
    compare({2, 8, 12, 11}, {24, 1, 5, 3}, {1, 2}, {2, 0}, {2, 3}, 8);  // three outputs a group
    compare({1, 32, 7, 6}, {64, 4, 3, 1}, {1, 3}, {0, 2}, {1, 1}, 8);
    compare({2, 16, 1, 1}, {16, 2, 1, 1}, {1, 1}, {0, 0}, {1, 1}, 8);
    compare({1, 9, 5, 6, 7}, {9, 1, 3, 2, 3}, {1, 2, 1}, {1, 0, 1}, {1, 1, 2}, 9);
}

TEST(Convolve, OtherCallsAreATens) {
    compare({2, 6, 9, 9}, {4, 3, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 2);
    compare({2, 16, 9, 9}, {16, 1, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 16, at::kFloat);
    Convolution up{at::randn({2, 8, 5, 5}, at::kDouble),
                   at::randn({8, 1, 3, 3}, at::kDouble),
                   std::nullopt,
                   {2, 2},
                   {1, 1},
                   {1, 1},
                   true,
                   {1, 1},
                   8};
    EXPECT_EQ(convolve(up).sizes(), (std::vector<int64_t>{2, 8, 10, 10}));
}

TEST(Convolve, WhatATenRefusesIsRefused) {
    const auto of = [](std::vector<int64_t> x, std::vector<int64_t> weight) {
        return Convolution{at::randn(x, at::kDouble),
                           at::randn(weight, at::kDouble),
                           std::nullopt,
                           {1, 1},
                           {0, 0},
                           {1, 1},
                           false,
                           {0, 0},
                           8};
    };
    EXPECT_THROW(convolve(of({1, 16, 2, 2}, {16, 2, 3, 3})), c10::Error);  // a window larger than the image
    EXPECT_THROW(convolve(of({1, 16, 5, 5}, {16, 1, 3, 3})), c10::Error);  // groups of one, of two channels
}

}  // namespace
}  // namespace tritonsmith::run
