#include "plan/weights/stated_numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "plan/ir/build.h"

namespace tritonsmith::plan {
namespace {

using testing::ElementsAre;
using B = Builder;

Tensor recorded(Builder& b, const std::vector<float>& numbers) {
    const Tensor out = b.constant({static_cast<int64_t>(numbers.size())});
    std::vector<uint8_t>& data = b.plan.buffers[static_cast<size_t>(out.buffer)].data;
    std::memcpy(data.data(), numbers.data(), data.size());
    return out;
}

TEST(StatedNumbers, OneIsOneHoweverItIsMade) {
    Builder b("reference");
    b.phase(Phase::init);
    const Tensor ones = b.make("aten::ones", B::args(B::list({8})), {8});
    b.weight("scaled", b.make("aten::mul.Tensor", B::args(ones, 0.5), {8}), false);
    const Tensor four = b.make("aten::full", B::args(B::list({8}), 4.0), {8});
    b.weight("root", b.make("aten::sqrt", B::args(four), {8}), false);
    b.weight("listed", recorded(b, {0.5F, 0.5F, 0.5F}), false);
    b.weight("number", b.make("aten::sum", B::args(b.make("aten::arange", B::args(8), {8})), {}), false);
    EXPECT_THAT(stated_numbers(b.plan), testing::Each(Stated::one));
}

TEST(StatedNumbers, SeveralAreOfListsAndFills) {
    Builder b("reference");
    b.phase(Phase::init);
    const Tensor list = recorded(b, {1, 2, 3});
    b.weight("list", list, false);
    b.weight("scaled", b.make("aten::div.Tensor", B::args(list, 255.0), {3}), false);
    const Tensor two = b.make("aten::zeros", B::args(B::list({4})), {4});
    Tensor first = two;
    first.shape = {2};
    b.op("aten::fill_.Scalar", B::args(first, 3), first);
    b.weight("two", two, false);
    EXPECT_THAT(stated_numbers(b.plan), testing::Each(Stated::some));
}

TEST(StatedNumbers, TablesAndDrawsAreUnknown) {
    Builder b("reference");
    b.phase(Phase::init);
    b.weight("table", b.make("aten::arange", B::args(8), {8}), false);
    b.weight("drawn", b.make("aten::randn", B::args(B::list({8})), {8}, DType::f32, 0));
    const Tensor ones = b.make("aten::ones", B::args(B::list({8, 8})), {8, 8});
    b.weight("mask", b.make("aten::tril", B::args(ones), {8, 8}), false);
    EXPECT_THAT(stated_numbers(b.plan), testing::Each(Stated::unknown));
}

}  // namespace
}  // namespace tritonsmith::plan
