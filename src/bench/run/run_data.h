#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/json.h"
#include "bench/metrics/outcome.h"
#include "bench/problem.h"

namespace tritonsmith::bench {

/// A run as metrics see it.
struct RunData {
    std::string name;    ///< the folder's
    std::string config;  ///< bench.toml
    std::vector<Problem> problems;
    std::map<std::string, int> answers;                    ///< number of answers by problem
    int samples = 0;                                       ///< answers of the problem that has most
    std::map<std::string, std::vector<Outcome>> outcomes;  ///< by protocol
    size_t pending(const std::string& protocol) const;     ///< answers without a verdict
};

/// @throws InputError where it is no run
RunData read_run(const std::filesystem::path& folder);

}  // namespace tritonsmith::bench
