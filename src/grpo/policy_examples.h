#pragma once

#include <functional>
#include <vector>

#include "grpo/sample.h"
#include "grpo/settings.h"

namespace tritonsmith::grpo {

/// Gives each judged sample the advantages of its reward's parts within the group, and says what stands in
/// the way of learning from the group.
void weigh(Group& group, const Settings& settings);

/// An answer behind its prompt, ready for the trainer. Vectors are of the answer's tokens.
struct PolicyExample {
    std::vector<int64_t> tokens;  ///< prompt and answer
    int64_t prompt = 0;           ///< tokens of the prompt, at least 1
    std::vector<float> advantages, weights, kl_weights, rollout;
    std::vector<float> old,
        reference;  ///< the trainer's log-probabilities before the step; empty: not needed

    int64_t answer() const { return static_cast<int64_t>(tokens.size()) - prompt; }
};

/// Of all judged samples of these groups. A token's advantage is that of the part which rewards its class,
/// its weight the part's times what aggregation says. @param sum_of_all adds up a number over the run's
/// processes
std::vector<PolicyExample> policy_examples(const std::vector<Group>& groups, const Settings& settings,
                                           const std::function<double(double)>& sum_of_all);

}  // namespace tritonsmith::grpo
