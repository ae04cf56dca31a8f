#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "train/sft/sft_settings.h"

namespace tritonsmith::train {

struct SftOptions {
    bool resume = false;  ///< goes on from the last checkpoint of the run's folder, if there is one
    /// Set to a signal's number: the run writes a checkpoint behind the step in progress and ends.
    const std::atomic<int>* signal = nullptr;
    std::function<void(const std::string&)> tell;  ///< lines for people; none: silent
    /// Behind each step. @param metrics as in metrics.jsonl
    std::function<void(int64_t step, const Json& metrics)> on_step;
};

struct SftResult {
    int64_t steps = 0;  ///< that are done
    double loss = 0;    ///< of the last one
    int signal = 0;     ///< that ended the run early, or 0
};

/// Supervised fine-tuning, or training from scratch, on one device: reads batches, updates the model, writes
/// metrics and checkpoints into the run's folder.
/// On the CPU, and on any device whose operators are deterministic, a run that was resumed has the same bits as
/// one that never stopped. @throws InputError, MachineError
SftResult run_sft(const SftSettings& settings, const SftOptions& options);

}  // namespace tritonsmith::train
