#include "train/trainer/memory_plan.h"

#include <gtest/gtest.h>

namespace tritonsmith::train {
namespace {

model::Config planned_shape() {
    model::Config config;
    config.vocabulary = 1000;
    config.hidden = 64;
    config.intermediate = 128;
    config.layers = 4;
    config.heads = 4;
    config.kv_heads = 2;
    config.head_dim = 16;
    config.tied_embeddings = true;
    return config;
}

TrainerSettings planned_settings() {
    TrainerSettings settings;
    settings.dtype = at::kBFloat16;
    return settings;
}

TEST(MemoryPlan, CountsWhatIsKept) {
    const model::Config config = planned_shape();
    TrainerSettings settings = planned_settings();
    MemoryPlan plan = plan_memory(config, settings, 1000, 1);
    EXPECT_EQ(plan.weights, 2 * config.parameters());
    EXPECT_EQ(plan.gradients, 4 * config.parameters());
    EXPECT_EQ(plan.states, 8 * config.parameters());
    EXPECT_EQ(plan.logits, 2 * 1000 * 1000 * 4);
    settings.optimizer.master = true;
    EXPECT_EQ(plan_memory(config, settings, 1000, 1).states, 12 * config.parameters());
    EXPECT_EQ(plan_memory(config, settings, 1000, 2).states, 6 * config.parameters());
    EXPECT_EQ(plan.exchange, 0);
    EXPECT_EQ(plan_memory(config, settings, 1000, 2).exchange, 4 * config.parameters());
    EXPECT_EQ(plan_memory(config, settings, 1000, 2).gradients,
              4 * (config.parameters() + config.parameters() / 2));
    settings.optimizer = {.states = at::kBFloat16};
    settings.gradients = at::kBFloat16;
    plan = plan_memory(config, settings, 1000, 1);
    EXPECT_EQ(plan.weights + plan.gradients + plan.states, 8 * config.parameters());
}

TEST(MemoryPlan, OfAdaptersOnlyTheirsIsTrained) {
    const model::Config config = planned_shape();
    TrainerSettings settings = planned_settings();
    settings.lora_rank = 4;
    const int64_t inputs = 3 * 64 + 64 + 2 * 64 + 128, outputs = (64 + 2 * 32) + 64 + 2 * 128 + 64;
    const int64_t adapters = 4 * 4 * (inputs + outputs);
    const MemoryPlan plan = plan_memory(config, settings, 1000, 1);
    EXPECT_EQ(plan.weights, 2 * (config.parameters() + adapters));
    EXPECT_EQ(plan.gradients, 4 * adapters);
    EXPECT_EQ(plan.states, 8 * adapters);
}

TEST(MemoryPlan, OfDividedLayersTwoAreWhole) {
    const model::Config config = planned_shape();
    TrainerSettings settings = planned_settings();
    settings.zero = TrainerSettings::Zero::layers;
    EXPECT_EQ(plan_memory(config, settings, 1000, 1).weights, 2 * config.parameters());
    const int64_t outside = 1000 * 64 + 64, layer = (config.parameters() - outside) / 4;
    const MemoryPlan plan = plan_memory(config, settings, 1000, 2);
    EXPECT_EQ(plan.weights, 2 * (outside + 4 * layer / 2));
    EXPECT_EQ(plan.gradients, 4 * (outside + 4 * layer / 2 + outside / 2));
    EXPECT_EQ(plan.exchange, 4 * outside);
    EXPECT_EQ(plan.layers, (2 + 4) * 2 * layer + 4 * layer / 2);
    EXPECT_EQ(plan.states, 4 * config.parameters());
    EXPECT_EQ(plan_memory(config, settings, 1000, 1).layers, 0);
}

TEST(MemoryPlan, RecomputationKeepsLess) {
    TrainerSettings settings = planned_settings();
    int64_t before = INT64_MAX;
    for (const Recompute recompute : {Recompute::nothing, Recompute::elementwise, Recompute::layer}) {
        settings.recompute = recompute;
        const int64_t now = plan_memory(planned_shape(), settings, 1000, 1).activations;
        EXPECT_LT(now, before);
        before = now;
    }
    // One layer's input is kept for each, and one layer is there whole.
    EXPECT_EQ(before, 1000 * 2 * (4 * 64 + (4 * 64 + 2 * 128 + 64 + 3 * 128)));
}

}  // namespace
}  // namespace tritonsmith::train
