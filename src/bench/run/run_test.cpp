#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "base/process/files.h"
#include "bench/run/judging.h"
#include "bench/run/merge.h"
#include "bench/run/protocol.h"
#include "bench/run/run_data.h"
#include "bench/run/run_folder.h"
#include "bench/run/run_lines.h"
#include "bench/run/shard.h"

namespace tritonsmith::bench {
namespace {

Problem problem(const std::string& id) {
    Problem out;
    out.id = id;
    out.suite = "tasks";
    out.name = id;
    task::Task task;
    task.id = id;
    task.source = "# " + id;
    out.task = std::make_shared<const task::Task>(task);
    return out;
}

Json verdict(const std::string& status, const std::string& reason = "") {
    return {{"status", status}, {"reason", reason.empty() ? Json() : Json(reason)}, {"stage", "done"}};
}

class Runs : public testing::Test {
  protected:
    const std::vector<Problem> problems_ = {problem("a"), problem("b")};
    TemporaryFolder folder_;
    const std::filesystem::path path_ = folder_.path() / "run";
};

TEST_F(Runs, GoOnWithoutJudgingTwice) {
    {
        RunFolder run(path_, "suite = \"tasks\"\n", problems_);
        run.add(Answer{"a", 0, "x = 1", "f:1", "", ""});
        run.add(Answer{"a", 1, "", "f:2", "no_code", "none"});
        run.add(Answer{"b", 0, "x = 2", "f:3", "", ""});
        run.add({"a", 0, "robust"}, verdict("accepted"));
        run.add({"b", 0, "robust"}, verdict("machine_error", "machine_error"));
    }
    std::ofstream(path_ / "verdicts.jsonl", std::ios::app) << "{\"problem\": \"a\", \"sam";  // killed
    RunFolder run(path_, "suite = \"tasks\"\n", problems_);
    EXPECT_EQ(run.answers().size(), 3U);
    EXPECT_TRUE(run.judged({"a", 0, "robust"}));
    EXPECT_FALSE(run.judged({"a", 0, "relaxed"}));
    const Pending pending = pending_of(run, problems_, {"robust"});
    ASSERT_THAT(pending.keys,
                testing::ElementsAre(VerdictKey("a", 1, "robust"), VerdictKey("b", 0, "robust")));
    EXPECT_EQ(pending.rows[0].wrong.value().reason, "no_code");
    EXPECT_FALSE(pending.rows[1].wrong.has_value());
    EXPECT_EQ(pending.rows[1].line, 2);
    run.add({"a", 1, "robust"}, verdict("rejected", "no_code"));
    run.add({"b", 0, "robust"}, verdict("rejected", "wrong_result"));
    const RunData data = read_run(path_);
    EXPECT_EQ(data.samples, 2);
    EXPECT_EQ(data.pending("robust"), 0U);
    ASSERT_EQ(data.outcomes.at("robust").size(), 3U);
    EXPECT_EQ(data.outcomes.at("robust")[2].reason, "wrong_result")
        << "the failure of the machine says nothing";
}

TEST_F(Runs, OfAnotherKindAreNotContinued) {
    { RunFolder run(path_, "one", problems_); }
    EXPECT_THROW(RunFolder(path_, "other", problems_), InputError);
    EXPECT_THROW(RunFolder(path_, "one", {problem("c")}), InputError);
    RunFolder run(path_, "one", problems_);
    run.add(Answer{"a", 0, "x = 1", "", "", ""});
    run.add(Answer{"a", 0, "x = 1", "", "", ""});
    EXPECT_THROW(run.add(Answer{"a", 0, "x = 2", "", "", ""}), InputError);
    EXPECT_THROW(read_run(folder_.path()), InputError);
}

TEST_F(Runs, AreOfOneProcessAtATime) {
    {
        RunFolder run(path_, "one", problems_);
        EXPECT_THROW(RunFolder(path_, "one", problems_), InputError);
    }
    EXPECT_NO_THROW(RunFolder(path_, "one", problems_));
}

TEST_F(Runs, NeighboursInTheSuiteAreJudgedFarFromEachOtherAndLongProgramsNotLast) {
    std::vector<Problem> problems;
    for (int i = 0; i < 100; ++i) {
        problems.push_back(problem(std::to_string(i)));
        task::Task task = *problems.back().task;
        if (i >= 80) task.source += std::string(1000, '#');  // networks
        problems.back().task = std::make_shared<const task::Task>(task);
    }
    RunFolder run(path_, "one", problems);
    for (const Problem& one : problems)
        for (const int sample : {0, 1}) run.add(Answer{one.id, sample, "x = 1", "", "", ""});
    const std::vector<VerdictKey> keys = pending_of(run, problems, {"robust"}).keys;
    ASSERT_EQ(keys.size(), 200U);
    std::set<std::string> seen;
    int networks_at_first = 0, networks_at_last = 0, neighbours = 0, before = -100;
    for (size_t i = 0; i < keys.size(); i += 2) {
        const std::string& id = std::get<0>(keys[i]);
        EXPECT_EQ(id, std::get<0>(keys[i + 1])) << "the answers of a problem follow each other";
        EXPECT_TRUE(seen.insert(id).second) << id;
        const int number = std::stoi(id);
        if (i < 50) networks_at_first += number >= 80;
        if (i >= 150) networks_at_last += number >= 80;
        neighbours += std::abs(number - before) < 5;
        before = number;
    }
    EXPECT_GE(networks_at_first, 4);
    EXPECT_LE(networks_at_last, 2);
    EXPECT_LE(neighbours, 5);
}

TEST_F(Runs, AnAnswerThatIsNoTextIsTheSameAgain) {
    const Answer wrong{"a", 0, "x = '\xff'", "", "", ""};
    for (int times = 0; times < 2; ++times) {
        RunFolder run(path_, "one", problems_);
        run.add(wrong);
        EXPECT_EQ(pending_of(run, problems_, {"robust"}).rows.at(0).wrong.value().reason, "not_text");
    }
}

TEST_F(Runs, AProblemWithoutATaskIsNoFaultOfItsAnswers) {
    std::vector<Problem> problems = {problem("a")};
    problems[0].task = nullptr;
    problems[0].no_task = "none given";
    RunFolder run(path_, "one", problems);
    run.add(Answer{"a", 0, "x = 1", "", "", ""});
    EXPECT_EQ(pending_of(run, problems, {"robust"}).rows.at(0).wrong.value().reason, "task_error");
    EXPECT_EQ(pending_of(run, problems, {"tritonbench"}).rows.at(0).wrong.value().reason, "task_error");
    problems[0].tested = std::make_shared<const TestedProgram>(TestedProgram{"x = 1", "y = x"});
    EXPECT_FALSE(pending_of(run, problems, {"tritonbench"}).rows.at(0).wrong.has_value());
    const std::optional<Problem> again = problem_of(line_of(problems[0]));
    EXPECT_EQ(again->tested->golden + again->tested->tests, "x = 1y = x");
}

TEST_F(Runs, ShardsMerge) {
    const std::filesystem::path other = folder_.path() / "other", whole = folder_.path() / "whole";
    {
        RunFolder one(path_, "shard = \"1/2\"\nx = 1\n", {problems_[0]}),
            two(other, "shard = \"2/2\"\nx = 1\n", {problems_[1]});
        one.add(Answer{"a", 0, "x = 1", "", "", ""});
        one.add({"a", 0, "robust"}, verdict("accepted"));
        two.add(Answer{"b", 0, "x = 2", "", "", ""});
    }
    merge_runs({path_, other}, whole);
    const RunData data = read_run(whole);
    EXPECT_EQ(data.problems.size(), 2U);
    EXPECT_EQ(data.answers.size(), 2U);
    EXPECT_EQ(data.pending("robust"), 1U);
    EXPECT_EQ(data.config, "x = 1\n");
    EXPECT_THROW(merge_runs({path_, other}, whole), InputError) << "it exists";
    { RunFolder third(folder_.path() / "third", "x = 2\n", problems_); }
    EXPECT_THROW(merge_runs({path_, folder_.path() / "third"}, folder_.path() / "new"), InputError);
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "new"));
}

