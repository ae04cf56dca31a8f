#include "grpo/judging/judging.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "grpo/judging/mailbox.h"

namespace tritonsmith::grpo {
namespace {

std::shared_ptr<const task::Task> some_task(const std::string& source = "class Model") {
    task::Task task;
    task.id = "task";
    task.source = source;
    return std::make_shared<const task::Task>(task);
}

judge::Verdict verdict_of(const char* reason) {
    judge::Verdict verdict;
    if (*reason == 0)
        verdict.status = judge::Status::accepted;
    else
        judge::conclude(verdict, "run", {reason, "", 0, Json::object()}, "");
    return verdict;
}

using Box = Mailbox<JudgedSample>;

TEST(Judging, EqualProgramsAreJudgedOnce) {
    Box box;
    std::atomic<int> judged = 0;
    Judging judging(
        [&](const task::Task&, const std::string&) {
            ++judged;
            return verdict_of("");
        },
        {.jobs = 2}, [&](JudgedSample sample) { box.put(std::move(sample)); });
    for (int i = 0; i < 3; ++i) judging.submit({0, i}, some_task(), "same");
    judging.submit({1, 0}, some_task("class Model: other"), "same");
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(box.take(60)->judgement.verdict.accepted());
    judging.submit({2, 0}, some_task(), "same");
    EXPECT_EQ(box.take(60)->key.group, 2);
    EXPECT_EQ(judged, 2);
}

TEST(Judging, AnotherChecksWordComesWithTheVerdict) {
    Box box;
    Judging judging(
        [&](const task::Task&, const std::string& program) -> Judgement {
            if (program == "unchecked") return verdict_of("");
            return {verdict_of("no_triton_kernel"), reward::CheckResult{true, true}};
        },
        {}, [&](JudgedSample sample) { box.put(std::move(sample)); });
    for (int i = 0; i < 2; ++i) {  // the second one is known
        judging.submit({0, i}, some_task(), "cheats");
        const Judgement judgement = box.take(60)->judgement;
        EXPECT_EQ(judgement.verdict.reason, "no_triton_kernel");
        ASSERT_TRUE(judgement.check);
        EXPECT_TRUE(judgement.check->right);
    }
    judging.submit({0, 2}, some_task(), "unchecked");
    EXPECT_FALSE(box.take(60)->judgement.check);
}

TEST(Judging, FailuresOfTheMachineAreAskedAgain) {
    Box box;
    std::atomic<int> calls = 0;
    Judging judging(
        [&](const task::Task&, const std::string& program) {
            const int call = ++calls;
            if (program == "throws") throw MachineError("no process could be started");
            return verdict_of(call == 1 ? "worker_died" : call == 2 ? "machine_error" : "");
        },
        {.retries = 2}, [&](JudgedSample sample) { box.put(std::move(sample)); });
    judging.submit({0, 0}, some_task(), "killed twice");
    EXPECT_TRUE(box.take(60)->judgement.verdict.accepted());
    EXPECT_EQ(calls, 3);
    judging.submit({0, 1}, some_task(), "throws");
    const judge::Verdict failed = box.take(60)->judgement.verdict;
    EXPECT_EQ(failed.status, judge::Status::machine_error);
    EXPECT_EQ(failed.message, "no process could be started");
    EXPECT_EQ(calls, 6);
    judging.submit({0, 2}, some_task(), "throws");  // was not kept
    box.take(60);
    EXPECT_EQ(calls, 9);
}

TEST(Judging, OneSlowJudgementDelaysNobody) {
    Box box;
    std::promise<void> release;
    const std::shared_future<void> released = release.get_future().share();
    Judging judging(
        [&](const task::Task&, const std::string& program) {
            if (program == "slow") released.wait();
            return verdict_of("");
        },
        {.jobs = 2, .deadline = 0.001}, [&](JudgedSample sample) { box.put(std::move(sample)); });
    judging.submit({0, 0}, some_task(), "slow");
    judging.submit({0, 1}, some_task(), "fast");
    EXPECT_EQ(box.take(60)->key.sample, 1);
    std::optional<JudgedSample> late;
    while (!(late = box.take(0.01))) judging.check_deadlines();
    EXPECT_EQ(late->key.sample, 0);
    EXPECT_EQ(late->judgement.verdict.status, judge::Status::machine_error);
    EXPECT_NE(late->judgement.verdict.message.find("judge.deadline"), std::string::npos);
    release.set_value();
    EXPECT_FALSE(box.take(0.05));  // nobody waits for it any more
}

TEST(Judging, ProgramsOfATaskThatIsPreparedComeFirst) {
    Box box;
    std::promise<void> begun, release;
    const std::shared_future<void> released = release.get_future().share();
    std::vector<std::string> order;
    std::vector<std::shared_ptr<const task::Task>> tasks;
    for (int i = 0; i < 7; ++i) tasks.push_back(some_task("class Model: " + std::to_string(i)));
    Judging judging(
        [&](const task::Task& task, const std::string&) {
            if (order.empty()) begun.set_value();
            order.push_back(task.source.substr(13));
            released.wait();
            return verdict_of("");
        },
        {.jobs = 1}, [&](JudgedSample sample) { box.put(std::move(sample)); });
    judging.submit({0, 0}, tasks[0], "first");
    begun.get_future().wait();
    for (const char* program : {"second", "third"})
        for (int i = 0; i < 7; ++i) judging.submit({i, 1}, tasks[static_cast<size_t>(i)], program);
    release.set_value();
    for (int i = 0; i < 15; ++i) ASSERT_TRUE(box.take(60));
    EXPECT_EQ(order, (std::vector<std::string>{"0", "0", "0", "1", "1", "2", "2", "3", "3", "4", "4", "5",
                                               "5", "6", "6"}));
}

TEST(Judging, CancelDropsWhatWaits) {
    Box box;
    std::promise<void> begun, release;
    const std::shared_future<void> released = release.get_future().share();
    std::atomic<int> calls = 0;
    {
        Judging judging(
            [&](const task::Task&, const std::string&) {
                if (++calls == 1) begun.set_value();
                released.wait();
                return verdict_of("");
            },
            {.jobs = 1}, [&](JudgedSample sample) { box.put(std::move(sample)); });
        judging.submit({0, 0}, some_task(), "in progress");
        begun.get_future().wait();
        judging.submit({0, 1}, some_task(), "waits");
        judging.cancel();
        release.set_value();
    }
    EXPECT_FALSE(box.take(0));
    EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace tritonsmith::grpo
