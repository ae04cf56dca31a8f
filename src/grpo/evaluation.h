#pragma once

#include <functional>
#include <vector>

#include "base/json.h"
#include "grpo/collector.h"
#include "grpo/sample.h"
#include "grpo/task_set.h"

namespace tritonsmith::grpo {

/// The interval of 95 % of a share (Wilson 1927), of as many trials as there are tasks: answers to one task
/// are no independent trials, and the deviation of their means is at most that of single answers.
struct ShareInterval {
    double low = 0, high = 1;
};
/// @param share 0 to 1 @param trials 0: nothing is known
ShareInterval wilson_interval(double share, double trials);

/// Pass rates on tasks that nothing is learned from, of several processes each its own. What is drawn depends
/// on the run's seed and the weights: not on the step.
class Evaluation {
  public:
    /// @param tasks of all processes; those with prompts of more than `room` tokens are left out and counted
    /// @param prompter, settings must outlive it
    Evaluation(std::vector<TrainingTask> tasks, const Settings& settings, const Prompter& prompter, int room,
               int rank, int count);

    /// @param groups gets the answers @param sum_of_all adds up a number over processes
    /// @return "pass_rate" (mean over tasks) with its "interval", "solved" (tasks with a right answer),
    /// "reward", "cheating", "length", "tasks", "answers", "unjudged", "prompts_left_out"
    /// @throws MachineError, Interrupted
    Json run(Collector& collector, std::vector<Group>& groups,
             const std::function<double(double)>& sum_of_all) const;

  private:
    const Settings& settings_;
    std::vector<TrainingTask> tasks_;
    std::vector<Group> groups_;  ///< prompts without samples
    int64_t left_out_ = 0;
};

}  // namespace tritonsmith::grpo
