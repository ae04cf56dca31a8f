#include "run/draw/known_integers.h"

#include <gtest/gtest.h>

#include <cstring>

#include "plan/ir/build.h"

namespace tritonsmith::run {
namespace {

using plan::DType;
using B = plan::Builder;

template <typename T>
std::vector<T> drawn_integers(const plan::Plan& plan, const plan::Tensor& tensor) {
    const auto bytes = known_integers(plan, tensor.buffer);
    if (!bytes) return {};
    std::vector<T> out(bytes->size() / sizeof(T));
    std::memcpy(out.data(), bytes->data(), out.size() * sizeof(T));
    return out;
}

TEST(KnownIntegers, AreThoseThatThePlanStates) {
    B b("reference");
    b.phase(plan::Phase::inputs);
    plan::Tensor constant = b.fresh({3}, DType::i32, plan::BufferKind::constant);
    b.plan.buffers[static_cast<size_t>(constant.buffer)].data = {7, 0, 0, 0, 255, 255, 255, 255, 9, 1, 0, 0};
    plan::Tensor copy = b.make("aten::_to_copy", B::args(constant), {3}, DType::i32);
    plan::Tensor end = b.make("aten::arange", B::args(4), {4}, DType::i64);
    plan::Tensor steps = b.make("aten::arange.start_step", B::args(5, -3, -2), {4}, DType::i16);
    plan::Tensor zeros = b.make("aten::zeros", B::args(B::list({2})), {2}, DType::i32);
    EXPECT_EQ(drawn_integers<int32_t>(b.plan, copy), (std::vector<int32_t>{7, -1, 265}));
    EXPECT_EQ(drawn_integers<int64_t>(b.plan, end), (std::vector<int64_t>{0, 1, 2, 3}));
    EXPECT_EQ(drawn_integers<int16_t>(b.plan, steps), (std::vector<int16_t>{5, 3, 1, -1}));
    EXPECT_EQ(drawn_integers<int32_t>(b.plan, zeros), (std::vector<int32_t>{0, 0}));
}

TEST(KnownIntegers, AreNotThoseThatAreComputedOrWrittenTwice) {
    B b("reference");
    b.phase(plan::Phase::inputs);
    plan::Tensor wide = b.make("aten::arange", B::args(4), {4}, DType::i64);
    plan::Tensor narrow = b.make("aten::_to_copy", B::args(wide), {4}, DType::i32);
    plan::Tensor sum = b.make("aten::add.Tensor", B::args(wide, wide), {4}, DType::i64);
    plan::Tensor real = b.make("aten::arange", B::args(4), {4}, DType::f32);
    plan::Tensor changed = b.make("aten::zeros", B::args(B::list({4})), {4}, DType::i64);
    b.op("aten::add_.Tensor", B::args(changed, wide), changed);
    for (const plan::Tensor& tensor : {narrow, sum, real, changed})
        EXPECT_FALSE(known_integers(b.plan, tensor.buffer)) << tensor.buffer;
    EXPECT_TRUE(known_integers(b.plan, wide.buffer));
}

}  // namespace
}  // namespace tritonsmith::run
