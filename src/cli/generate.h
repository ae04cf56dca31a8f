#pragma once

#include <string>
#include <vector>

#include "cli/judge_options.h"
#include "cli/sampling/sampling_flags.h"

namespace tritonsmith::cli {

/// Options of `tritonsmith generate`.
struct GenerateFlags : SamplingFlags {
    std::string task;
    std::string
        smith;  ///< who writes: "forge", "model", "endpoint", "all"; empty: a model where one is given
    int samples = 8, rounds = 1;
    std::string output, record;
    bool json = false, dry_run = false, explain = false;
    int jobs = 0;
    std::vector<std::string>
        schedules;      ///< changes of the forge's first schedule, by name, one after the other
    double budget = 0;  ///< seconds for other schedules of the forge's kernel
    JudgeFlags judge;

    void add_to(CLI::App& command);
};

}  // namespace tritonsmith::cli
