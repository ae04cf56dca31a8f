#include "judge/batch/batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "judge/judge_testing.h"

namespace tritonsmith::judge {
namespace {

using testing::judge_with;
using testing::traced_task;

/// Every trace ends so, and so every task says nothing.
Judge failing() {
    return judge_with([](const trace::Request& request) -> trace::Outcome {
        return Finding{"trace_error", request.source + " raised", 1, Json::object()};
    });
}

std::vector<BatchRow> rows_of(size_t count) {
    std::vector<BatchRow> rows(count);
    for (size_t i = 0; i < count; ++i) {
        rows[i].line = static_cast<int>(i) + 1;
        rows[i].task = std::make_shared<task::Task>(traced_task("task " + std::to_string(i / 2)));
        rows[i].code = testing::kAddProgram;
    }
    return rows;
}

std::vector<Json> verdicts_of(Judge& judge, const std::vector<BatchRow>& rows, size_t first,
                              const std::map<size_t, Json>& known) {
    BatchOptions options;
    options.jobs = 3;
    std::vector<Json> out;
    run_batch(judge, rows, first, known, options, [&](const Json& verdict) { out.push_back(verdict); });
    return out;
}

TEST(Batch, VerdictsComeInTheOrderOfTheRows) {
    Judge judge = failing();
    const std::vector<Json> verdicts = verdicts_of(judge, rows_of(9), 2, {});
    ASSERT_EQ(verdicts.size(), 7);
    for (size_t i = 0; i < verdicts.size(); ++i) {
        EXPECT_EQ(verdicts[i]["row"], i + 3);
        EXPECT_EQ(verdicts[i]["task"], "task " + std::to_string((i + 2) / 2));
        EXPECT_EQ(verdicts[i]["status"], "unjudgeable");
        EXPECT_EQ(verdicts[i]["reason"], "task_error");
    }
}

TEST(Batch, WhereNoOrderIsAskedForEachVerdictComesOnce) {
    Judge judge = failing();
    BatchOptions options;
    options.jobs = 3;
    options.in_order = false;
    std::vector<int> rows;
    run_batch(judge, rows_of(9), 2, {}, options,
              [&](const Json& verdict) { rows.push_back(verdict.at("row").get<int>()); });
    EXPECT_THAT(rows, ::testing::UnorderedElementsAre(3, 4, 5, 6, 7, 8, 9));
}

TEST(Batch, WhatIsKnownIsNotJudgedAgainAndWhatCannotBeJudgedHasAVerdict) {
    Judge judge = failing();
    std::vector<BatchRow> rows = rows_of(3);
    rows[1].wrong = Finding{"bad_row", "it names no task", 0, Json::object()};
    rows[2].code.clear();
    rows[2].candidate = "gone.py";
    const Json known{{"status", "accepted"}, {"row", 1}, {"marked", true}};
    const std::vector<Json> verdicts = verdicts_of(judge, rows, 0, {{0, known}});
    ASSERT_EQ(verdicts.size(), 3);
    EXPECT_EQ(verdicts[0], known);
    EXPECT_EQ(verdicts[1]["reason"], "bad_row");
    EXPECT_EQ(verdicts[2]["reason"], "bad_row");
    EXPECT_EQ(verdicts[2]["candidate"], "gone.py");
}

TEST(Batch, AMachineThatFailsOnManyRowsInARowEndsIt) {
    Judge judge =
        judge_with([](const trace::Request&) -> trace::Outcome { throw MachineError("no tracer"); });
    size_t given = 0;
    const std::vector<BatchRow> rows = rows_of(60);
    BatchOptions options;
    try {
        run_batch(judge, rows, 0, {}, options, [&](const Json& verdict) {
            EXPECT_EQ(verdict["status"], "machine_error");
            ++given;
        });
        FAIL() << "it went on";
    } catch (const MachineError& error) {
        EXPECT_NE(std::string(error.what()).find("no tracer"), std::string::npos) << error.what();
    }
    EXPECT_EQ(given, 20);
}

TEST(Batch, NothingIsGivenOnceThatHasFailed) {
    for (int round = 0; round < 50; ++round) {
        Judge judge = failing();
        BatchOptions options;
        options.jobs = 4;
        std::vector<int> given;
        EXPECT_THROW(run_batch(judge, rows_of(40), 0, {}, options,
                               [&](const Json& verdict) {
                                   given.push_back(verdict["row"]);
                                   if (given.size() == 3) throw MachineError("the disk is full");
                               }),
                     MachineError);
        EXPECT_EQ(given, (std::vector<int>{1, 2, 3}));
    }
}

}  // namespace
}  // namespace tritonsmith::judge
