#include "run/worker/sessions/timed_plan.h"

#include <ATen/ops/full.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "run/plan_builder_testing.h"
#include "run/worker/memory/device_memory.h"

namespace tritonsmith::run {
namespace {

using plan::DType;
using plan::Phase;
using ::testing::ElementsAre;
using testing::integers;
using testing::PlanBuilder;
using testing::value;

/// A module with a weight [3, 8] drawn at steps 0 and 1, and whatever is made of it.
struct Module : PlanBuilder {
    plan::Tensor x = tensor({4, 8}, DType::f32, plan::BufferKind::input), w = tensor({3, 8});
    plan::Tensor turned{w.buffer, DType::f32, {8, 3}, {1, 8}, 0};

    Module() : PlanBuilder("candidate", "cuda") {
        plan.inputs = {value(x)};
        aten(Phase::init, "aten::empty.memory_format", {integers({3, 8})}, value(w));
        aten(Phase::init, "aten::uniform_", {value(w), {-0.5}, {0.5}}, value(w), 0);
        weight("weight", w);
    }
    /// The module's call: x times a matrix.
    void multiply(const plan::Tensor& by) {
        const plan::Tensor out = tensor({4, 3});
        forward("aten::mm", {value(x), value(by)}, value(out));
        plan.output = value(out);
    }
    plan::Tensor copy_turned() {
        const plan::Tensor made = tensor({8, 3});
        aten(Phase::init, "aten::t", {value(w)}, value(turned));
        aten(Phase::init, "aten::clone", {value(turned)}, value(made)).kwargs = {
            {"memory_format", testing::symbol(plan::Symbol::Kind::memory_format, "contiguous_format")}};
        return made;
    }
};

TEST(FirstDerivedStep, InitialisationIsNone) {
    Module module;
    module.aten(Phase::init, "aten::t", {value(module.w)}, value(module.turned));  // a view moves nothing
    module.multiply(module.turned);
    EXPECT_EQ(first_derived_step(module.plan, {}), module.plan.steps.size());
}

TEST(FirstDerivedStep, ACopyOfAWeightIsOne) {
    Module module;
    module.multiply(module.copy_turned());
    EXPECT_EQ(first_derived_step(module.plan, {}), 3U) << "the copy, not the view before it";
}

TEST(FirstDerivedStep, ALaunchIsOneWhateverItReads) {
    Module module;
    const plan::Tensor table = module.tensor({64});
    module.aten(Phase::init, "aten::zeros", {integers({64})}, value(table));
    module.plan.kernels.push_back({"fill_kernel", "", {}, 1});
    module.plan.steps.push_back({plan::LaunchStep{0, {1, 1, 1}, {value(table)}}, Phase::init, 9});
    module.multiply(module.turned);
    EXPECT_EQ(first_derived_step(module.plan, {}), 3U);
}

TEST(FirstDerivedStep, TablesOfConstantsAreNone) {
    Module module;
    const plan::Tensor range = module.tensor({64}), table = module.tensor({64});
    module.aten(Phase::init, "aten::arange", {{int64_t{64}}}, value(range));
    module.aten(Phase::init, "aten::cos", {value(range)}, value(table));
    module.weight("table", table, false);
    module.multiply(module.turned);
    EXPECT_EQ(first_derived_step(module.plan, {}), module.plan.steps.size());
}

TEST(FirstDerivedStep, ScalingADrawIsPartOfItsInitialisation) {
    Module module;
    module.aten(Phase::init, "aten::mul_.Scalar", {value(module.w), {0.1}}, value(module.w));
    module.multiply(module.turned);
    EXPECT_EQ(first_derived_step(module.plan, {}), module.plan.steps.size());
}

/// Counts how often each step of the setup is run.
struct Counted {
    /// @param as_on_devices in the memory that devices have
    explicit Counted(const plan::Plan& plan, bool as_on_devices = false) : accelerator(host_accelerator()) {
        parts.plan = &plan;
        parts.timed_from = first_derived_step(plan, {});
        parts.make = [this, &plan, as_on_devices] {
            Instance made;
            std::unique_ptr<Memory> memory = accelerator->memory(plan, 1, false);
            if (as_on_devices) memory = std::make_unique<DeviceMemory>(plan, DeviceMemory::Options{});
            made.executor = std::make_unique<Executor>(plan, ExecutorOptions{}, std::move(memory));
            fill_inputs(plan, set(1), made.executor->memory());
            made.executor->after_step = [this](int step) { ++runs[step]; };
            return made;
        };
        parts.sets = {set(1), set(2)};
        parts.outputs = output_tensors(plan);
    }
    static ValueOf set(double filled_with) {
        return [=](const std::string&) { return at::full({4, 8}, filled_with, at::kFloat); };
    }
    std::unique_ptr<Accelerator> accelerator;
    TimedPlan::Parts parts;
    std::map<int, int> runs;
};

TEST(TimedPlan, RunsWhatConstructionDerivesInEachCallAndTheRestBefore) {
    Module module;
    module.multiply(module.copy_turned());
    Counted counted(module.plan);
    TimedPlan timed(*counted.accelerator, counted.parts);
    std::vector<TimedPlan::Kept> kept;
    EXPECT_EQ(timed.block(5, {}, kept, std::nullopt).size(), 5U);
    EXPECT_EQ(counted.runs[1], 2) << "drawn once for the first call and once for all timed ones";
    EXPECT_EQ(counted.runs[3], 1 + 5) << "copied in each call";
    EXPECT_FALSE(timed.graph());
}

TEST(TimedPlan, PrepackedConstructionIsLeftOutside) {
    Module module;
    module.multiply(module.copy_turned());
    Counted counted(module.plan);
    counted.parts.timed_from = module.plan.steps.size();
    TimedPlan timed(*counted.accelerator, counted.parts);
    std::vector<TimedPlan::Kept> kept;
    timed.block(5, {}, kept, std::nullopt);
    EXPECT_EQ(counted.runs[3], 2);
}

void expect_right_answers(const plan::Plan& plan) {
    for (const bool as_on_devices : {false, true}) {
        Counted counted(plan, as_on_devices);
        TimedPlan timed(*counted.accelerator, counted.parts);
        for (int block = 0; block < 2; ++block) {
            std::vector<TimedPlan::Kept> kept;
            timed.block(4, {0, 3}, kept, std::nullopt);
            ASSERT_EQ(kept.size(), 2U);
            const at::Tensor of_twos = kept[0].outputs.tensor(kept[0].outputs.entries[0]),
                             of_ones = kept[1].outputs.tensor(kept[1].outputs.entries[0]);
            EXPECT_EQ(kept[0].set, 1U);
            EXPECT_EQ(kept[1].set, 0U);
            EXPECT_TRUE(of_twos.allclose(of_ones.mul(2)));
            EXPECT_TRUE(of_ones.ne(0).all().item<bool>());
        }
    }
}

TEST(TimedPlan, AnswersOfTimedCallsAreThoseOfTheirSets) {
    Module module;
    module.multiply(module.copy_turned());
    expect_right_answers(module.plan);
}

TEST(TimedPlan, AWeightMayEndWhereItsCopyIsMade) {
    Module module;
    const plan::Tensor copy = module.copy_turned();
    module.plan.steps.push_back({plan::FreeStep{module.w.buffer}, Phase::init, 0});
    module.multiply(copy);
    expect_right_answers(module.plan);
}

TEST(TimedPlan, CallsThatScaleAWeightInPlaceFindItAsItWas) {
    Module module;
    module.forward("aten::mul_.Scalar", {value(module.w), {3.0}}, value(module.w));
    module.multiply(module.turned);
    expect_right_answers(module.plan);
}

}  // namespace
}  // namespace tritonsmith::run
