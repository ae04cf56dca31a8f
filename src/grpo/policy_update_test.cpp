#include "grpo/policy_update.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include "engine/executor/cpu_executor.h"
#include "engine/testing.h"
#include "train/network/parameters.h"

namespace tritonsmith::grpo {
namespace {

/// One whose weights are trained, and the same with the operators that sample.
struct TrainedModel {
    explicit TrainedModel(bool exact)
        : trained(model::Model::random(
              engine::small_model().config(),
              {.device = at::kCPU, .dtype = at::kFloat, .exact = exact, .plain = true, .copied = true}, 3)),
          sampler(trained.sharing({.device = at::kCPU, .dtype = at::kFloat, .exact = exact})) {}

    model::Model trained, sampler;
};

/// Answers of the engine to prompts of several lengths, with its log-probabilities.
std::vector<PolicyExample> sampled_examples(const model::Model& sampler) {
    engine::Engine::Options options;
    options.chunk_tokens = 64;  // longer prompts are computed in parts
    options.vocabulary = sampler.config().vocabulary;
    options.context_length = sampler.config().positions;
    engine::Engine engine(engine::cpu_executor(sampler, 64, 64), options);
    std::vector<PolicyExample> examples;
    for (const int length : {1, 70, 150}) {
        const engine::Request request =
            engine::request_of(engine::prompt_of(length, length), 5, 40, 1, static_cast<uint64_t>(length));
        for (const engine::Collected::Answer& answer : engine::ask(engine, request)) {
            PolicyExample& example = examples.emplace_back();
            example.tokens.assign(request.prompt.begin(), request.prompt.end());
            example.tokens.insert(example.tokens.end(), answer.tokens.begin(), answer.tokens.end());
            example.answers = {{length, static_cast<int>(example.tokens.size())}};
            example.rollout = answer.logprobs;
        }
    }
    return examples;
}

/// @return the greatest distance between what the engine and the trainer say
float mismatch(bool exact) {
    const TrainedModel model(exact);
    const std::vector<PolicyExample> examples = sampled_examples(model.sampler);
    const auto scores = score(train::Network(model.trained), examples, 600, {});
    float most = 0;
    for (size_t i = 0; i < examples.size(); ++i)
        for (size_t token = 0; token < scores[i].size(); ++token)
            most = std::max(most, std::abs(scores[i][token] - examples[i].rollout[token]));
    return most;
}

TEST(PolicyUpdate, ExactLogProbabilitiesAreTheEngines) {
    EXPECT_EQ(mismatch(true), 0);
    const float inexact = mismatch(false);
    EXPECT_GT(inexact, 0);
    EXPECT_LT(inexact, 1e-4);
}

TEST(PolicyUpdate, ExactGradientsAreThoseOfTheOthersButForRounding) {
    at::manual_seed(1);
    const train::Documents documents{at::randint(512, {370}, at::kLong), {300, 1, 69}};
    const at::Tensor gradient = at::randn({370, 128});
    std::vector<model::Weights> sums;
    const TrainedModel models[] = {TrainedModel(false), TrainedModel(true)};
    for (const TrainedModel& one : models) {
        const train::Network network(one.trained);
        train::Tape tape;
        network.forward(documents, tape);
        sums.push_back(train::zero_gradients(one.trained, at::kFloat));
        network.backward(gradient, tape, sums.back());
    }
    const auto expected = train::parameters_of(models[0].trained, sums[0]),
               found = train::parameters_of(models[1].trained, sums[1]);
    for (size_t i = 0; i < expected.size(); ++i) {
        const double distance = (found[i].gradient - expected[i].gradient).norm().item<double>();
        EXPECT_LT(distance, 1e-5 * expected[i].gradient.norm().item<double>()) << expected[i].name();
    }
}

}  // namespace
}  // namespace tritonsmith::grpo
