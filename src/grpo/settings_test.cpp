#include "grpo/settings.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/process/files.h"

namespace tritonsmith::grpo {
namespace {

class GrpoSettings : public ::testing::Test {
  protected:
    void SetUp() override {
        file_ = std::filesystem::path(::testing::TempDir()) / "grpo_settings_task.py";
        write_file(file_, "class Model: pass\n");
    }
    const std::filesystem::path& file() const { return file_; }
    Settings read(const Json& changes) const {
        Json configuration = {{"run", {{"folder", "runs/x"}, {"steps", 3}}},
                              {"model", {{"folder", "models/x"}, {"dtype", "float32"}}},
                              {"tasks", {{"sources", {{{"files", file_.string()}}}}}}};
        configuration.merge_patch(changes);
        return read_settings(configuration, "run.toml");
    }

  private:
    std::filesystem::path file_;
};

TEST_F(GrpoSettings, PresetsHaveWhatTheirPapersSay) {
    const Settings ours = read(Json::object());
    EXPECT_EQ(ours.preset, "tritonsmith");
    EXPECT_EQ(ours.reward.kind, reward::Kind::milestones);
    EXPECT_TRUE(ours.dynamic);
    EXPECT_EQ(ours.aggregation.form, train::Aggregation::Form::token_mean);
    const Settings tritonrl = read({{"preset", "tritonrl"}});
    EXPECT_EQ(tritonrl.reward.kind, reward::Kind::hrd);
    EXPECT_EQ(tritonrl.reward.alpha, 0.1);
    EXPECT_EQ(tritonrl.prompts, 32);
    EXPECT_EQ(tritonrl.group, 4);
    EXPECT_EQ(tritonrl.loss.clip_high, 0.2);
    EXPECT_FALSE(tritonrl.advantages.deviation);
    EXPECT_EQ(tritonrl.schedule.peak, 1e-6);
    const Settings autotriton = read({{"preset", "autotriton"}});
    EXPECT_EQ(autotriton.reward.kind, reward::Kind::autotriton);
    EXPECT_EQ(autotriton.prompts, 64);
    EXPECT_EQ(autotriton.max_tokens, 16384);
    EXPECT_TRUE(autotriton.advantages.deviation);
    EXPECT_GT(autotriton.loss.kl, 0);
    EXPECT_EQ(autotriton.aggregation.form, train::Aggregation::Form::sequence_mean);
}

TEST_F(GrpoSettings, FieldsReplaceThePresets) {
    const Settings settings = read({{"preset", "tritonrl"},
                                    {"rollout", {{"group", 7}}},
                                    {"reward", {{"alpha", 1}, {"kind", "uniform"}}}});
    EXPECT_EQ(settings.group, 7);
    EXPECT_EQ(settings.reward.alpha, 1);
    EXPECT_EQ(settings.reward.kind, reward::Kind::uniform);
    EXPECT_EQ(settings.resolved["rollout"]["group"], 7);
    EXPECT_EQ(settings.resolved["loss"]["clip_low"], 0.2);
    EXPECT_EQ(settings.judge_seed, settings.seed);
}

TEST_F(GrpoSettings, SourcesHaveLabelsAndMayOpenLater) {
    const Json first = {{"files", file().string()}, {"difficulty", {"1"}}},
               second = {{"files", file().string()}, {"difficulty", {"2"}}, {"opens_at", 0.5}};
    const Settings settings = read({{"tasks", {{"sources", {first, second}}}}});
    ASSERT_EQ(settings.sources.size(), 2U);
    EXPECT_EQ(settings.sources[1].difficulty, std::vector<std::string>{"2"});
    EXPECT_EQ(settings.sources[1].opens_at, 0.5);
    EXPECT_EQ(settings.resolved["tasks"]["sources"][0]["opens_at"], 0);
    EXPECT_THROW(read({{"tasks", {{"sources", {second}}}}}), InputError);
    EXPECT_THROW(read({{"curriculum", {{"low", 0.6}, {"high", 0.5}}}}), InputError);
}

TEST_F(GrpoSettings, StaleAnswersNeedACorrection) {
    EXPECT_EQ(read({{"rollout", {{"staleness", 1}}}}).staleness, 1);
    const Json stale = {{"preset", "tritonrl"}, {"rollout", {{"staleness", 1}}}};
    EXPECT_THROW(read(stale), InputError);
    for (const Json& loss : {Json{{"importance_cap", 2}}, Json{{"old", "rollout"}}}) {
        Json corrected = stale;
        corrected["loss"] = loss;
        EXPECT_EQ(read(corrected).staleness, 1);
    }
    EXPECT_THROW(read({{"rollout", {{"staleness", 2}}}}), InputError);
}

TEST_F(GrpoSettings, ExactIsForTheCpuAndThePolicyThatIsTrained) {
    EXPECT_TRUE(read({{"rollout", {{"exact", true}}}}).exact);
    EXPECT_THROW(read({{"rollout", {{"exact", true}}}, {"run", {{"device", "cuda:0"}}}}), InputError);
    EXPECT_THROW(read({{"rollout", {{"exact", true}, {"staleness", 1}}}}), InputError);
}

TEST_F(GrpoSettings, WhatDoesNotFitIsAnError) {
    EXPECT_THROW(read({{"preset", "grpo"}}), InputError);
    EXPECT_THROW(read({{"model", {{"dtype", "bfloat16"}}}}), InputError);
    EXPECT_THROW(read({{"run", {{"zero", "layers"}}}}), InputError);
    EXPECT_THROW(read({{"loss", {{"dual_clip", 0.9}}}}), InputError);
    EXPECT_THROW(read({{"loss", {{"updates", 1000}}}}), InputError);
    EXPECT_THROW(read({{"lora", {{"rank", 4}}}}), InputError);
    EXPECT_THROW(read({{"tasks", {{"sources", Json::array()}}}}), InputError);
}

}  // namespace
}  // namespace tritonsmith::grpo
