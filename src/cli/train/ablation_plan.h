#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace tritonsmith::cli {

/// One run of an ablation: a point of the grid with a seed.
struct AblationCell {
    std::string name;
    size_t row = 0;  ///< its point
    int64_t seed = 0;
    std::filesystem::path folder;        ///< of the run
    std::vector<std::string> arguments;  ///< of `train grpo`
    Json settings;                       ///< resolved
    int64_t steps = 0;

    /// @throws InputError where its folder holds a run with other settings
    bool is_done() const;
};

/// What `train ablate` is asked for.
struct AblationPlan {
    std::filesystem::path folder;
    std::vector<std::string> devices;  ///< each has one run at a time
    std::vector<AblationCell> cells;
    Json head;  ///< ablation.json, which bench/training reads
};

/// @param file TOML: docs/training.md lists the fields @param changes of --set, to the grid's own file
/// @throws InputError, also for what is wrong with any of the cells' configurations
AblationPlan read_ablation_plan(const std::string& file, const std::vector<std::string>& changes);

}  // namespace tritonsmith::cli
