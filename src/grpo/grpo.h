#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "grpo/device_work.h"
#include "grpo/judging/judging.h"
#include "grpo/rollouts.h"
#include "grpo/settings.h"
#include "train/parallel/communicator.h"

namespace tritonsmith::grpo {

struct Options {
    bool resume = false;  ///< goes on from the last checkpoint of the run's folder, if there is one
    /// Set to a signal's number: the run writes a checkpoint and ends. One process ends in mid-step, whose
    /// answers are then sampled again; several behind the step.
    const std::atomic<int>* signal = nullptr;
    train::Communicator* communicator = nullptr;   ///< the run's processes; none: this one alone
    std::function<void(const std::string&)> tell;  ///< lines for people, of rank 0; none: silent
    /// Behind each step, on rank 0. @param metrics as in metrics.jsonl
    std::function<void(int64_t step, const Json& metrics)> on_step;
    JudgeProgram judge;
    MakeExecutor make_executor;
    TakeTurn turn;  ///< on the trainer's device, where programs are timed on it; none: they are not
};

struct Result {
    int64_t steps = 0;     ///< that are done
    double reward = 0;     ///< mean of the last one
    double pass_rate = 0;  ///< likewise
    int signal = 0;        ///< that ended the run early, or 0
};

/// Group relative policy optimisation with the judge as reward: asks tasks, samples groups of answers from
/// the model that is trained, judges each as it ends, turns verdicts into rewards and advantages, and updates
/// the weights. Metrics, samples and checkpoints go into the run's folder. On the CPU, where verdicts are the
/// same again, a run that was resumed has the same bits as one that never stopped. @throws InputError,
/// MachineError
Result run_grpo(const Settings& settings, const Options& options);

}  // namespace tritonsmith::grpo
