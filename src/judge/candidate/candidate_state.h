#pragma once

#include <algorithm>
#include <future>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "judge/sampling/sampled.h"
#include "judge/services/compiles.h"
#include "judge/services/services.h"
#include "judge/stages/launch_forms.h"
#include "judge/stages/timed_run.h"
#include "judge/task/device_reference.h"
#include "judge/task/prepared_task.h"
#include "judge/verdict/options.h"
#include "judge/verdict/verdict.h"
#include "plan/ir/plan.h"
#include "plan/policy/policy.h"
#include "plan/weights/link.h"
#include "ttir/ir/ir.h"

namespace tritonsmith::judge {

/// A sample of one draw and configuration.
struct SampledRun {
    run::SampleRun run;
    const plan::Alternative* alternative = nullptr;  ///< other than the first
    bool own_law = true;                             ///< the inputs are the task's own
    bool wide = false;                               ///< SampledBound::wide
};

/// One candidate on its way through the stages. Each stage returns what it found wrong, and fills the
/// verdict's evidence.
class Judgement {
  public:
    /// @param seconds_left what the candidate's runs may still take; they are taken off it
    Judgement(const PreparedTask& task, const std::string& candidate, const std::string& name,
              const Options& options, Services& services, Verdict& verdict, double& seconds_left,
              int configuration = 0, int call = 1);
    ~Judgement();

    std::optional<Finding> trace();
    std::optional<Finding> policy();
    std::optional<Finding> reference();  ///< waits for the reference's runs; all that follows needs them
    std::optional<Finding> interpret();  ///< small size: memory safety on every input set
    std::optional<Finding>
    compile();  ///< every kernel of the full-size trace; drops configurations out of resources
    std::optional<Finding>
    correctness();  ///< against the oracle; determinism, mutation, effect of each launch, autotune
    std::optional<Finding> sampled();         ///< sampled programs of the full-size trace
    std::optional<Finding> other_sizes();     ///< where the small size does not decide
    std::optional<Finding> run_on_device();   ///< all of it, at full size; nothing where there is no device
    std::optional<Finding> time_on_device();  ///< what ran there, and its baselines
    std::optional<Finding> run_as_written();  ///< the file itself, once

    /// How many configurations of its autotuned kernels lead to plans of their own, because host code asks
    /// for the chosen one; this judgement is about the one given to the constructor. 0 or 1: no such kernel.
    int configurations() const { return std::max(full_.configurations, small_.configurations); }
    /// A later call of the module that does something else than the first, which this judgement is about;
    /// 0: none.
    int later_call() const {
        for (const plan::Plan* plan : {&full_, &small_})
            if (!plan->later_calls.empty()) return static_cast<int>(plan->later_calls.front());
        return 0;
    }

