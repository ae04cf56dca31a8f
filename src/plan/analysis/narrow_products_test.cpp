#include "plan/analysis/narrow_products.h"

#include <gtest/gtest.h>

#include <variant>

#include "plan/ir/build.h"

namespace tritonsmith::plan {
namespace {

using B = Builder;

/// softmax(q.float() @ k.float() · factor) @ v.float(), cast to `result`.
struct WidenedAttention {
    B b{"reference"};
    Tensor q, k, v, p;

    explicit WidenedAttention(DType result, double factor = 0.3) {
        const auto wide = [&](const Tensor& narrow) {
            return b.make("aten::_to_copy", {{narrow}}, narrow.shape, DType::f32);
        };
        q = wide(b.input({8, 8}, DType::f16));
        k = wide(b.input({8, 8}, DType::f16));
        v = wide(b.input({8, 8}, DType::f16));
        const Tensor scores = b.make("aten::mm", {{q}, {k}}, {8, 8});
        const Tensor scaled = b.make("aten::mul.Tensor", B::args(scores, factor), {8, 8});
        p = b.make("aten::_softmax", B::args(scaled, 1, false), {8, 8});
        const Tensor out = b.make("aten::mm", {{p}, {v}}, {8, 8});
        b.plan.output = {result == DType::f32 ? out : b.make("aten::_to_copy", {{out}}, {8, 8}, result)};
    }
    /// Buffers of the operands that are rounded, of each product; -1: none.
    std::vector<int> rounded() const {
        const NarrowProducts products(b.plan);
        std::vector<int> out;
        for (const Step& step : b.plan.steps)
            if (const auto* aten = std::get_if<AtenStep>(&step.what); aten && aten->op == "aten::mm") {
                const auto found = products.rounded(*aten);
                out.push_back(found ? found->operand.buffer : -1);
            }
        return out;
    }
};

TEST(NarrowProducts, WhatIsComputedTakesTheTypeOfTheOtherOperand) {
    const WidenedAttention attention(DType::f16);
    EXPECT_EQ(attention.rounded(), (std::vector<int>{attention.q.buffer, attention.p.buffer}));
}

TEST(NarrowProducts, AFactorOfTwoChangesNoDigits) {
    const WidenedAttention attention(DType::f16, 0.125);
    EXPECT_EQ(attention.rounded(), (std::vector<int>{-1, attention.p.buffer}));
}

TEST(NarrowProducts, AResultInAWideTypeIsNotRounded) {
    EXPECT_EQ(WidenedAttention(DType::f32).rounded(), (std::vector<int>{-1, -1}));
}

TEST(NarrowProducts, OperandsThatAreGivenInAWideTypeAreNot) {
    B b("reference");
    const Tensor x = b.make("aten::_to_copy", {{b.input({8, 8}, DType::bf16)}}, {8, 8}), w = b.input({8, 8}),
                 out = b.make("aten::mm", {{x}, {w}}, {8, 8});
    b.plan.output = {b.make("aten::_to_copy", {{out}}, {8, 8}, DType::bf16)};
    EXPECT_FALSE(NarrowProducts(b.plan).rounded(std::get<AtenStep>(b.plan.steps.at(1).what)));
}

}  // namespace
}  // namespace tritonsmith::plan