TEST(Shard, DividesProblems) {
    const Shard second = Shard::parse("2/3");
    EXPECT_FALSE(second.has(0));
    EXPECT_TRUE(second.has(1));
    EXPECT_TRUE(second.has(4));
    EXPECT_TRUE(Shard::parse("").has(7));
    for (const char* wrong : {"0/3", "4/3", "1", "1/2x", "a/b", "-1/2"})
        EXPECT_THROW(Shard::parse(wrong), InputError) << wrong;
}

TEST(Protocols, ChangeTheOptions) {
    const std::vector<Protocol> all = parse_protocols("robust,relaxed,kernelbench");
    const judge::Options options;
    EXPECT_FALSE(all[0].applied_to(options).relaxed);
    EXPECT_DOUBLE_EQ(all[0].applied_to(options).tolerance.f32, options.tolerance.f32);
    EXPECT_TRUE(all[1].applied_to(options).relaxed);
    EXPECT_DOUBLE_EQ(all[2].applied_to(options).tolerance.f32, 1e-2);
    EXPECT_THROW(parse_protocols("lenient"), InputError);
    EXPECT_THROW(parse_protocols("robust,robust"), InputError);
    EXPECT_THROW(parse_protocols(""), InputError);
}

}  // namespace
}  // namespace tritonsmith::bench
