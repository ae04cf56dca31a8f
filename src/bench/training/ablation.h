#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "bench/training/training_run.h"

namespace tritonsmith::bench {

/// A number of one setting: the mean over its seeds, and the least and greatest.
struct SeedMean {
    double mean = 0, low = 0, high = 0;  ///< not numbers where no seed has one
    std::vector<double> by_seed;         ///< of the row's cells in order; not a number: none yet
};

/// One setting of an ablation, with a run for each seed.
struct AblationRow {
    struct Cell {
        int64_t seed = 0;
        int64_t steps = 0, done = 0;  ///< asked for, and measured
    };
    std::string name;
    std::vector<std::pair<std::string, std::string>> values;  ///< axis and label
    std::vector<Cell> cells;
    std::vector<SeedMean> numbers;  ///< of each metric, at the end
    std::vector<double> steps;      ///< the curves'
    std::vector<Curve> curves;      ///< of each metric, by step: mean over seeds, least and greatest
};

/// A folder of `train ablate` (docs/training.md, "Ablations").
struct Ablation {
    std::string name;  ///< the folder's
    Json head;         ///< ablation.json
    std::vector<std::string> metrics;
    std::vector<std::string> axes;  ///< of any row, in their order
    int64_t window = 0;
    std::vector<AblationRow> rows;

    /// That any run has done; 0: there is nothing to draw.
    double steps() const;
};

bool is_ablation(const std::filesystem::path& folder);

/// Reads what its runs have measured until now. A metric's number at the end is its mean over the last
/// `window` steps; of evaluations it is the last one.
/// @throws InputError where it is no such folder
Ablation read_ablation(const std::filesystem::path& folder);

}  // namespace tritonsmith::bench
