#include "grpo/curriculum.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/process/files.h"

namespace tritonsmith::grpo {
namespace {

using testing::ElementsAre;

double own_sum(double value) {
    return value;
}

class CurriculumTest : public ::testing::Test {
  protected:
    void SetUp() override {
        settings_.folder = folder_.path();
        settings_.sources = {{"easy", {}, 3}, {"hard", {}, 2, {}, 0.5}, {"harder", {}, 1, {}, 0.7}};
        settings_.curriculum = {.low = 0.1, .high = 0.9, .outside = 0, .memory = 0.5};
        task_.task = std::make_shared<const task::Task>();
    }
    Curriculum at_step(int64_t step) const { return {settings_, {4, 2, 2}, step, 0, 1}; }
    /// A group with some right answers of four.
    Group group(size_t source, size_t index, int right) const {
        Group group;
        group.task = &task_;
        group.place = {.source = source, .task = index};
        for (int i = 0; i < 4; ++i) {
            Sample& sample = group.samples.emplace_back();
            sample.verdict.status = judge::Status::rejected;
            sample.facts.correct = i < right;
        }
        return group;
    }

    TemporaryFolder folder_;
    Settings settings_;
    TrainingTask task_;
};

TEST_F(CurriculumTest, TasksOutOfTheRangeAreLeftOut) {
    Curriculum curriculum = at_step(0);
    EXPECT_FALSE(curriculum.leaves_out({.source = 0, .task = 1})) << "nothing is known of it";
    curriculum.learn(1, {group(0, 0, 4), group(0, 1, 2), group(0, 2, 0)}, own_sum);
    EXPECT_TRUE(curriculum.leaves_out({.source = 0, .task = 0}));
    EXPECT_FALSE(curriculum.leaves_out({.source = 0, .task = 1}));
    EXPECT_TRUE(curriculum.leaves_out({.source = 0, .task = 2}));
    curriculum.learn(2, {group(0, 2, 2)}, own_sum);
    EXPECT_FALSE(curriculum.leaves_out({.source = 0, .task = 2})) << "0, then 1/2: 1/4";
}

TEST_F(CurriculumTest, SomeOfThemAreAskedAllTheSame) {
    settings_.curriculum.outside = 0.25;
    Curriculum curriculum = at_step(0);
    curriculum.learn(1, {group(0, 0, 4)}, own_sum);
    int asked = 0;
    for (int64_t number = 0; number < 4000; ++number)
        asked += !curriculum.leaves_out({.source = 0, .task = 0, .number = number});
    EXPECT_NEAR(asked / 4000.0, 0.25, 0.03);
}

TEST_F(CurriculumTest, SourcesOpenOneAfterTheOther) {
    Curriculum curriculum = at_step(0);
    EXPECT_THAT(curriculum.weights(), ElementsAre(3, 0, 0));
    curriculum.learn(1, {group(0, 0, 1)}, own_sum);
    EXPECT_THAT(curriculum.weights(), ElementsAre(3, 0, 0));
    for (int64_t step = 2; step < 6; ++step) curriculum.learn(step, {group(0, 1, 4)}, own_sum);
    EXPECT_THAT(curriculum.weights(), ElementsAre(3, 2, 0)) << "1 - 0.75 · 0.8^4 = 0.69";
    curriculum.learn(6, {group(1, 0, 3)}, own_sum);
    EXPECT_THAT(curriculum.weights(), ElementsAre(3, 2, 1));
    for (int64_t step = 7; step < 20; ++step)
        curriculum.learn(step, {group(0, 1, 0), group(1, 0, 0)}, own_sum);
    EXPECT_EQ(curriculum.weights()[1], 2) << "what was asked stays open";
    EXPECT_EQ(curriculum.metrics()["open"], 2);
}

TEST_F(CurriculumTest, IsReadAgainUpToAStep) {
    Curriculum whole = at_step(0);
    whole.learn(1, {group(0, 0, 4), group(0, 3, 0)}, own_sum);
    const std::vector<double> after_one = whole.weights();
    whole.learn(2, {group(0, 0, 0), group(1, 1, 4)}, own_sum);
    std::ofstream(folder_.path() / "pass_rates.jsonl", std::ios::app) << R"({"step": 3, "gro)";

    const Curriculum first = at_step(1);
    EXPECT_TRUE(first.leaves_out({.source = 0, .task = 0}));
    EXPECT_EQ(first.weights(), after_one);
    Curriculum second = at_step(1);
    second.learn(2, {group(0, 0, 0), group(1, 1, 4)}, own_sum);
    EXPECT_EQ(second.weights(), whole.weights());
    EXPECT_EQ(second.metrics(), whole.metrics());
    EXPECT_FALSE(second.leaves_out({.source = 0, .task = 0}));
    EXPECT_THROW((Curriculum{settings_, {4, 1, 2}, 2, 0, 1}), InputError) << "line 2 names a second task";
}

TEST_F(CurriculumTest, AnswersWithoutVerdictsSayNothing) {
    Curriculum curriculum = at_step(0);
    Group unjudged = group(0, 0, 4);
    for (Sample& sample : unjudged.samples) sample.verdict.status = judge::Status::machine_error;
    Group unjudgeable = group(0, 1, 0);
    unjudgeable.left_out = "unjudgeable";
    curriculum.learn(1, {unjudged, unjudgeable}, own_sum);
    EXPECT_FALSE(curriculum.leaves_out({.source = 0, .task = 0}));
    EXPECT_FALSE(curriculum.leaves_out({.source = 0, .task = 1}));
    EXPECT_TRUE(curriculum.metrics()["rates"].empty());
}

}  // namespace
}  // namespace tritonsmith::grpo
