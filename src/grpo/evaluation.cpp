#include "grpo/evaluation.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "judge/verdict/hacks.h"

namespace tritonsmith::grpo {
namespace {

/// Sets the draws of evaluation apart from those of training.
constexpr uint64_t evaluation_seed = 0x6576616c;

/// Sums over tasks and answers.
struct Sums {
    double tasks = 0, rates = 0, solved = 0;
    double answers = 0, reward = 0, cheating = 0, tokens = 0, unjudged = 0;

    void add(const Group& group) {
        double right = 0, judged = 0;
        for (const Sample& sample : group.samples) {
            if (!sample.judged()) {
                ++unjudged;
                continue;
            }
            ++judged;
            right += sample.facts.correct;
            reward += sample.reward.total();
            cheating += !judge::hack_of(sample.verdict.reason).empty();
            tokens += sample.length();
        }
        answers += judged;
        if (judged == 0) return;
        ++tasks;
        rates += right / judged;
        solved += right > 0;
    }
};

}  // namespace

ShareInterval wilson_interval(double share, double trials) {
    if (trials <= 0) return {};
    constexpr double z = 1.959963984540054;
    const double scale = 1 / (1 + z * z / trials), middle = scale * (share + z * z / (2 * trials)),
                 half = scale * z * std::sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials));
    return {std::max(middle - half, 0.0), std::min(middle + half, 1.0)};
}

Evaluation::Evaluation(std::vector<TrainingTask> tasks, const Settings& settings, const Prompter& prompter,
                       int room, int rank, int count)
    : settings_(settings), tasks_(std::move(tasks)) {
    for (size_t i = static_cast<size_t>(rank); i < tasks_.size(); i += static_cast<size_t>(count)) {
        Group group;
        group.number = static_cast<int64_t>(i);
        group.seed = Random(settings.seed ^ evaluation_seed, i).next();
        group.task = &tasks_[i];
        group.prompt = prompter.prompt(tasks_[i]);
        if (static_cast<int>(group.prompt.size()) <= room)
            groups_.push_back(std::move(group));
        else
            ++left_out_;
    }
}

Json Evaluation::run(Collector& collector, std::vector<Group>& groups,
                     const std::function<double(double)>& sum_of_all) const {
    groups = groups_;
    SamplingTime time;
    collector.collect(groups,
                      {.samples = settings_.evaluation_samples,
                       .temperature = settings_.evaluation_temperature,
                       .top_p = settings_.top_p},
                      time);
    Sums sums;
    for (const Group& group : groups) sums.add(group);
    const double tasks = sum_of_all(sums.tasks), answers = sum_of_all(sums.answers);
    const auto by_task = [&](double sum) { return sum_of_all(sum) / std::max(tasks, 1.0); };
    const auto by_answer = [&](double sum) { return sum_of_all(sum) / std::max(answers, 1.0); };
    const double rate = by_task(sums.rates);
    const ShareInterval interval = wilson_interval(rate, tasks);
    return {{"pass_rate", rate},
            {"interval", {interval.low, interval.high}},
            {"solved", by_task(sums.solved)},
            {"reward", by_answer(sums.reward)},
            {"cheating", by_answer(sums.cheating)},
            {"length", by_answer(sums.tokens)},
            {"tasks", tasks},
            {"answers", answers},
            {"unjudged", sum_of_all(sums.unjudged)},
            {"prompts_left_out", sum_of_all(static_cast<double>(left_out_))}};
}

}  // namespace tritonsmith::grpo
