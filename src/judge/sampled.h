#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/error.h"
#include "judge/compare.h"
#include "judge/page_cache.h"
#include "plan/link.h"
#include "plan/plan.h"
#include "ttir/ir/ir.h"

namespace tritonsmith::judge {

struct SampledOptions {
    uint64_t seed = 0;
    double seconds = 2;  ///< budget for all launches together
    int threads = 0;
    /// Of all launches together: beyond it, a launch gets no more than the least number of programs.
    double enough_seconds = 0.08;
    int least_programs = 6;
    int programs_per_launch = 24;  ///< those at edges, and random ones (sample_choice.h)
    std::vector<int> choice;       ///< alternative taken at each choice step; missing entries: 0
    int elements = 64;             ///< output elements compared with the oracle
    /// What an output's chosen programs, and those that they hang on, may take where they must run together
    /// (completion.h), by what those of the sample took; six times that where it is one that is chosen.
    double completion_seconds = 0.04;
    Tolerance tolerance;
    std::vector<bool> skip_kernels;  ///< kernels that do not fit the target (autotune drops them)
    bool keep_promises = false;      ///< ttir::LaunchOptions::keep_promises
};

struct SampledReport {
    std::vector<Finding> findings;
    int64_t programs = 0;
    int launches = 0, launches_sampled = 0;
    std::optional<Finding> broken_promise;  ///< a promise that does not hold, perhaps in lanes that do not count
    int64_t compared = 0;  ///< output elements that were compared with the reference
};

/// Interprets a random sample of programs of every launch of a full-size plan with all checks on. Inputs and
/// weights are made by counter when they are touched, so nothing large is materialised. Where the outputs of
/// a sampled program depend on inputs and weights alone and the reference's elements can be computed alone
/// (element_oracle.h), they are compared. @param pages of the reference's task and options.seed
SampledReport run_sampled(const plan::Plan& reference, const plan::Plan& candidate, const plan::Links& links,
                          const std::vector<std::shared_ptr<const ttir::Module>>& modules,
                          const SampledOptions& options, PageCache& pages);

}  // namespace tritonsmith::judge
