#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "base/json.h"

namespace tritonsmith::cli {

/// Which model is asked, and how its answers are drawn.
struct SamplingFlags {
    std::string model, endpoint, model_name;  ///< a folder or a URL; neither: no model is asked
    std::string key_variable, key_file;
    std::string prompt = "both";
    std::optional<double> temperature, top_p;
    int max_tokens = 8192;
    std::optional<uint64_t> sample_seed;
    std::string extra;
    int concurrency = 8, attempts = 6;
    std::optional<double> request_seconds;
    double time_limit = 0;
    std::string model_device, dtype = "auto", cache_dtype = "auto";

    bool local() const { return !model.empty(); }
    bool any() const { return local() || !endpoint.empty(); }
    void add_sampling_to(CLI::App& command);
    /// @throws InputError where the folder is not there
    void check() const;
    /// The further fields of requests. @throws InputError where --extra is no JSON object
    Json more() const;
    /// What answers depend on besides model and messages.
    Json sampling() const;
};

}  // namespace tritonsmith::cli
