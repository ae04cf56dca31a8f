#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/api/generator.h"
#include "grpo/task_order.h"
#include "grpo/task_set.h"
#include "judge/verdict/verdict.h"
#include "reward/reward.h"
#include "text/prompt/response.h"

namespace tritonsmith::grpo {

/// An answer with its verdict and reward: a turn of an episode, which goes on with the judge's feedback.
struct Sample {
    int episode = 0, turn = 0;          ///< from 0
    std::vector<text::Token> feedback;  ///< tokens between the answer of the turn before and this one
    std::vector<text::Token> tokens;
    std::vector<float> rollout;  ///< log-probabilities of the tokens, by the engine
    engine::End end = engine::End::failed;
    std::string text;
    text::Response response;
    text::ResponseTokens spans;
    judge::Verdict verdict;
    reward::Facts facts;                       ///< the judge's
    std::optional<reward::CheckResult> check;  ///< that the reward goes by, where it is not the judge
    reward::Reward reward;
    std::vector<double> returns;     ///< of each part: its reward and those of later turns, discounted
    std::vector<double> advantages;  ///< of each part, from its returns

    /// Whether there is a verdict on it, so that it can be learned from.
    bool judged() const { return verdict.status != judge::Status::machine_error; }
    int length() const { return static_cast<int>(tokens.size()); }
};

/// The answers to one prompt.
struct Group {
    int64_t number = 0;  ///< of its prompt, in the order of the run's process
    uint64_t seed = 0;   ///< of its samples
    TaskOrder::Place place;
    const TrainingTask* task = nullptr;
    std::vector<text::Token> prompt;
    std::vector<Sample> samples;

    /// What stands in the way of learning from it: "unjudgeable", "unjudged", "equal_rewards"; "": nothing.
    std::string left_out;
};

}  // namespace tritonsmith::grpo
