#pragma once

#include <map>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "judge/full_memory.h"
#include "judge/sampled.h"
#include "judge/sampled_comparison.h"
#include "judge/sampled_kernels.h"
#include "plan/flow.h"
#include "ttir/footprint/footprint.h"
#include "ttir/interp/interpreter.h"

namespace tritonsmith::judge {

/// Runs just the programs of a full-size run on which a few programs' outputs hang: those of later launches
/// that may write there as well, those of the same launch that add to it, and those of all launches before
/// that may write what any of these read. What is then in memory there is what a run of all programs leaves
/// (but for the order of atomics), and is compared with the oracle.
///
/// Which programs these are is found backwards from the last launch, by what programs may touch
/// (ttir/footprint/footprint.h), before anything runs. Where that is too many, or cannot be known, nothing is compared.
class Completion {
  public:
    /// @param seconds a program of each launch takes, in order; below zero: not known
    Completion(const plan::Plan& reference, const plan::Plan& candidate, const plan::Links& links,
               Kernels& kernels, const std::vector<plan::Executed>& steps, const SampledOptions& options,
               PageCache& pages, const std::vector<double>& seconds);

    struct Result {
        int64_t programs = 0;
        SampledComparison comparison;
    };
    Result compare(const SampledOutput& output, std::mt19937_64& random);

  private:
    struct Launch {
        const plan::LaunchStep* step = nullptr;
        int line = 0;
        double seconds = 0;  ///< of one program
        std::vector<ttir::Argument> arguments;
        std::set<const ttir::Buffer*> writes;
        std::unique_ptr<ttir::Footprint> footprint;  ///< null: it touches nothing of interest
    };
    struct Event {  ///< a step, in order
        int launch = -1;
        std::vector<const ttir::Buffer*> made;    ///< known from here on, whatever was before
        std::vector<const ttir::Buffer*> spoilt;  ///< not known from here on
    };
    struct Planned {
        std::vector<std::vector<int64_t>> programs;  ///< by launch
        ttir::ByteRanges known;                      ///< of the output's buffer
    };

    /// What one chosen program may take.
    double first_seconds() const { return 6 * options_.completion_seconds; }
    void prepare(const std::vector<plan::Executed>& steps, const std::vector<double>& seconds);
    std::optional<Planned> most_programs(const SampledOutput& output, std::mt19937_64& random);
    std::optional<Planned> plan(const ttir::Buffer* output, const std::vector<std::vector<int64_t>>& targets,
                                size_t count, double seconds);
    std::optional<Finding> run(const Planned& planned, Result& result, std::mt19937_64& random, bool& done);

    const plan::Plan& candidate_;
    Kernels& kernels_;
    const SampledOptions& options_;
    FullMemory memory_;
    ElementOracle oracle_;
    std::vector<Launch> launches_;
    std::vector<Event> events_;
    bool followed_ = true;
    int64_t work_;  ///< what may still be looked at (Footprint::writers)
};

}  // namespace tritonsmith::judge
