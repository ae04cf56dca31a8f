#include "grpo/policy_examples.h"

#include <algorithm>

namespace tritonsmith::grpo {
namespace {

using Samples = std::vector<const Sample*>;

Samples judged_samples(const std::vector<Group>& groups) {
    Samples samples;
    for (const Group& group : groups)
        for (const Sample& sample : group.samples)
            if (sample.judged()) samples.push_back(&sample);
    return samples;
}

text::Span span_of(const Sample& sample, size_t part) {
    return reward::tokens_of(sample.reward.parts[part].tokens, sample.spans, sample.length());
}

int64_t count_of(text::Span span) {
    return std::max(span.end - span.begin, 0);
}

/// Of the whole update: answers, and tokens of each part's class; the last one of all tokens.
std::vector<train::BatchCounts> batch_counts(const Samples& samples, size_t parts,
                                             const std::function<double(double)>& sum_of_all) {
    const double sequences = sum_of_all(static_cast<double>(samples.size()));
    std::vector<train::BatchCounts> counts;
    for (size_t part = 0; part <= parts; ++part) {
        double tokens = 0;
        for (const Sample* sample : samples)
            tokens += static_cast<double>(part < parts ? count_of(span_of(*sample, part)) : sample->length());
        counts.push_back({sequences, sum_of_all(tokens)});
    }
    return counts;
}

/// How many parts the settings' reward has: the same on all processes, also where one has no samples.
size_t parts_of(const reward::Settings& settings) {
    return reward::reward_of({}, 0, settings).parts.size();
}

PolicyExample example_of(const Group& group, const Sample& sample, const Settings& settings,
                         const std::vector<train::BatchCounts>& counts) {
    PolicyExample example;
    example.prompt = static_cast<int64_t>(group.prompt.size());
    example.tokens.assign(group.prompt.begin(), group.prompt.end());
    example.tokens.insert(example.tokens.end(), sample.tokens.begin(), sample.tokens.end());
    const size_t length = sample.tokens.size();
    example.advantages.assign(length, 0);
    example.weights.assign(length, 0);
    example.rollout = sample.rollout;
    for (size_t part = 0; part < sample.reward.parts.size(); ++part) {
        const text::Span span = span_of(sample, part);
        const auto tokens = static_cast<double>(count_of(span));
        const double weight = sample.reward.parts[part].weight *
                              train::token_weight(settings.aggregation, tokens, counts[part]);
        for (int i = span.begin; i < span.end; ++i) {
            example.advantages[static_cast<size_t>(i)] = static_cast<float>(sample.advantages[part]);
            example.weights[static_cast<size_t>(i)] = static_cast<float>(weight);
        }
    }
    const double all = train::token_weight(settings.aggregation, static_cast<double>(length), counts.back());
    example.kl_weights.assign(length, static_cast<float>(all));
    return example;
}

}  // namespace

void weigh(Group& group, const Settings& settings) {
    std::vector<Sample*> samples;
    for (Sample& sample : group.samples) {
        if (sample.verdict.status == judge::Status::unjudgeable) group.left_out = "unjudgeable";
        if (sample.judged()) samples.push_back(&sample);
    }
    if (!group.left_out.empty()) return;
    if (samples.size() < 2) {
        group.left_out = "unjudged";
        return;
    }
    bool equal = true;
    for (size_t part = 0; part < samples.front()->reward.parts.size(); ++part) {
        std::vector<double> rewards;
        for (const Sample* sample : samples) rewards.push_back(sample->reward.parts[part].reward);
        const std::vector<double> advantages = train::group_advantages(rewards, settings.advantages);
        for (size_t i = 0; i < samples.size(); ++i) {
            samples[i]->advantages.push_back(advantages[i]);
            equal = equal && rewards[i] == rewards[0];
        }
    }
    if (equal && settings.dynamic) group.left_out = "equal_rewards";
}

std::vector<PolicyExample> policy_examples(const std::vector<Group>& groups, const Settings& settings,
                                           const std::function<double(double)>& sum_of_all) {
    const std::vector<train::BatchCounts> counts =
        batch_counts(judged_samples(groups), parts_of(settings.reward), sum_of_all);
    std::vector<PolicyExample> examples;
    for (const Group& group : groups)
        for (const Sample& sample : group.samples)
            if (sample.judged()) examples.push_back(example_of(group, sample, settings, counts));
    return examples;
}

}  // namespace tritonsmith::grpo