  private:
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
    const ReferenceRuns& reference_runs() const;
    const std::vector<InputSet>& sets() const { return reference_runs().sets; }
    plan::PolicyOptions policy_options(plan::KernelEffects effects) const;
    trace::Request request(const plan::Plan& reference) const;
    /// One call of a new module. @param seed of what it draws itself
    std::optional<Finding> run_small(size_t set, uint64_t seed, const std::vector<int>& choice, int disabled,
                                     bool checks, run::CandidateResult& out,
                                     const run::AsCompiled& as_compiled = {});
    /// The request for it; a module may be called on further sets (CandidateRequest::further).
    run::CandidateRequest small_request(size_t set, uint64_t seed) const;
    std::optional<Finding> run_small(run::CandidateRequest request, run::CandidateResult& out);
    /// A new module on these sets in turn. Where a call ends the life of what the module is made of, the next
    /// set has a module of its own.
    std::optional<Finding> call_in_turn(const std::vector<size_t>& sets);
    /// The launches do not depend on the size. What stays in bounds at the small size, and is wrong there, is
    /// wrong at full size as well: the same launches write the same elements. Anything else says nothing.
    std::optional<Finding> interpret_same_launches();
    void checked_at_small_size();
    std::optional<Finding> check_answers();
    /// Of a call whose answer is wrong: is it the call's place behind others, or chance?
    Finding wrong_call(const SmallCall& call, Finding finding);
    /// Where several parameters could stand for several others, the second way is tried as
    /// well.
    std::optional<Finding> link_otherwise(Finding first);
    /// Reshapes that may reorder elements keep their order in all other runs. Where the compiler makes use of
    /// that leave, the answer must be right in another order as well.
    std::optional<Finding> check_reordering();
    /// Loads that the compiled kernel issues before a store of an earlier round, whose value they should
    /// find.
    std::optional<Finding> check_pipelining();
    std::optional<Finding> load_too_early(size_t set, const std::vector<int>& choice,
                                          const run::AsCompiled& as_compiled);
    /// Promises that some lanes break: where they are taken for true, the answer must stay the same.
    std::optional<Finding> check_promises();
    static Finding broken_promise(const Finding& promise, const Finding& effect);
    std::optional<Finding> check_mutation() const;
    std::optional<Finding> check_effects();
    std::optional<Finding> check_configurations();
    /// A first call, whose tuner has run every configuration before, must give the answer too.
    std::optional<Finding> check_benchmark(const plan::KernelEffects& effects);
    /// The same for a candidate that fits the task's own sizes only: what is certain without a run.
    std::optional<Finding> check_benchmark_of_sums(const plan::KernelEffects& effects) const;
    /// The task's own inputs first, then other sets; then every other configuration of an autotuned kernel,
    /// since at the small size rows may be shorter than its tiles.
    std::vector<SampledRun> runs_of_other_sets(const SampledTensors& tensors, const run::SampleRun& own,
                                               int times) const;
    std::vector<SampledRun> sampled_runs(const SampledTensors& tensors, int times) const;
    /// The sample, with so many times what every candidate's sample is given.
    std::optional<Finding> sample(int times);
    const std::vector<InputSet>& sets_of_sample() const;
    std::variant<run::SampleResult, Finding> ask_for_sample(const SampledTensors& tensors,
                                                            const std::vector<SampledRun>& runs,
                                                            const std::set<std::string>& resident_kernels);
    std::optional<Finding> check_runs(const SampledTensors& tensors, const std::vector<SampledRun>& runs,
                                      const run::SampleResult& result, int times,
                                      SampledEvidence& evidence) const;
    std::optional<Finding> check_sampled_promises(const SampledTensors& tensors,
                                                  const std::vector<SampledRun>& runs,
                                                  const run::SampleResult& result, int times);
    bool fits(const plan::Alternative& alternative) const;
    /// Kernels whose programs wait for others, of which a device may not hold them all.
    std::set<std::string> waiting_kernels() const;
    /// The trace at the small size. Where it is another than the task's own, it is held to policy.
    void take_small_trace();
    void policy_at_small_size();
    /// What was found at the small size, unless it may be due to that size: then it is put aside, until the
    /// task's own size confirms it, or other sizes do (other_sizes).
    std::optional<Finding> put_aside(std::optional<Finding> finding);
    /// A finding at the task's own size decides. Where it only says again what was put aside, that is told.
    Finding confirmed(Finding at_own_size) const;
    std::optional<Finding> interpret_sets();
    std::optional<Finding> check_small();
    /// Everything that is done at the small size, at another one. Nothing: it has passed there, or it does
    /// not run there, and `specialised_` says so.
    std::optional<Finding> judge_at(std::shared_ptr<const ScaledTask> size);
    void note_size(const std::optional<Finding>& finding);
    /// What was found at `size_` need not hold at the task's own.
    bool may_be_due_to_size() const;
    bool compared_at_full_size(const std::optional<Finding>& found) const;
    /// At no other size could be said what it does at the task's own: a larger sample there decides.
    std::optional<Finding> decide_by_sample();
    void start_compiles();
    /// What is right in each call, and not for ever: told, or with --strict-state a rejection.
    std::optional<Finding> check_state();

