#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "run/worker/sessions/session_host_testing.h"

/// The process behind sessions.
namespace tritonsmith::run {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace testing;  // of tritonsmith::run

TEST(DeviceWorkerProcess, AKilledOneIsReplacedAndItsSessionsAreGone) {
    const std::vector<pid_t> others = workers();
    DeviceWorker worker(kProgram, "cpu");
    const std::vector<pid_t> mine = since(others);
    AddReference task;
    const int session = open_reference(worker, task.plan).session;
    const int generation = worker.generation();
    ASSERT_EQ(mine.size(), 1U);
    ::kill(mine[0], SIGKILL);
    const auto answer = worker.inputs(session, 0);
    ASSERT_EQ(reason_of(answer), "worker_died");
    EXPECT_THAT(std::get<WorkerError>(answer).message, HasSubstr("signal 9"));
    EXPECT_NE(worker.generation(), generation);
    EXPECT_EQ(reason_of(worker.inputs(session, 0)), "plan_invalid") << "nobody knows the session";
    EXPECT_THAT(open_reference(worker, task.plan).finite, ElementsAre(true, true));
}

TEST(DeviceWorkerProcess, TellsWhatItRunsOn) {
    DeviceWorker worker(kProgram, "cpu");
    const Json device = good(worker.device());
    EXPECT_EQ(device["name"], "the CPU");
    EXPECT_GT(device["free_bytes"].get<int64_t>(), 0);
}

}  // namespace
}  // namespace tritonsmith::run
