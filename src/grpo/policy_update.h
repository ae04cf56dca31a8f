#pragma once

#include <vector>

#include "grpo/device_work.h"
#include "grpo/policy_examples.h"
#include "train/policy/mismatch.h"
#include "train/trainer/trainer.h"

namespace tritonsmith::grpo {

/// Sums over the tokens that an update learned, of this process.
struct UpdateSums {
    double loss = 0;  ///< weights included
    double tokens = 0, clipped = 0;
    double surprise = 0;    ///< -log π of the tokens that were sampled: their mean estimates the entropy
    double divergence = 0;  ///< from the reference
    std::vector<float> old, rollout;  ///< log-probabilities, of the first update of a step
};

/// Forward passes only: the log-probabilities of each example's answer. @param turn each batch is a
/// DeviceWork
/// @return in the order of the examples
std::vector<std::vector<float>> score(const train::Network& network,
                                      const std::vector<PolicyExample>& examples, int64_t budget,
                                      const TakeTurn& turn);

/// Forward and backward of all examples, in batches of at most `budget` tokens. Gradients are added to the
/// trainer's. @throws InputError for an example longer than that
UpdateSums train_policy(train::Trainer& trainer, const std::vector<PolicyExample>& examples,
                        const train::PolicyLossSettings& loss, int64_t budget, const TakeTurn& turn);

}  // namespace tritonsmith::grpo
