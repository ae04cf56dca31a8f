#include "grpo/policy_examples.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tritonsmith::grpo {
namespace {

Sample sample_of(int plan, int length, double plan_reward, double code_reward) {
    Sample sample;
    sample.tokens.assign(static_cast<size_t>(length), 7);
    sample.rollout.assign(static_cast<size_t>(length), -1);
    sample.spans = {{0, plan}, {plan, length}};
    sample.reward.parts = {{reward::Tokens::plan, plan_reward, 0.1}, {reward::Tokens::code, code_reward, 1}};
    return sample;
}

Settings hrd_settings() {
    Settings settings;
    settings.reward.kind = reward::Kind::hrd;
    settings.advantages.deviation = false;
    return settings;
}

double alone(double value) {
    return value;
}

Group two_samples() {
    Group group;
    group.prompt = {1, 2, 3};
    group.samples = {sample_of(2, 6, 1.5, 1), sample_of(4, 12, 0.5, 0)};
    group.samples[1].episode = 1;
    return group;
}

/// J = α J_plan + J_code, each by its own tokens and its own group advantage (TritonRL).
TEST(PolicyExamples, EachClassOfTokensHasItsOwnLoss) {
    const Settings settings = hrd_settings();
    std::vector<Group> groups = {two_samples()};
    weigh(groups[0], settings);
    EXPECT_EQ(groups[0].left_out, "");
    const std::vector<PolicyExample> examples = policy_examples(groups, settings, alone);
    ASSERT_EQ(examples.size(), 2U);
    EXPECT_EQ(examples[0].answers.at(0).begin, 3);
    EXPECT_EQ(examples[0].learned(), 6);
    EXPECT_FLOAT_EQ(examples[0].advantages[1], 0.5);  // plan: 1.5 against 0.5
    EXPECT_FLOAT_EQ(examples[0].advantages[2], 0.5);  // code: 1 against 0
    EXPECT_FLOAT_EQ(examples[1].advantages[3], -0.5);
    // Means over two answers of means over each answer's tokens of the class.
    EXPECT_FLOAT_EQ(examples[0].weights[0], 0.1 / (2 * 2));
    EXPECT_FLOAT_EQ(examples[0].weights[5], 1.0 / (2 * 4));
    EXPECT_FLOAT_EQ(examples[1].weights[0], 0.1 / (2 * 4));
    EXPECT_FLOAT_EQ(examples[1].weights[11], 1.0 / (2 * 8));
    EXPECT_FLOAT_EQ(examples[1].kl_weights[0], 1.0 / (2 * 12));
}

TEST(PolicyExamples, TokenMeansAreOverTheTokensOfTheClass) {
    Settings settings = hrd_settings();
    settings.aggregation.form = train::Aggregation::Form::token_mean;
    std::vector<Group> groups = {two_samples()};
    weigh(groups[0], settings);
    double plan = 0, code = 0;
    for (const PolicyExample& example : policy_examples(groups, settings, alone))
        for (const float weight : example.weights) (weight == example.weights[0] ? plan : code) += weight;
    EXPECT_NEAR(plan, 0.1, 1e-6);
    EXPECT_NEAR(code, 1, 1e-6);
    // Of two processes with such a share each.
    const auto doubled = policy_examples(groups, settings, [](double value) { return 2 * value; });
    EXPECT_FLOAT_EQ(doubled[0].weights[0], 0.1 / 12);
}

/// Two episodes: the first one is right at once, the second one with its second answer.
Group two_episodes() {
    Group group = two_samples();
    group.samples[1].reward.parts[1].reward = 0.25;
    Sample second = sample_of(1, 5, 0, 1);
    second.episode = 1;
    second.turn = 1;
    second.feedback = {8, 8, 8};
    group.samples.push_back(second);
    return group;
}

TEST(PolicyExamples, RewardsOfLaterTurnsCountForEarlierOnes) {
    Settings settings = hrd_settings();
    settings.discount = 0.4;
    Group group = two_episodes();
    weigh(group, settings);
    EXPECT_DOUBLE_EQ(group.samples[0].returns[1], 1);
    EXPECT_DOUBLE_EQ(group.samples[1].returns[1], 0.25 + 0.4 * 1);
    EXPECT_DOUBLE_EQ(group.samples[2].returns[1], 1);
    // Among the answers of the same turn.
    EXPECT_DOUBLE_EQ(group.samples[0].advantages[1], (1 - 0.65) / 2);
    EXPECT_DOUBLE_EQ(group.samples[1].advantages[1], -(1 - 0.65) / 2);
    EXPECT_DOUBLE_EQ(group.samples[2].advantages[1], 0);
}

TEST(PolicyExamples, AnEpisodeIsOneExampleWhoseFeedbackIsNotLearned) {
    const Settings settings = hrd_settings();
    std::vector<Group> groups = {two_episodes()};
    groups[0].samples[2].rollout.assign(5, -3);
    weigh(groups[0], settings);
    const std::vector<PolicyExample> examples = policy_examples(groups, settings, alone);
    ASSERT_EQ(examples.size(), 2U);
    const PolicyExample& episode = examples[1];
    ASSERT_EQ(episode.answers.size(), 2U);
    EXPECT_EQ(episode.tokens.size(), 3U + 12 + 3 + 5);
    EXPECT_EQ(episode.answers[0].begin, 3);
    EXPECT_EQ(episode.answers[0].end, 15);
    EXPECT_EQ(episode.answers[1].begin, 18);
    EXPECT_EQ(episode.answers[1].end, 23);
    EXPECT_EQ(episode.tokens[16], 8);
    EXPECT_EQ(episode.learned(), 17);
    EXPECT_EQ(episode.rollout[11], -1);
    EXPECT_EQ(episode.rollout[12], -3);
    EXPECT_EQ(episode.weights.size(), 17U);
    EXPECT_FLOAT_EQ(episode.advantages[11], -0.175);
    EXPECT_EQ(episode.advantages[16], 0);
    // Each answer counts as a sequence of its own.
    EXPECT_FLOAT_EQ(episode.weights[16], 1.0 / (3 * 4));
}

TEST(PolicyExamples, GroupsThatTeachNothingAreNamed) {
    Settings settings = hrd_settings();
    Group equal = two_samples();
    equal.samples[1].reward = equal.samples[0].reward;
    weigh(equal, settings);
    EXPECT_EQ(equal.left_out, "equal_rewards");
    settings.dynamic = false;
    Group kept = two_samples();
    kept.samples[1].reward = kept.samples[0].reward;
    weigh(kept, settings);
    EXPECT_EQ(kept.left_out, "");
    Group failed = two_samples();
    failed.samples[0].verdict.status = judge::Status::machine_error;
    weigh(failed, settings);
    EXPECT_EQ(failed.left_out, "unjudged");
    Group strange = two_samples();
    strange.samples[0].verdict.status = judge::Status::unjudgeable;
    weigh(strange, settings);
    EXPECT_EQ(strange.left_out, "unjudgeable");
}

TEST(PolicyExamples, ASampleWithoutAVerdictIsNotLearned) {
    const Settings settings = hrd_settings();
    std::vector<Group> groups = {two_samples()};
    groups[0].samples.push_back(sample_of(1, 3, 0, 0));
    groups[0].samples[2].verdict.status = judge::Status::machine_error;
    weigh(groups[0], settings);
    const std::vector<PolicyExample> examples = policy_examples(groups, settings, alone);
    EXPECT_EQ(examples.size(), 2U);
    EXPECT_FLOAT_EQ(examples[0].advantages[2], 0.5);
}

}  // namespace
}  // namespace tritonsmith::grpo
