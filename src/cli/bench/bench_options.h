#pragma once

#include <string>
#include <vector>

#include "bench/suites/suites.h"
#include "cli/judge_options.h"
#include "cli/sampling/sampling_flags.h"

namespace tritonsmith::cli {

/// Options of `tritonsmith bench`.
struct BenchFlags {
    bench::SuiteRequest suite;
    std::string answers;  ///< file or folder; empty: `smith` or a model writes them
    std::string smith;
    SamplingFlags sampling;
    int samples = 1;
    std::string output;
    std::string protocols, shard;
    std::vector<std::string> only;
    int limit = 0, jobs = 0;
    bool no_cache = false, json = false;
    JudgeFlags judge;

    void add_to(CLI::App& command);
    /// The text of bench.toml: all that answers and verdicts depend on.
    std::string config(const std::string& device, const judge::Options& options) const;

  private:
    std::string sampling_section() const;
};

}  // namespace tritonsmith::cli
