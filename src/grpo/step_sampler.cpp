#include "grpo/step_sampler.h"

#include <fmt/format.h>

#include "base/random.h"
#include "grpo/policy_examples.h"

namespace tritonsmith::grpo {
namespace {

/// Draws in a row that the curriculum may leave out.
constexpr int64_t most_skipped = 1000;

}  // namespace

StepSampler::StepSampler(const Settings& settings, const TaskSet& tasks, const Prompter& prompter,
                         TaskOrder& order, Collector& collector, int room, int rank, int count)
    : settings_(settings),
      tasks_(tasks),
      prompter_(prompter),
      order_(order),
      collector_(collector),
      room_(room),
      rank_(rank),
      count_(count) {}

StepSampler::~StepSampler() {
    if (!next_.valid()) return;
    collector_.interrupt();
    next_.wait();
}

void StepSampler::begin(const Curriculum& curriculum) {
    before_ = order_.position();
    time_.begin(false);
    next_ = std::async(std::launch::async, [this, &curriculum] { return sample(curriculum); });
}

void StepSampler::wait() const {
    if (next_.valid()) next_.wait();
}

StepSamples StepSampler::take(const Curriculum& curriculum, StepTime& time) {
    StepSamples samples;
    if (next_.valid()) {
        time_.await();
        samples = next_.get();
    } else {
        time_.begin(true);
        samples = sample(curriculum);
    }
    time_.put(time);
    return samples;
}

StepSamples StepSampler::sample(const Curriculum& curriculum) {
    const auto wanted = static_cast<size_t>(settings_.prompts / count_);
    const std::vector<int64_t> before = order_.position();
    StepSamples samples;
    try {
        for (int round = 0; round <= settings_.refills && samples.kept.size() < wanted; ++round) {
            std::vector<Group> groups = next_groups(curriculum, wanted - samples.kept.size(), samples);
            collector_.collect(groups,
                               {.samples = settings_.group,
                                .temperature = settings_.temperature,
                                .top_p = settings_.top_p,
                                .turns = settings_.turns},
                               time_);
            for (Group& group : groups) {
                weigh(group, settings_);
                if (group.left_out.empty()) samples.kept.push_back(group);
                samples.all.push_back(std::move(group));
            }
        }
    } catch (...) {
        order_.seek(before);
        throw;
    }
    return samples;
}

/// The next prompts that are short enough.
std::vector<Group> StepSampler::next_groups(const Curriculum& curriculum, size_t count,
                                            StepSamples& samples) {
    std::vector<Group> groups;
    int64_t too_long = 0, skipped = 0;
    while (groups.size() < count) {
        const TaskOrder::Place place = order_.next();
        // Where nearly all is out of the range, asking goes on with what there is.
        if (skipped < most_skipped && curriculum.leaves_out(place)) {
            ++skipped;
            ++samples.tasks_left_out;
            continue;
        }
        Group group;
        group.place = place;
        group.number = place.number * count_ + rank_;
        group.seed = Random(settings_.seed, static_cast<uint64_t>(group.number)).next();
        group.task = &tasks_.sources[place.source][place.task];
        group.prompt = prompter_.prompt(*group.task);
        if (static_cast<int>(group.prompt.size()) <= room_) {
            groups.push_back(std::move(group));
            skipped = 0;
            continue;
        }
        ++samples.prompts_left_out;
        if (++too_long > 100'000)
            throw InputError(
                fmt::format("tasks: 100000 prompts in a row have more than {} tokens: raise "
                            "tasks.longest, or lower rollout.max_tokens",
                            room_));
    }
    return groups;
}

}  // namespace tritonsmith::grpo
