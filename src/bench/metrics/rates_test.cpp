#include "bench/metrics/rates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tritonsmith::bench {
namespace {

using testing::ElementsAre;

Outcome outcome(const std::string& problem, int sample, const std::string& status,
                std::optional<double> speedup = {}) {
    Outcome out;
    out.problem = problem;
    out.sample = sample;
    out.status = status;
    out.speedup = speedup;
    return out;
}

const Criterion& criterion(const std::vector<Criterion>& all, const std::string& name) {
    for (const Criterion& one : all)
        if (one.name == name) return one;
    throw std::runtime_error("no criterion " + name);
}

TEST(Rates, AMissingAnswerIsAWrongOne) {
    const std::vector<Outcome> outcomes = {outcome("a", 0, "accepted"), outcome("a", 1, "rejected"),
                                           outcome("b", 0, "accepted")};
    const Counts counts({"a", "b", "c"}, 2);
    const std::vector<Criterion> criteria = criteria_of(outcomes);
    EXPECT_EQ(criteria.size(), 3U) << "nothing was timed: no fast_p";
    EXPECT_THAT(counts.pass_at(outcomes, criterion(criteria, "correct"), 1), ElementsAre(0.5, 0.5, 0));
    EXPECT_THAT(counts.pass_at(outcomes, criterion(criteria, "correct"), 2), ElementsAre(1, 1, 0));
}

TEST(Rates, FastCountsWhatIsCorrectAndFasterThanP) {
    std::vector<Outcome> outcomes = {outcome("a", 0, "accepted", 1.2), outcome("b", 0, "accepted", 0.9),
                                     outcome("c", 0, "rejected", 5), outcome("d", 0, "accepted")};
    outcomes[0].compile_speedup = 0.7;
    const Counts counts({"a", "b", "c", "d"}, 1);
    const std::vector<Criterion> criteria = criteria_of(outcomes);
    EXPECT_THAT(counts.pass_at(outcomes, criterion(criteria, "fast_0"), 1), ElementsAre(1, 1, 0, 1));
    EXPECT_THAT(counts.pass_at(outcomes, criterion(criteria, "fast_0.8"), 1), ElementsAre(1, 1, 0, 0));
    EXPECT_THAT(counts.pass_at(outcomes, criterion(criteria, "fast_1"), 1), ElementsAre(1, 0, 0, 0));
    EXPECT_THAT(counts.pass_at(outcomes, criterion(criteria, "fast_1.2"), 1), ElementsAre(0, 0, 0, 0))
        << "faster than p, not as fast";
    EXPECT_THAT(counts.pass_at(outcomes, criterion(criteria, "fast_0.8_compile"), 1),
                ElementsAre(0, 0, 0, 0));
    EXPECT_THAT(counts.pass_at(outcomes, criterion(criteria, "fast_0_compile"), 1), ElementsAre(1, 1, 0, 1));
}

TEST(Rates, CallAndExecutionAreOfProgramsWithTests) {
    std::vector<Outcome> outcomes = {outcome("a", 0, "accepted"), outcome("b", 0, "rejected"),
                                     outcome("c", 0, "rejected")};
    for (Outcome& one : outcomes) one.call = one.execution_stdout = one.execution = false;
    outcomes[0].call = outcomes[0].execution = outcomes[0].execution_stdout = outcomes[1].call =
        outcomes[1].execution_stdout = true;
    const std::vector<Criterion> criteria = criteria_of(outcomes);
    const Counts counts({"a", "b", "c"}, 1);
    EXPECT_THAT(counts.pass_at(outcomes, criterion(criteria, "call"), 1), ElementsAre(1, 1, 0));
    EXPECT_THAT(counts.pass_at(outcomes, criterion(criteria, "execution"), 1), ElementsAre(1, 0, 0));
    EXPECT_THAT(counts.pass_at(outcomes, criterion(criteria, "execution_stdout"), 1), ElementsAre(1, 1, 0));
    EXPECT_EQ(criteria.size(), 6U);
    const Outcome read = outcome_of(
        {{"problem", "a"},
         {"sample", 0},
         {"protocol", "tritonbench"},
         {"verdict", {{"status", "rejected"}, {"tests", {{"call", true}, {"execution", false}}}}}});
    EXPECT_TRUE(read.call.value());
    EXPECT_FALSE(read.execution.value());
}

TEST(Rates, Attempts) {
    EXPECT_THAT(attempts_of(1), ElementsAre(1));
    EXPECT_THAT(attempts_of(8), ElementsAre(1, 5, 8));
    EXPECT_THAT(attempts_of(100), ElementsAre(1, 5, 10, 100));
    EXPECT_THAT(attempts_of(0), ElementsAre());
}

TEST(Outcome, IsReadFromAVerdict) {
    const Json line = {{"problem", "a"},
                       {"sample", 3},
                       {"protocol", "robust"},
                       {"verdict",
                        {{"status", "accepted"},
                         {"reason", nullptr},
                         {"valid", true},
                         {"compiled", true},
                         {"speedup", 1.5},
                         {"candidate_ms", 2.0},
                         {"baseline_ms", {{"eager", 3.0}, {"compile", 1.0}}}}}};
    const Outcome one = outcome_of(line);
    EXPECT_TRUE(one.correct());
    EXPECT_DOUBLE_EQ(one.speedup.value(), 1.5);
    EXPECT_DOUBLE_EQ(one.compile_speedup.value(), 0.5);
    EXPECT_THROW(outcome_of({{"problem", "a"}}), InputError);
}

}  // namespace
}  // namespace tritonsmith::bench
