#include "run/worker/memory/device_memory.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "run/plan_builder_testing.h"
#include "run/worker/step_error.h"

/// On the CPU: its memory is as good as any for what the class keeps account of.
namespace tritonsmith::run {
namespace {

using plan::DType;
using ::testing::HasSubstr;
using testing::PlanBuilder;

constexpr int64_t kGuard = 512, kGuardedElements = 100;

struct Buffers : PlanBuilder {
    plan::Tensor a = tensor({kGuardedElements}), b = tensor({kGuardedElements}),
                 c = tensor({kGuardedElements}, DType::i64);
    plan::Tensor known = constant<float>({3}, DType::f32, {1, 2, 3});
};

std::byte* first_byte(DeviceMemory& memory, const plan::Tensor& tensor) {
    return reinterpret_cast<std::byte*>(memory.address(tensor.buffer));
}
std::vector<std::byte> bytes(DeviceMemory& memory, const plan::Tensor& tensor) {
    const at::Tensor view = memory.view(tensor);
    const auto* first = static_cast<const std::byte*>(view.data_ptr());
    return {first, first + view.nbytes()};
}
template <class T>
std::string refusal(T action) {
    try {
        action();
    } catch (const StepError& error) {
        return error.reason;
    }
    return "none";
}

TEST(DeviceMemoryOfCalls, EverySecondCallHasItsInputsElsewhere) {
    PlanBuilder plan;
    const plan::Tensor x = plan.tensor({kGuardedElements}, DType::f32, plan::BufferKind::input);
    DeviceMemory memory(plan.plan, {at::kCPU, 7, kGuard});
    memory.allocate_for(x);
    for (const bool elsewhere : {false, true, false, true}) {
        const auto before = memory.address(x.buffer);
        memory.begin_call();
        memory.release(x.buffer);
        memory.allocate_for(x);
        if (elsewhere) {
            EXPECT_NE(memory.address(x.buffer), before);
        }
    }
}

class Guarded : public ::testing::Test {
  protected:
    Guarded() {
        memory.allocate(plan.a.buffer, DType::f32);
        memory.allocate(plan.b.buffer, DType::f32);
    }
    Buffers plan;
    DeviceMemory memory{plan.plan, {at::kCPU, 7, kGuard}};
};

TEST_F(Guarded, IntactZonesSayNothing) {
    memory.view(plan.a).fill_(1);
    memory.view(plan.b).zero_();
    EXPECT_FALSE(memory.damaged_guard());
    memory.release(plan.a.buffer);
    EXPECT_FALSE(memory.damaged_guard());
}

TEST_F(Guarded, AWriteJustBehindABufferIsNamed) {
    std::byte* end = first_byte(memory, plan.b) + kGuardedElements * 4;
    *end ^= std::byte{1};
    const auto finding = memory.damaged_guard();
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->reason, "out_of_bounds");
    EXPECT_THAT(finding->message, HasSubstr("behind the end of"));
    EXPECT_EQ(finding->evidence["buffer"], plan.b.buffer);
    EXPECT_EQ(finding->evidence["where"], "behind");
    *end ^= std::byte{1};
    EXPECT_FALSE(memory.damaged_guard());
}

TEST_F(Guarded, TheFirstAndTheLastByteOfTheZonesCount) {
    for (const int64_t at : {-kGuard, int64_t{-1}, kGuardedElements * 4 + kGuard - 1}) {
        std::byte* astray = first_byte(memory, plan.a) + at;
        *astray ^= std::byte{0x80};
        const auto finding = memory.damaged_guard();
        ASSERT_TRUE(finding) << at;
        EXPECT_EQ(finding->evidence["buffer"], plan.a.buffer);
        EXPECT_EQ(finding->evidence["where"], at < 0 ? "before" : "behind");
        *astray ^= std::byte{0x80};
    }
}

TEST_F(Guarded, DamageOutlivesItsBuffer) {
    *(first_byte(memory, plan.a) - 1) ^= std::byte{1};
    memory.release(plan.a.buffer);
    const auto finding = memory.damaged_guard();
    ASSERT_TRUE(finding) << "temporaries are freed long before anybody looks";
    EXPECT_EQ(finding->evidence["buffer"], plan.a.buffer);
}

TEST_F(Guarded, NothingIsAdopted) {
    EXPECT_FALSE(memory.adopt(plan.c, at::full({kGuardedElements}, 1, at::kLong)));
}

TEST(DeviceMemory, WithoutGuardsItTakesUnsharedStorage) {
    Buffers plan;
    DeviceMemory memory(plan.plan, {});
    at::Tensor fresh = at::full({kGuardedElements}, 5, at::kFloat);
    const void* where = fresh.data_ptr();
    {
        const at::Tensor other = at::full({kGuardedElements}, 5, at::kLong);
        EXPECT_FALSE(memory.adopt(plan.a, other)) << "of another dtype";
        const at::Tensor shared = at::full({kGuardedElements}, 5, at::kFloat), also = shared.view({10, 10});
        EXPECT_FALSE(memory.adopt(plan.a, shared)) << "somebody else holds it";
        EXPECT_FALSE(memory.adopt(plan.a, at::full({kGuardedElements / 2}, 5, at::kFloat))) << "too small";
    }
    EXPECT_TRUE(memory.adopt(plan.a, fresh));
    EXPECT_EQ(memory.view(plan.a).data_ptr(), where);
    EXPECT_TRUE(memory.holds(plan.a.buffer, fresh));
    EXPECT_FALSE(memory.adopt(plan.a, at::full({kGuardedElements}, 5, at::kFloat))) << "it is there";
    EXPECT_FALSE(memory.damaged_guard());
}

TEST(DeviceMemory, FreshMemoryDiffersFromSeedToSeedAndIsRecognised) {
    Buffers plan;
    DeviceMemory one(plan.plan, {at::kCPU, 1, kGuard}), two(plan.plan, {at::kCPU, 2, kGuard});
    for (DeviceMemory* memory : {&one, &two})
        for (const plan::Tensor& tensor : {plan.a, plan.c}) memory->allocate(tensor.buffer, tensor.dtype);
    EXPECT_NE(bytes(one, plan.a), bytes(two, plan.a));
    for (const plan::Tensor& tensor : {plan.a, plan.c}) {
        EXPECT_EQ(one.unwritten(tensor).count, kGuardedElements);
        EXPECT_EQ(one.unwritten(tensor).first, 0);
        one.view(tensor).narrow(0, 0, 60).zero_();
        EXPECT_EQ(one.unwritten(tensor).count, kGuardedElements - 60);
        EXPECT_EQ(one.unwritten(tensor).first, 60);
        one.view(tensor).zero_();
        EXPECT_EQ(one.unwritten(tensor).count, 0);
    }
    const plan::Tensor half{plan.a.buffer, DType::f32, {50}, {1}, 50};
    EXPECT_EQ(two.unwritten(half).count, 50) << "of a view, counted from its own first element";
    two.view(half).narrow(0, 0, 10).zero_();
    EXPECT_EQ(two.unwritten(half).first, 10);
}

TEST(DeviceMemory, WhatIsFilledNextIsNotCalledUnwritten) {
    Buffers plan;
    DeviceMemory memory(plan.plan, {});
    memory.allocate_for(plan.a);
    EXPECT_EQ(memory.unwritten(plan.a).count, 0);
    const plan::Tensor part{plan.b.buffer, DType::f32, {10}, {1}, 0};
    memory.allocate_for(part);
    EXPECT_EQ(memory.unwritten(plan.b).count, kGuardedElements) << "the tensor does not fill its buffer";
}

TEST(DeviceMemory, ConstantsAreThereWhenTheyAreAskedFor) {
    Buffers plan;
    DeviceMemory memory(plan.plan, {at::kCPU, 0, kGuard});
    EXPECT_FALSE(memory.live(plan.known.buffer));
    EXPECT_TRUE(memory.view(plan.known).equal(at::full({3}, 1, at::kFloat).cumsum(0)));
    DeviceMemory early(plan.plan, {});
    early.make_constants();
    EXPECT_TRUE(early.live(plan.known.buffer));
    early.begin_recording();
    EXPECT_EQ(early.view(plan.known)[2].item<float>(), 3);
    DeviceMemory late(plan.plan, {});
    late.begin_recording();
    EXPECT_EQ(refusal([&] { late.view(plan.known); }), "plan_invalid")
        << "a graph would copy from memory of the host";
}

TEST(DeviceMemory, ContradictionsOfThePlanAreNamed) {
    Buffers plan;
    DeviceMemory memory(plan.plan, {});
    memory.allocate(0, DType::f32);
    EXPECT_EQ(refusal([&] { memory.allocate(0, DType::f32); }), "plan_invalid");
    EXPECT_EQ(refusal([&] { memory.allocate(99, DType::f32); }), "plan_invalid");
    EXPECT_EQ(refusal([&] { memory.release(1); }), "plan_invalid");
    EXPECT_EQ(refusal([&] { memory.view(plan.b); }), "plan_invalid");
    EXPECT_EQ(refusal([&] { memory.view({0, DType::f32, {kGuardedElements}, {1}, 1}); }), "plan_invalid");
    EXPECT_EQ(refusal([&] { memory.view({0, DType::f32, {2}, {kGuardedElements}, 0}); }), "plan_invalid");
    plan.plan.buffers[1].bytes = int64_t{1} << 60;
    EXPECT_EQ(refusal([&] { memory.allocate(1, DType::f32); }), "plan_invalid");
}

/// The memory of a recorded call, held here as a graph's pool holds it on a device.
TEST(DeviceMemory, RecordedRangesAreFilledAnewFreedOrNot) {
    Buffers plan;
    DeviceMemory memory(plan.plan, {});
    memory.allocate(plan.a.buffer, DType::f32);
    memory.view(plan.a).fill_(1);
    memory.begin_recording();
    memory.allocate(plan.b.buffer, DType::f32);
    memory.allocate_for(plan.c);
    const at::Tensor b = memory.view(plan.b), c = memory.view(plan.c);
    b.fill_(2);
    c.fill_(3);
    memory.release(plan.c.buffer);
    EXPECT_FALSE(memory.live(plan.c.buffer));
    memory.poison_recorded(1);
    const std::vector<at::Tensor> first{b.clone(), c.clone()};
    EXPECT_FALSE(b.eq(2).any().item<bool>());
    EXPECT_FALSE(c.eq(3).any().item<bool>());
    memory.poison_recorded(2);
    EXPECT_FALSE(b.view(at::kInt).equal(first[0].view(at::kInt)));
    EXPECT_FALSE(c.equal(first[1]));
    EXPECT_TRUE(memory.view(plan.a).eq(1).all().item<bool>()) << "what was made before belongs to every call";
}

TEST(DeviceMemory, WhatWasMadeBeforeTheRecordingSurvivesItsFree) {
    Buffers plan;
    DeviceMemory memory(plan.plan, {});
    memory.allocate(plan.a.buffer, DType::f32);
    memory.begin_recording();
    memory.release(plan.a.buffer);
    EXPECT_TRUE(memory.live(plan.a.buffer));
    memory.allocate(plan.b.buffer, DType::f32);
    memory.release(plan.b.buffer);
    EXPECT_FALSE(memory.live(plan.b.buffer));
}

TEST(DeviceMemory, WhatACallThatIsNotRecordedFreesIsNotTouched) {
    Buffers plan;
    DeviceMemory memory(plan.plan, {});
    memory.allocate(plan.a.buffer, DType::f32);
    memory.view(plan.a).fill_(1);
    memory.begin_recording();
    memory.allocate(plan.b.buffer, DType::f32);
    const at::Tensor before = memory.view(plan.b);
    memory.release(plan.b.buffer);
    memory.not_recorded();
    before.fill_(4);  // whoever got that memory next
    memory.allocate(plan.c.buffer, DType::i64);
    const at::Tensor c = memory.view(plan.c);
    c.fill_(3);
    memory.poison_recorded(1);
    EXPECT_TRUE(before.eq(4).all().item<bool>());
    EXPECT_FALSE(c.eq(3).any().item<bool>());
    EXPECT_TRUE(memory.view(plan.a).eq(1).all().item<bool>());
    memory.release(plan.c.buffer);
    c.fill_(3);
    memory.poison_recorded(2);
    EXPECT_TRUE(c.eq(3).all().item<bool>());
}

}  // namespace
}  // namespace tritonsmith::run
