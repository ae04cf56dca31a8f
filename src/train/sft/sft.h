#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "train/parallel/communicator.h"
#include "train/sft/sft_settings.h"

namespace tritonsmith::train {

struct SftOptions {
    bool resume = false;  ///< goes on from the last checkpoint of the run's folder, if there is one
    /// Set to a signal's number: the run writes a checkpoint behind the step in progress and ends.
    const std::atomic<int>* signal = nullptr;
    Communicator* communicator = nullptr;          ///< the run's processes; none: this one alone
    std::function<void(const std::string&)> tell;  ///< lines for people, of rank 0; none: silent
    /// Behind each step, on rank 0. @param metrics as in metrics.jsonl
    std::function<void(int64_t step, const Json& metrics)> on_step;
};

struct SftResult {
    int64_t steps = 0;  ///< that are done
    double loss = 0;    ///< of the last one
    int signal = 0;     ///< that ended the run early, or 0
};

/// Supervised fine-tuning, or training from scratch: reads batches, updates the model, writes metrics and
/// checkpoints into the run's folder. Of several processes each computes its share of a step's batches and
/// keeps its share of the optimizer's states, or of the layers as well; the result is that of one process but
/// for the order of sums.
/// On the CPU, and on any device whose operators are deterministic, a run that was resumed has the same bits
/// as one that never stopped. @throws InputError, MachineError
SftResult run_sft(const SftSettings& settings, const SftOptions& options);

}  // namespace tritonsmith::train
