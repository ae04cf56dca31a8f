#pragma once

#include <optional>
#include <string>

#include "cli/judge_options.h"

namespace tritonsmith::cli {

/// Options of `tritonsmith generate`.
struct GenerateFlags {
    std::string task;
    std::string smith;  ///< who writes: "forge", "model", "endpoint", "all"; empty: a model where one is given
    std::string model, endpoint, model_name;  ///< one of the first two
    std::string key_variable, key_file;
    int samples = 8, rounds = 1;
    std::string prompt = "both";
    std::string output, record;
    bool json = false, dry_run = false, explain = false;
    std::optional<double> temperature, top_p;
    int max_tokens = 8192;
    std::optional<uint64_t> sample_seed;
    std::string extra;
    int concurrency = 8, attempts = 6, jobs = 0;
    std::optional<double> request_seconds;
    double time_limit = 0;
    double budget = 0;  ///< seconds for other schedules of the forge's kernel
    std::string model_device, dtype = "auto", cache_dtype = "auto";
    JudgeFlags judge;

    void add_to(CLI::App& command);
};

}  // namespace tritonsmith::cli
