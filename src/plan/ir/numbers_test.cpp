#include "plan/ir/numbers.h"

#include <gtest/gtest.h>

#include "plan/ir/build.h"

namespace tritonsmith::plan {
namespace {

using B = Builder;

AtenStep call_of(const std::string& op, List args, Value result = {}) {
    return {op, std::move(args), {}, std::move(result)};
}

TEST(Numbers, AreOfTheTypeOfTheTensors) {
    const Tensor x = B::contiguous(0, DType::f32, {4}), h = B::contiguous(1, DType::bf16, {4}),
                 i = B::contiguous(2, DType::i32, {4}), d = B::contiguous(3, DType::f64, {4});
    EXPECT_EQ(number_type(call_of("aten::gt.Scalar", {{x}, {0.6}})), DType::f32);
    EXPECT_EQ(number_type(call_of("aten::threshold", {{x}, {0.6}, {0.0}})), DType::f32);
    EXPECT_EQ(number_type(call_of("aten::hardshrink", {{h}, {0.6}})), DType::bf16);
    EXPECT_EQ(number_type(call_of("aten::gt.Scalar", {{i}, {0.6}})), DType::f32);
    EXPECT_EQ(number_type(call_of("aten::gt.Scalar", {{d}, {0.6}})), std::nullopt);
    EXPECT_EQ(number_type(call_of("aten::add.Tensor", {{x}, {h}})), std::nullopt);
    EXPECT_EQ(number_type(call_of("aten::native_layer_norm", {{x}, {1e-5}})), std::nullopt);
    EXPECT_EQ(number_type(call_of("aten::full", {{0.6}}, {h})), DType::bf16);
}

TEST(Numbers, RoundToTheTypeUnlessItHasNoneSoLarge) {
    const Tensor x = B::contiguous(0, DType::f32, {4});
    const AtenStep rounded = with_numbers_in(call_of("aten::threshold", {{x}, {0.6}, {1e300}}), DType::f32);
    EXPECT_EQ(std::get<double>(rounded.args[1].v), static_cast<double>(0.6F));
    EXPECT_EQ(std::get<double>(rounded.args[2].v), 1e300);
    EXPECT_EQ(
        std::get<double>(with_numbers_in(call_of("aten::mul.Scalar", {{x}, {0.5}}), DType::f32).args[1].v),
        0.5);
}

}  // namespace
}  // namespace tritonsmith::plan
