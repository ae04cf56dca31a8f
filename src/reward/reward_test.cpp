#include "reward/reward.h"

#include <gtest/gtest.h>

namespace tritonsmith::reward {
namespace {

Facts right(double speedup) {
    Facts facts;
    facts.format = facts.is_triton = facts.syntax = facts.functional = facts.compiled = facts.correct = true;
    facts.speedup = facts.best_speedup = speedup;
    return facts;
}

Settings settings_of(Kind kind) {
    Settings settings;
    settings.kind = kind;
    return settings;
}

double only_part(const Reward& reward) {
    EXPECT_EQ(reward.parts.size(), 1U);
    EXPECT_EQ(reward.parts.front().tokens, Tokens::all);
    EXPECT_EQ(reward.parts.front().weight, 1);
    return reward.parts.front().reward;
}

/// AutoTriton: r = 1 if is_triton ∧ tests_passed, else 0.
TEST(Reward, AutoTritonIsItsTruthTable) {
    for (const bool is_triton : {false, true})
        for (const bool correct : {false, true})
            for (const bool rule : {false, true}) {
                Facts facts;
                facts.is_triton = is_triton;
                facts.correct = correct;
                facts.speedup = 7;  // no term of speed
                Settings settings = settings_of(Kind::autotriton);
                settings.rule = rule;
                EXPECT_EQ(only_part(reward_of(facts, 10, settings)), correct && (is_triton || !rule) ? 1 : 0);
            }
}

/// TritonRL: R_code = valid · correct, R_plan = valid · min(speedup, 2), J = α J_plan + J_code.
TEST(Reward, HrdGivesCorrectnessToTheCodeAndSpeedToThePlan) {
    Settings settings = settings_of(Kind::hrd);
    settings.alpha = 0.25;
    for (const double speedup : {0.5, 1.5, 3.0})
        for (int bits = 0; bits < 8; ++bits) {
            Facts facts = right(speedup);
            facts.syntax = bits & 1;
            facts.functional = bits & 2;
            facts.correct = bits & 4;
            const Reward reward = reward_of(facts, 10, settings);
            ASSERT_EQ(reward.parts.size(), 2U);
            const bool counts = bits == 7;
            EXPECT_EQ(reward.parts[0].tokens, Tokens::plan);
            EXPECT_EQ(reward.parts[0].reward, counts ? std::min(speedup, 2.0) : 0);
            EXPECT_EQ(reward.parts[0].weight, 0.25);
            EXPECT_EQ(reward.parts[1].tokens, Tokens::code);
            EXPECT_EQ(reward.parts[1].reward, counts ? 1 : 0);
            EXPECT_EQ(reward.parts[1].weight, 1);
        }
}

TEST(Reward, UniformIsTheSumOnAllTokens) {
    Settings settings = settings_of(Kind::uniform);
    for (const double beta : {0.0, 0.3, 1.0}) {
        settings.beta = beta;
        EXPECT_DOUBLE_EQ(only_part(reward_of(right(1.5), 10, settings)), beta + (1 - beta) * 1.5);
        EXPECT_DOUBLE_EQ(only_part(reward_of(right(5), 10, settings)), beta + (1 - beta) * 2);
        Facts delegating = right(1.5);
        delegating.functional = false;
        EXPECT_EQ(only_part(reward_of(delegating, 10, settings)), 0);
    }
}

TEST(Reward, AProgramThatWasNotTimedHasNoSpeed) {
    Facts facts = right(1);
    facts.speedup = facts.best_speedup = std::nullopt;
    EXPECT_EQ(reward_of(facts, 10, settings_of(Kind::hrd)).parts[0].reward, 0);
    EXPECT_EQ(only_part(reward_of(facts, 10, settings_of(Kind::milestones))), 1);
}

TEST(Reward, MilestonesRiseWithEachStep) {
    Settings settings = settings_of(Kind::milestones);
    settings.valid = 0.1;
    settings.compiled = 0.2;
    settings.speeds = {1, 1.5, 2};
    settings.speed_step = 0.5;
    Facts facts;
    EXPECT_EQ(only_part(reward_of(facts, 10, settings)), 0);
    facts.syntax = facts.compiled = true;  // what delegates its work gets nothing for compiling
    EXPECT_EQ(only_part(reward_of(facts, 10, settings)), 0);
    facts.functional = true;
    facts.compiled = false;
    EXPECT_DOUBLE_EQ(only_part(reward_of(facts, 10, settings)), 0.1);
    facts.compiled = true;
    EXPECT_DOUBLE_EQ(only_part(reward_of(facts, 10, settings)), 0.3);
    facts.best_speedup = 9;  // a wrong program's speed is none
    EXPECT_DOUBLE_EQ(only_part(reward_of(facts, 10, settings)), 0.3);
    facts.correct = true;
    for (const auto& [speedup, reward] : {std::pair{0.9, 1.0}, {1.0, 1.5}, {1.6, 2.0}, {7.0, 2.5}}) {
        facts.best_speedup = speedup;
        EXPECT_DOUBLE_EQ(only_part(reward_of(facts, 10, settings)), reward);
    }
}

/// DAPO, equation 13.
TEST(Reward, LongAnswersLoseLinearly) {
    const Overlong overlong{.longest = 100, .buffer = 20};
    for (const auto& [length, penalty] :
         {std::pair{1, 0.0}, {80, 0.0}, {85, -0.25}, {100, -1.0}, {150, -1.0}})
        EXPECT_DOUBLE_EQ(overlong_penalty(overlong, length), penalty);
    EXPECT_EQ(overlong_penalty({}, 1000), 0);
}

TEST(Reward, FormatAndLengthAreAddedToEachPart) {
    Settings settings = settings_of(Kind::hrd);
    settings.format = 0.5;
    settings.overlong = {100, 20};
    const Reward reward = reward_of(right(1.5), 90, settings);
    EXPECT_DOUBLE_EQ(reward.parts[0].reward, 1.5 + 0.5 - 0.5);
    EXPECT_DOUBLE_EQ(reward.parts[1].reward, 1 + 0.5 - 0.5);
    EXPECT_DOUBLE_EQ(reward.total(), settings.alpha * 1.5 + 1);
    Facts cut = right(1.5);
    cut.format = false;
    EXPECT_DOUBLE_EQ(reward_of(cut, 10, settings).parts[1].reward, 1);
}

/// PyTorch alone: the judge names it, outputs do not show it. What the rule or the policy gives is AutoTriton's
/// ablation.
TEST(Reward, OfAnotherCheckGoesByItsWord) {
    Facts cheats;
    cheats.format = true;
    Settings settings = settings_of(Kind::autotriton);
    const Facts checked = as_checked(cheats, {.ran = true, .right = true});
    EXPECT_EQ(only_part(reward_of(checked, 10, settings)), 0);  // no @triton.jit function in the text
    settings.rule = false;
    EXPECT_EQ(only_part(reward_of(checked, 10, settings)), 1);
    EXPECT_EQ(only_part(reward_of(cheats, 10, settings)), 0);
    Facts right_for_the_judge = right(1);
    EXPECT_EQ(only_part(reward_of(as_checked(right_for_the_judge, {.ran = true}), 10, settings)), 0);
    EXPECT_TRUE(as_checked(right_for_the_judge, {.ran = true}).compiled);
    EXPECT_FALSE(as_checked(right_for_the_judge, {}).compiled);
}

TEST(Reward, NamesAreReadBack) {
    for (const Kind kind : {Kind::autotriton, Kind::hrd, Kind::uniform, Kind::milestones})
        EXPECT_EQ(kind_of(name(kind)), kind);
    EXPECT_THROW(kind_of("best"), InputError);
}

TEST(TokenClasses, EachTokenHasOneClass) {
    const text::ResponseTokens spans{{0, 4}, {6, 9}};
    EXPECT_EQ(tokens_of(Tokens::plan, spans, 12).end, 4);
    EXPECT_EQ(tokens_of(Tokens::code, spans, 12).begin, 4);  // the fence is written with the code
    EXPECT_EQ(tokens_of(Tokens::code, spans, 12).end, 12);
    EXPECT_EQ(tokens_of(Tokens::all, spans, 12).end, 12);
}

TEST(TokenClasses, WithoutAProgramAllIsThePlan) {
    const text::ResponseTokens spans{{0, 12}, {}};
    EXPECT_EQ(tokens_of(Tokens::plan, spans, 12).end, 12);
    EXPECT_TRUE(tokens_of(Tokens::code, spans, 12).empty());
}

}  // namespace
}  // namespace tritonsmith::reward
