#include "grpo/evaluation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tritonsmith::grpo {
namespace {

// Expected values: the same formula in Python; of 0 in n it ends at z² / (n + z²).
TEST(WilsonInterval, IsThatOfTheFormula) {
    const ShareInterval half = wilson_interval(0.5, 10);
    EXPECT_NEAR(half.low, 0.236593, 1e-6);
    EXPECT_NEAR(half.high, 0.763407, 1e-6);
    const ShareInterval none = wilson_interval(0, 20);
    EXPECT_EQ(none.low, 0);
    EXPECT_NEAR(none.high, 0.161125, 1e-6);
    const ShareInterval all = wilson_interval(1, 20);
    EXPECT_NEAR(all.low, 1 - 0.161125, 1e-6);
    EXPECT_EQ(all.high, 1);
}

TEST(WilsonInterval, OfNothingIsEverything) {
    EXPECT_EQ(wilson_interval(0.3, 0).low, 0);
    EXPECT_EQ(wilson_interval(0.3, 0).high, 1);
}

TEST(RemoveTasks, TakesHeldOutTasksOutOfTraining) {
    const auto task_of = [](const std::string& source) {
        task::Task task;
        task.source = source;
        return TrainingTask{std::make_shared<const task::Task>(task), "", {"all"}};
    };
    const std::vector<TaskFiles> sources = {{"first", {}, 1}, {"second", {}, 1}};
    TaskSet tasks{{{task_of("a"), task_of("b")}, {task_of("c"), task_of("a")}}};
    EXPECT_EQ(remove_tasks(tasks, {task_of("a")}, sources), 2U);
    ASSERT_EQ(tasks.sources[0].size(), 1U);
    EXPECT_EQ(tasks.sources[0][0].task->source, "b");
    EXPECT_THROW(remove_tasks(tasks, {task_of("c")}, sources), InputError);
}

}  // namespace
}  // namespace tritonsmith::grpo
