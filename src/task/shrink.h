#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "plan/analysis/cost.h"

namespace tritonsmith::task {

struct ShrinkLimits {
    int64_t bytes = int64_t{4} << 20;  ///< of inputs, weights and outputs (Cost::bytes)
    double flops = 1.4e8;
    /// What is as small as its program runs with is taken up to here: a slow verdict is better than none.
    int64_t most_bytes = int64_t{256} << 20;
    double most_flops = 1.6e10;
    int max_probes = 40;
    /// One size after the other, each as far down as it goes, rather than all of them alike; the next one is
    /// only touched where more than this is left.
    bool one_by_one = false;
    int64_t enough_bytes = int64_t{16} << 20;
    double enough_flops = 1e9;
    /// Sizes keep what they have of powers of two rather than of odd factors: 3072 becomes 1024, not 1536.
    bool keep_powers = false;
};

/// Runs the task with overridden constants (names as in Plan::constants) and costs it; nullopt when the
/// program does not run so, or says nothing any more (plan::collapse).
using Probe = std::function<std::optional<plan::Cost>(const std::map<std::string, int64_t>& overrides)>;

struct Shrunk {
    bool fits = false;  ///< within the limits, or within the largest where it could not be scaled further
    std::map<std::string, int64_t> overrides;  ///< empty when nothing had to be scaled
    plan::Cost cost;
    int probes = 0;
    std::string why;  ///< when it does not fit
};

/// Scales the integers of a task's text (Plan::constants) down until it fits the limits and still runs, to
/// sizes that divide like the original ones (smaller_size.h).
/// @param outer names of batches and rows: they go first, so that what a row consists of stays whole
Shrunk shrink(const std::map<std::string, int64_t>& constants, const plan::Cost& full, const Probe& probe,
              const ShrinkLimits& limits, const std::set<std::string>& outer = {});

}  // namespace tritonsmith::task
