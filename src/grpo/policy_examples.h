#pragma once

#include <functional>
#include <vector>

#include "grpo/sample.h"
#include "grpo/settings.h"

namespace tritonsmith::grpo {

/// Gives each judged sample the returns of its reward's parts (its own and those of later turns, each less by
/// the discount) and their advantages among the group's answers of the same turn, and says what stands in the
/// way of learning from the group.
void weigh(Group& group, const Settings& settings);

/// An episode, ready for the trainer: the prompt, and answers with feedback between them. Vectors are of the
/// answers' tokens, one behind the other; prompt and feedback are not learned.
struct PolicyExample {
    std::vector<int64_t> tokens;
    std::vector<text::Span> answers;  ///< where they are among the tokens, in order; the first not at 0
    std::vector<float> advantages, weights, kl_weights, rollout;
    std::vector<float> old,
        reference;  ///< the trainer's log-probabilities before the step; empty: not needed

    /// Tokens that are learned.
    int64_t learned() const {
        int64_t sum = 0;
        for (const text::Span& answer : answers) sum += answer.end - answer.begin;
        return sum;
    }
};

/// Of all judged samples of these groups. A token's advantage is that of the part which rewards its class,
/// its weight the part's times what aggregation says. @param sum_of_all adds up a number over the run's
/// processes
std::vector<PolicyExample> policy_examples(const std::vector<Group>& groups, const Settings& settings,
                                           const std::function<double(double)>& sum_of_all);

}  // namespace tritonsmith::grpo