    struct DeviceEvidence {
        int runs = 0;
        int64_t elements = 0;
        double worst_ratio = 0, seconds = 0;
    };
    struct DeviceCandidate;
    run::DeviceKernels device_kernels() const;
    std::optional<Finding> open_on_device();
    std::optional<Finding> run_all_sets(DeviceEvidence& evidence);
    struct DeviceCalls {
        int calls = 1;      ///< whose last one is compared
        bool same = false;  ///< of the module that the last run has kept
        bool keep = false;  ///< for the next run
    };
    std::optional<Finding> run_set(const DeviceReference::Set& set, const std::vector<int>& choice,
                                   DeviceCalls how, DeviceEvidence& evidence);
    /// How often a module that has seen all sets is called on the first one again.
    int more_calls(double seconds_of_one) const;
    /// What is wrong in a later call: is it due to the calls before?
    Finding wrong_later(const DeviceReference::Set& set, Finding finding);
    std::optional<Finding> run_configurations(DeviceEvidence& evidence);
    std::optional<Finding> compare_on_device(const DeviceReference::Set& set, const run::RemotePack& outputs,
                                             DeviceEvidence& evidence);
    /// Autotuned kernels take the first configuration that the device has room for.
    std::vector<int> choices_that_fit() const;
    TimedTask timed_task() const;
    void note_timing(const Timing& timing);
    /// Those that baselines are timed in: the one asked for, and where the reference convolves float32
    /// tensors, what differs from it.
    std::vector<numerics::Precision> baseline_precisions() const;
    /// Ready to be timed; evidence says why not.
    bool open_compiled_baseline();

    const PreparedTask& task_;
    std::shared_ptr<const ScaledTask> size_;  ///< what small_ is of, and what is interpreted
    const std::string& candidate_;
    const std::string& name_;
    const Options& options_;
    Services& services_;
    Verdict& verdict_;
    double& seconds_left_;
    int configuration_, call_;
    std::shared_ptr<const Json> lowered_;  ///< of the full-size trace, for the small one that comes later
    std::future<trace::Outcome> small_trace_;
    plan::Plan full_, small_;
    plan::Links links_, small_links_;
    std::vector<std::shared_ptr<const ttir::Module>> small_modules_;  ///< of small_.kernels
    bool specialised_ = false;              ///< it does not run at `size_`, or as if it were another size
    std::optional<OnlyHere> only_at_full_;  ///< what the program does there, but not at `size_`
    std::optional<Finding> put_aside_;
    int64_t sampled_elements_ = 0;  ///< that were compared at full size
    bool same_launches_ = false;
    bool linked_otherwise_ = false;  ///< weights correspond in the second way (link_otherwise)
    bool small_is_full_ = false;
    std::vector<SmallCall> calls_;                              ///< of each of ReferenceRuns::modules
    std::vector<run::Launched> small_launches_;                 ///< of the first call
    std::set<std::string> waiting_;                             ///< kernels whose programs waited for others
    std::vector<std::shared_ptr<const ttir::Module>> modules_;  ///< of full_.kernels
    std::vector<bool> out_of_resources_;
    std::vector<std::optional<trace::Compiled>> compiled_;   ///< of full_.kernels; nothing: no room for it
    std::set<std::pair<size_t, size_t>> refused_by_device_;  ///< choice, alternative
    std::unique_ptr<DeviceCandidate> on_device_;
    std::set<std::string> reordering_;    ///< kernels in which the compiler has reordered elements
    std::unique_ptr<Compiles> compiles_;  ///< of full_.kernels; they end before what they read
};

/// All launches of a plan in order, alternatives included, with the phase and line of their step.
struct LaunchRef {
    const plan::LaunchStep* launch;
    const plan::Step* step;
};
std::vector<LaunchRef> launches(const plan::Plan& plan);

/// What each kernel of a plan does through its parameters. @param modules of its kernels
plan::KernelEffects kernel_effects(const std::vector<std::shared_ptr<const ttir::Module>>& modules);

}  // namespace tritonsmith::judge
