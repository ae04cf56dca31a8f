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

}  // namespace
}  // namespace tritonsmith::plan
