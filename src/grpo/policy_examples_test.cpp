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
    EXPECT_EQ(examples[0].prompt, 3);
    EXPECT_EQ(examples[0].answer(), 6);
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
