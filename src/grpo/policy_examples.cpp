#include "grpo/policy_examples.h"

#include <algorithm>
#include <map>

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

/// One more turn of an episode behind its others.
void add_answer(PolicyExample& example, const Sample& sample, const Settings& settings,
                const std::vector<train::BatchCounts>& counts) {
    example.tokens.insert(example.tokens.end(), sample.feedback.begin(), sample.feedback.end());
    const int first = static_cast<int>(example.tokens.size());
    example.tokens.insert(example.tokens.end(), sample.tokens.begin(), sample.tokens.end());
    example.answers.push_back({first, static_cast<int>(example.tokens.size())});
    const size_t before = example.advantages.size(), length = sample.tokens.size();
    example.advantages.resize(before + length, 0);
    example.weights.resize(before + length, 0);
    example.rollout.insert(example.rollout.end(), sample.rollout.begin(), sample.rollout.end());
    for (size_t part = 0; part < sample.reward.parts.size(); ++part) {
        const text::Span span = span_of(sample, part);
        const auto tokens = static_cast<double>(count_of(span));
        const double weight = sample.reward.parts[part].weight *
                              train::token_weight(settings.aggregation, tokens, counts[part]);
        for (int i = span.begin; i < span.end; ++i) {
            example.advantages[before + static_cast<size_t>(i)] = static_cast<float>(sample.advantages[part]);
            example.weights[before + static_cast<size_t>(i)] = static_cast<float>(weight);
        }
    }
    const double all = train::token_weight(settings.aggregation, static_cast<double>(length), counts.back());
    example.kl_weights.resize(before + length, static_cast<float>(all));
}

/// Returns of each part: G_t = r_t + γ G_t+1. A later turn without a verdict says nothing.
void add_returns(Group& group, double discount) {
    std::map<int, std::vector<Sample*>> episodes;
    for (Sample& sample : group.samples)
        if (sample.judged()) episodes[sample.episode].push_back(&sample);
    for (auto& [episode, turns] : episodes) {
        std::sort(turns.begin(), turns.end(),
                  [](const Sample* a, const Sample* b) { return a->turn < b->turn; });
        for (size_t turn = turns.size(); turn-- > 0;) {
            Sample& sample = *turns[turn];
            sample.returns.clear();
            for (size_t part = 0; part < sample.reward.parts.size(); ++part)
                sample.returns.push_back(
                    sample.reward.parts[part].reward +
                    (turn + 1 < turns.size() ? discount * turns[turn + 1]->returns[part] : 0));
        }
    }
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
    add_returns(group, settings.discount);
    bool equal = true;
    std::map<int, std::vector<Sample*>> turns;
    for (Sample* sample : samples) turns[sample->turn].push_back(sample);
    for (auto& [turn, answers] : turns)
        for (size_t part = 0; part < answers.front()->reward.parts.size(); ++part) {
            std::vector<double> returns;
            for (const Sample* sample : answers) returns.push_back(sample->returns[part]);
            const std::vector<double> advantages = train::group_advantages(returns, settings.advantages);
            for (size_t i = 0; i < answers.size(); ++i) {
                answers[i]->advantages.push_back(advantages[i]);
                equal = equal && returns[i] == returns[0];
            }
        }
    if (equal && settings.dynamic) group.left_out = "equal_rewards";
}

std::vector<PolicyExample> policy_examples(const std::vector<Group>& groups, const Settings& settings,
                                           const std::function<double(double)>& sum_of_all) {
    const std::vector<train::BatchCounts> counts =
        batch_counts(judged_samples(groups), parts_of(settings.reward), sum_of_all);
    std::vector<PolicyExample> examples;
    for (const Group& group : groups) {
        std::map<int, PolicyExample> episodes;  // turns of an episode follow each other in a group
        for (const Sample& sample : group.samples) {
            if (!sample.judged()) continue;
            PolicyExample& example = episodes[sample.episode];
            if (example.tokens.empty()) example.tokens.assign(group.prompt.begin(), group.prompt.end());
            add_answer(example, sample, settings, counts);
        }
        for (auto& [episode, example] : episodes) examples.push_back(std::move(example));
    }
    return examples;
}

}  // namespace tritonsmith::grpo
