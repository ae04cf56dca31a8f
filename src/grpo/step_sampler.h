#pragma once

#include <cstdint>
#include <future>
#include <vector>

#include "grpo/collector.h"
#include "grpo/curriculum.h"
#include "grpo/sample.h"
#include "grpo/task_order.h"
#include "grpo/task_set.h"

namespace tritonsmith::grpo {

/// What a step learns from.
struct StepSamples {
    std::vector<Group> kept;       ///< to learn from
    std::vector<Group> all;        ///< that were asked
    int64_t prompts_left_out = 0;  ///< too long
    int64_t tasks_left_out = 0;    ///< by the curriculum
};

/// Has groups sampled and judged until there are as many to learn from as a step has, or refills are used up.
/// A step's may be sampled in a thread while the caller trains with those of the step before.
class StepSampler {
  public:
    /// All arguments must outlive it. @param room tokens that a prompt may have
    StepSampler(const Settings& settings, const TaskSet& tasks, const Prompter& prompter, TaskOrder& order,
                Collector& collector, int room, int rank, int count);
    /// Ends what is in progress.
    ~StepSampler();
    StepSampler(const StepSampler&) = delete;
    StepSampler& operator=(const StepSampler&) = delete;

    /// Begins the next step's. Until take() the order, the collector and the curriculum are not to be
    /// changed, nor the weights that the collector samples from.
    void begin(const Curriculum& curriculum);
    /// Waits until nothing is in progress.
    void wait() const;
    /// What was begun, else sampled now. @param time of which decode, judge and ahead are set
    /// @throws what Collector::collect() throws: then the order is where it was before these samples
    StepSamples take(const Curriculum& curriculum, StepTime& time);
    /// The order's before the samples that were not taken yet.
    std::vector<int64_t> position() const { return next_.valid() ? before_ : order_.position(); }

  private:
    StepSamples sample(const Curriculum& curriculum);
    std::vector<Group> next_groups(const Curriculum& curriculum, size_t count, StepSamples& samples);

    const Settings& settings_;
    const TaskSet& tasks_;
    const Prompter& prompter_;
    TaskOrder& order_;
    Collector& collector_;
    const int room_, rank_, count_;
    SamplingTime time_;
    std::vector<int64_t> before_;  ///< the order's position before what is in progress
    std::future<StepSamples> next_;
};

}  // namespace tritonsmith::grpo
