#pragma once

#include <future>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "judge/candidate/device_candidate.h"
#include "judge/candidate/evidence.h"
#include "judge/candidate/launch_forms.h"
#include "judge/services/compiles.h"
#include "judge/services/services.h"
#include "judge/task/prepared_task.h"
#include "judge/verdict/options.h"
#include "plan/ir/plan.h"
#include "plan/policy/policy.h"
#include "plan/weights/link.h"
#include "run/client/issued_kernels.h"
#include "ttir/ir/ir.h"

namespace tritonsmith::judge {

/// A trace of the candidate, with what was made of it.
struct Traced {
    plan::Plan plan;
    std::vector<std::shared_ptr<const ttir::Module>> modules;  ///< of the plan's kernels
    plan::Links links;                                         ///< of the plan's weights

    plan::KernelEffects effects() const;  ///< what each kernel does through its parameters
};

/// One call of a module of the candidate's at the small size.
struct SmallCall {
    size_t set = 0;
    uint64_t seed = 0;   ///< of the module
    bool first = false;  ///< of its module
    int before = 0;      ///< calls of the module before it
    run::Pack outputs;
    std::vector<std::string> mutated;
    std::vector<Finding> warnings;
};

/// The candidate at a size that it is interpreted at: the small one first, others where that does not decide.
struct AtSmallSize : Traced {
    std::shared_ptr<const ScaledTask> size;
    bool is_full = false;                  ///< the task's own size
    bool specialised = false;              ///< it does not run at `size`, or as if it were another size
    bool same_launches = false;            ///< its launches are those at full size: sizes are written into it
    std::optional<OnlyHere> only_at_full;  ///< what the program does there, but not at `size`
    std::vector<int> choice;               ///< alternatives taken at choices; empty: the first ones
    std::vector<SmallCall> calls;          ///< of each of ReferenceRuns::modules
    std::vector<run::Launched> launches;   ///< of the first call

    /// The reference's runs at `size`. They must have succeeded.
    const ReferenceRuns& runs() const { return std::get<ReferenceRuns>(size->runs.get()); }
    const std::vector<InputSet>& sets() const { return runs().sets; }
};

/// The kernels of the full-size trace, compiled for the target.
struct CompiledKernels {
    std::vector<bool> out_of_resources;  ///< for each kernel
    std::vector<std::optional<trace::Compiled>> kernels;
    std::optional<run::IssuedKernels> issued;  ///< loads that come early, once asked for (issued_earlier)
    std::set<std::string> reordering;          ///< in which the compiler has reordered elements
    std::unique_ptr<Compiles> compiles;        ///< they end before what they read

    /// Triton's autotuner drops configurations that the target has no room for.
    bool fits(const plan::Alternative& alternative) const;
};

/// One candidate for one task: what is given, and what the stages have made of it so far. Each stage
/// (judge/stages/stages.h, judge/device/device_stages.h) is a function that reads it, adds to it, and returns
/// what it found wrong.
struct CandidateState {
    /// @param seconds_left what the candidate's runs may still take; they are taken off it
    /// @param configuration of autotuned kernels, where the choice leads to plans of their own
    /// @param call of the module, counted from one
    CandidateState(const PreparedTask& task, const std::string& text, const std::string& name,
                   const Options& options, Services& services, double& seconds_left, int configuration = 0,
                   int call = 1);
    ~CandidateState();
    CandidateState(const CandidateState&) = delete;
    CandidateState& operator=(const CandidateState&) = delete;

    const PreparedTask& task;
    const std::string& text;
    const std::string& name;
    const Options& options;
    Services& services;
    double& seconds_left;
    const int configuration, call;

    std::shared_ptr<const Json> lowered;  ///< of the full-size trace, for the small one that comes later
    Traced full;                          ///< at the task's own size
    AtSmallSize small;
    std::future<trace::Outcome> small_trace;
    /// It was seen at full size alone, in single elements of one call.
    bool seen_in_one_call = false;
    bool linked_otherwise = false;  ///< weights correspond in the second way (link_otherwise)
    /// What was found at the small size and may be due to that size.
    std::optional<Finding> put_aside;
    std::set<std::string> waiting;  ///< kernels whose programs waited for others
    CompiledKernels compiled;
    std::unique_ptr<DeviceCandidate> on_device;
    bool alone_on_device = false;  ///< its memory was out beside others (device/room.h)
    std::set<std::pair<size_t, size_t>> refused_by_device;  ///< choice, alternative
    /// Alternatives of all choices that the device has run on all sets of inputs.
    std::set<std::vector<int>> run_on_all_sets;
    Evidence evidence;

    /// Whether the tuner may take it at full size.
    bool usable(size_t choice, size_t alternative) const;
    /// For what is drawn for each run of the judge and each candidate.
    uint64_t chance() const;
    /// How many configurations of its autotuned kernels lead to plans of their own, because host code asks
    /// for the chosen one. 0 or 1: no such kernel.
    int configurations() const;
    /// Later calls of the module that are to be judged: those that do something else than the first, and than
    /// each other; and those that find memory which earlier ones wrote, where calls in turn were seen at no
    /// size.
    std::set<int> later_calls() const;
};

}  // namespace tritonsmith::judge
