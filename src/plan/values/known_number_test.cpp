#include "plan/values/known_number.h"

#include <gtest/gtest.h>

#include <cstring>

#include "plan/ir/build.h"

namespace tritonsmith::plan {
namespace {

using B = Builder;

struct WithCap : Builder {
    Tensor cap = constant({});
    WithCap() {
        const float five = 5;
        std::memcpy(plan.buffers[static_cast<size_t>(cap.buffer)].data.data(), &five, sizeof five);
        phase(Phase::init);
    }
};

TEST(KnownNumber, IsWhatAConstantHoldsThroughCopiesAndCasts) {
    WithCap b;
    EXPECT_EQ(known_number(b.plan, b.cap), 5);
    const Tensor moved = b.make("aten::_to_copy", B::args(b.cap), {}, DType::f16);
    const Tensor kept = b.make("aten::empty.memory_format", B::args(B::list({1})), {1});
    b.op("aten::copy_", B::args(kept, moved), kept);
    EXPECT_EQ(known_number(b.plan, kept), 5);
    EXPECT_EQ(known_number(b.plan, b.make("aten::full", B::args(B::list({1}), 2.5), {1})), 2.5);
    EXPECT_EQ(known_number(b.plan, b.make("aten::scalar_tensor", B::args(7), {})), 7);
}

TEST(KnownNumber, IsNoneOfWhatIsComputedWrittenTwiceOrLonger) {
    WithCap b;
    EXPECT_FALSE(known_number(b.plan, b.make("aten::exp", B::args(b.cap), {})));
    EXPECT_FALSE(known_number(b.plan, b.make("aten::zeros", B::args(B::list({2})), {2})));
    b.op("aten::mul_.Tensor", B::args(b.cap, b.cap), b.cap);
    EXPECT_FALSE(known_number(b.plan, b.cap));
}

TEST(KnownNumbers, AreThoseOfAShortListOrOfAFill) {
    Builder b("reference");
    const Tensor list = b.constant({3}), table = b.constant({65});
    const float numbers[3] = {7, 8, 3};
    std::memcpy(b.plan.buffers[static_cast<size_t>(list.buffer)].data.data(), numbers, sizeof numbers);
    b.phase(Phase::init);
    const Tensor cast = b.make("aten::_to_copy", B::args(list), {3}, DType::i64);
    EXPECT_EQ(known_numbers(b.plan, cast), (std::vector<double>{7, 8, 3}));
    EXPECT_EQ(known_numbers(b.plan, b.make("aten::full", B::args(B::list({9}), 2.5), {9})),
              std::vector<double>{2.5});
    EXPECT_TRUE(known_numbers(b.plan, table).empty());
}

}  // namespace
}  // namespace tritonsmith::plan
