#include "bench/summary/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "bench/summary/compare.h"

namespace tritonsmith::bench {
namespace {

/// Answers to problems p0, p1 ...: "+" accepted, "-" wrong, "h" PyTorch does the work, "?" unjudgeable.
RunData run_of(const std::string& name, const std::vector<std::string>& answers) {
    RunData out;
    out.name = name;
    for (size_t i = 0; i < answers.size(); ++i) {
        Problem one;
        one.id = "p" + std::to_string(i);
        one.level = i % 2 ? 2 : 1;
        one.family = "matmul";
        out.problems.push_back(one);
        for (size_t s = 0; s < answers[i].size(); ++s) {
            Outcome outcome;
            outcome.problem = one.id;
            outcome.sample = static_cast<int>(s);
            outcome.protocol = "robust";
            const char c = answers[i][s];
            outcome.status = c == '+' ? "accepted" : c == '?' ? "unjudgeable" : "rejected";
            outcome.reason = c == '+'   ? ""
                             : c == '?' ? "task_random"
                             : c == 'h' ? "host_compute"
                                        : "wrong_result";
            out.outcomes["robust"].push_back(outcome);
            out.samples = std::max(out.samples, ++out.answers[one.id]);
        }
    }
    return out;
}

double rate(const Json& summary, const std::string& metric, int k, const char* column) {
    for (const Json& one : summary["protocols"]["robust"]["rates"])
        if (one["metric"] == metric && one["k"] == k) return one[column]["value"];
    return -1;
}

TEST(Summary, RatesAreMeansOverProblems) {
    RunData run = run_of("r", {"+-", "++", "h-", "??"});
    run.problems[1].flaw = "constant";
    const Json summary = summarise(run);
    EXPECT_DOUBLE_EQ(rate(summary, "correct", 1, "all"), (0.5 + 1) / 4);
    EXPECT_DOUBLE_EQ(rate(summary, "correct", 2, "all"), 2.0 / 4);
    EXPECT_DOUBLE_EQ(rate(summary, "correct", 1, "sound"), 0.5 / 2)
        << "without the flawed and the unjudgeable problem";
    const Json& robust = summary["protocols"]["robust"];
    EXPECT_EQ(robust["hacks"], Json({{"PyTorch does the work", 1}}));
    EXPECT_EQ(robust["unjudgeable"], Json({"p3"}));
    EXPECT_EQ(robust["reasons"][0]["reason"], "accepted");
    EXPECT_EQ(robust["reasons"][0]["count"], 3);
    EXPECT_FALSE(robust["timed"]);
    EXPECT_EQ(robust["groups"]["level"][0]["group"], "1");
    EXPECT_DOUBLE_EQ(robust["groups"]["level"][0]["correct"]["value"].get<double>(), 0.25);
    EXPECT_DOUBLE_EQ(robust["groups"]["level"][1]["pass@2"]["value"].get<double>(), 0.5);
}

TEST(Summary, SpeedupsAreOfAcceptedAnswers) {
    RunData run = run_of("r", {"++", "-+", "--"});
    std::vector<Outcome>& outcomes = run.outcomes["robust"];
    outcomes[0].speedup = 2;
    outcomes[1].speedup = 0.5;
    outcomes[2].speedup = 100;  // rejected
    outcomes[3].speedup = 4;
    const Json summary = summarise(run);
    const Json& speedups = summary["protocols"]["robust"]["speedups"];
    EXPECT_EQ(speedups["answers"]["count"], 3);
    EXPECT_NEAR(speedups["answers"]["geomean"].get<double>(), std::cbrt(4.0), 1e-12);
    EXPECT_NEAR(speedups["best"]["geomean"].get<double>(), std::sqrt(8.0), 1e-12);
    EXPECT_DOUBLE_EQ(speedups["mean_best"]["value"].get<double>(), (2.0 + 4 + 0) / 3);
    EXPECT_DOUBLE_EQ(rate(summary, "fast_1", 1, "all"), (0.5 + 0.5) / 3);
}

TEST(Compare, PairsByProblem) {
    const RunData a = run_of("a", {"+", "-", "-", "-", "-", "-", "+"}),
                  b = run_of("b", {"+", "+", "+", "+", "+", "+", "h", "+"});
    const Json compared = compare_runs(a, b, "robust");
    EXPECT_EQ(compared["tasks"], 7);
    EXPECT_EQ(compared["only_in_b"], 1);
    EXPECT_EQ(compared["flips"].size(), 6U);
    const Json& lost = compared["flips"][5];
    EXPECT_EQ(lost["problem"], "p6");
    EXPECT_EQ(lost["to"], "lost");
    EXPECT_EQ(lost["b"], "host_compute");
    for (const Json& one : compared["metrics"]) {
        if (one["metric"] != "correct") continue;
        EXPECT_EQ(one["gained"], 5);
        EXPECT_EQ(one["lost"], 1);
        EXPECT_NEAR(one["p"].get<double>(), 2 * 7.0 / 64, 1e-12);
        EXPECT_NEAR(one["difference"]["value"].get<double>(), 4.0 / 7, 1e-12);
    }
    EXPECT_THROW(compare_runs(a, b, "relaxed"), InputError);
}

}  // namespace
}  // namespace tritonsmith::bench
