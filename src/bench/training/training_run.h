#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/json.h"

namespace tritonsmith::bench {

/// One number of a training run over its steps, by intervals of steps: not a number where an interval has
/// none.
struct Curve {
    std::vector<double> mean, low, high;
};

/// What a folder of `train` says of its run (docs/training.md, "The run's folder").
struct TrainingRun {
    std::string name;  ///< the folder's
    Json head;         ///< run.json
    size_t lines = 0;  ///< steps that were measured
    std::vector<double> steps, tokens,
        hours;  ///< at the end of each interval; hours of work, waits between runs left out
    std::map<std::string, Curve> curves;  ///< by name: "loss", "evaluation/loss", "time/data"
    Json last;                            ///< the last step's numbers
    /// Of the evaluations the best: the least loss, or the greatest pass rate; not a number where there is
    /// none.
    double best = 0;
    bool best_is_rate = false;
    double best_step = 0;
};

/// Whether the folder is of `train`, not of `bench`.
bool is_training_run(const std::filesystem::path& folder);

/// @param intervals at most @throws InputError where it is no such run, or nothing is measured yet
TrainingRun read_training_run(const std::filesystem::path& folder, size_t intervals = 800);

}  // namespace tritonsmith::bench
