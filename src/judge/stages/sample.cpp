#include <algorithm>
#include <random>

#include "judge/candidate/choices.h"
#include "judge/services/worker_findings.h"
#include "judge/stages/checks.h"
#include "judge/stages/planted_values.h"
#include "judge/stages/small_size.h"
#include "judge/stages/stages.h"
#include "plan/analysis/flow.h"
#include "plan/values/input_use.h"
#include "run/draw/variant.h"
#include "ttir/analysis/effects.h"

/// The sample at full size: a worker runs the programs, and what they write is compared here.
namespace tritonsmith::judge {

namespace {

/// A sample of one draw and configuration.
struct SampledRun {
    run::SampleRun run;
    std::string config = {};  ///< other than the first
    bool own_law = true;      ///< the inputs are the task's own
    bool wide = false;        ///< SampledBound::wide
};

/// Of each tensor, drawn over all of it: of the task's own law, and of each other set of inputs.
constexpr int kElements = 64, kElementsOfOtherSet = 8;
constexpr double kSecondsOfOtherSet = 0.01;
/// Of all other sets together. At the small size each candidate is seen on all of them: more is asked only of
/// one that may do another thing at full size.
constexpr double kSecondsOfOtherSets = 0.03, kSecondsWhereItDiffers = 0.3;

/// Kernels whose programs wait for others, of which a device may not hold them all.
std::set<std::string> waiting_kernels(const CandidateState& state) {
    std::set<std::string> kernels = state.waiting;
    // Without a run at the small size, those that could wait.
    for (size_t i = 0; (state.small.specialised || state.put_aside) && i < state.full.modules.size(); i++)
        for (const ttir::Effect& effect : ttir::parameter_effects(*state.full.modules[i]))
            if (effect.atomics) kernels.insert(state.full.plan.kernels[i].name);
    return kernels;
}

/// Those of the first size: a size that is tried later may have none.
const std::vector<InputSet>& sets_of_sample(const CandidateState& state) {
    return std::get<ReferenceRuns>(state.task.small->runs.get()).sets;
}

/// What is seen at the small size only, unless that says nothing of full size.
bool of_small_size_only(const run::Variant& variant) {
    return variant.constants != run::Variant::Constants::kept ||
           variant.nonfinite != run::Variant::Nonfinite::none || !variant.named.empty();
}

/// The same variant for elements that are made one by one.
run::Variant one_by_one(run::Variant variant, const plan::Plan& reference) {
    if (!variant.named.empty()) return variant;
    const std::vector<size_t> inputs = variant.nonfinite != run::Variant::Nonfinite::none
                                           ? plan::asked_whether_finite(reference)
                                           : plan::constant_inputs(reference);
    if (of_small_size_only(variant)) variant.inputs.assign(inputs.begin(), inputs.end());
    return variant;
}

/// The candidate may do another thing at full size than where it was seen.
bool may_differ(const CandidateState& state) {
    return state.small.only_at_full || state.small.specialised || state.put_aside;
}

/// Each with a few elements and alternatives of its own. In random order, since there may not be time for all
/// of them.
std::vector<SampledRun> runs_of_other_sets(const CandidateState& state, const SampledTensors& tensors,
                                           const run::SampleRun& own, int times) {
    const std::vector<InputSet>& sets = sets_of_sample(state);
    // Elements are the same for all candidates of a task, and so are made once; the order of sets is not.
    std::mt19937_64 random(own.leaves.seed + 2),
        by_candidate(own.leaves.seed ^ std::hash<std::string>()(state.text));
    run::SampleRun other;
    other.seconds = own.seconds / 2;
    other.programs_per_launch = 0;
    other.completion_seconds = kSecondsOfOtherSet * times;
    other.optional = true;
    std::vector<SampledRun> runs;
    const auto take = [&](bool wide) {
        const plan::Plan& plan = state.full.plan;
        const auto usable = [&](size_t c, size_t a) { return state.usable(c, a); };
        other.choice = drawn_choice(plan, usable, by_candidate());
        std::vector<size_t> changed;
        for (size_t c = 0; c < other.choice.size(); ++c)
            if (other.choice[c] != 0) changed.push_back(c);
        runs.push_back({other, configs_of(plan, other.choice, changed), false, wide});
    };
    for (size_t set = 1; set < sets.size(); set++) {
        if (sets[set].numbers_only) continue;
        const bool small_only = of_small_size_only(sets[set].variant);
        if (small_only && !may_differ(state)) continue;
        other.leaves = {sets[set].seed, one_by_one(sets[set].variant, state.task.full), false};
        other.elements.clear();
        for (const SampledOutput& output : tensors.outputs) {
            // Rows and columns of all kinds, and whatever else there is.
            other.elements.push_back(diagonal_elements(output.got, kElementsOfOtherSet, random));
            const int most = (small_only ? kElements : kElementsOfOtherSet) * times;
            for (int64_t index : choose_elements(output.got, most, random))
                other.elements.back().push_back(index);
        }
        const std::vector<Expected>& expected = sets[set].expected;
        take(!expected.empty() && expected.front().wide);
    }
    std::shuffle(runs.begin(), runs.end(), by_candidate);
    // Those that no other size has shown come first.
    std::stable_partition(runs.begin(), runs.end(),
                          [](const SampledRun& run) { return of_small_size_only(run.run.leaves.variant); });
    run::Variant planted;
    planted.planted = planted_values(state.full.plan, state.full.modules);
    if (planted.planted.empty()) return runs;
    other.leaves = {own.leaves.seed, planted, false};
    other.elements.clear();
    for (const SampledOutput& output : tensors.outputs)
        other.elements.push_back(choose_elements(output.got, kElements * times, random));
    take(false);
    std::rotate(runs.begin(), runs.end() - 1, runs.end());
    return runs;
}

std::vector<SampledRun> sampled_runs(const CandidateState& state, const SampledTensors& tensors, int times) {
    std::vector<SampledRun> runs;
    const std::vector<InputSet>& sets = sets_of_sample(state);
    const uint64_t own_seed =
        sets[0].seed + static_cast<uint64_t>(times - 1);  // a larger one sees other inputs
    std::mt19937_64 random(own_seed + 1);
    run::SampleRun own;
    own.leaves = {own_seed, {}, state.task.sampled->uneven};
    own.seconds = state.options.sampled_seconds * times;
    own.enough_seconds *= times;
    own.completion_seconds *= times;
    own.programs_per_launch *= times;
    for (const SampledOutput& output : tensors.outputs)
        own.elements.push_back(choose_elements(output.got, kElements * times, random));
    runs.push_back({own});
    for (SampledRun& other : runs_of_other_sets(state, tensors, own, times)) runs.push_back(std::move(other));
    const std::vector<const plan::ChoiceStep*> choices = choices_of(state.full.plan);
    int alternatives = 0;
    for (const plan::ChoiceStep* choice : choices)
        alternatives += static_cast<int>(choice->alternatives.size()) - 1;
    own.seconds /= std::max(alternatives, 1);
    own.enough_seconds /= std::max(alternatives, 1);
    own.completion_seconds /= std::max(alternatives, 1);
    own.least_programs = 3;
    for (size_t c = 0; c < choices.size(); c++)
        for (size_t a = 1; a < choices[c]->alternatives.size(); a++) {
            if (!state.usable(c, a)) continue;
            own.choice = picked(choices.size(), c, a);
            runs.push_back({own, choices[c]->alternatives[a].config});
        }
    return runs;
}

std::variant<run::SampleResult, Finding> ask_for_sample(CandidateState& state, const SampledTensors& tensors,
                                                        const std::vector<SampledRun>& runs,
                                                        const std::set<std::string>& resident_kernels) {
    if (!state.compiled.issued) {
        auto issued = issued_earlier(state, state.full);
        if (auto* finding = std::get_if<Finding>(&issued)) return *finding;
        state.compiled.issued = std::get<run::IssuedKernels>(std::move(issued));
    }
    run::SampleRequest request;
    request.issued = *state.compiled.issued;
    request.leaves = &state.task.sampled->leaves;
    request.leaves_id = state.task.sampled->id;
    request.plan = &state.full.plan;
    request.links = state.full.links.by_candidate;
    request.skip_kernels = state.compiled.out_of_resources;
    request.tensors = tensors.names;
    request.may_change = tensors.may_change;
    for (const SampledRun& run : runs) request.runs.push_back(run.run);
    request.optional_seconds = may_differ(state) ? kSecondsWhereItDiffers : kSecondsOfOtherSets;
    request.resident_kernels = resident_kernels;
    request.resident_leaves = {sets_of_sample(state)[0].seed, {}, state.task.sampled->uneven};
    request.threads = state.options.threads;
    return sampled_by_worker(state, request);
}

std::optional<Finding> check_runs(const CandidateState& state, const SampledTensors& tensors,
                                  const std::vector<SampledRun>& runs, const run::SampleResult& result,
                                  int times, SampledEvidence& evidence) {
    for (size_t i = 0; i < std::min(runs.size(), result.runs.size()); i++) {
        SampledEvidence aside;  // other configurations on the same inputs are no more of the grid
        const SampledBound bound{state.options.tolerance, state.options.precision, runs[i].own_law,
                                 runs[i].wide, state.task.sampled->longest_reduction};
        std::optional<Finding> finding =
            check_sample(state.task.full, *state.task.sampled, tensors, runs[i].run, result.runs[i], bound,
                         times, runs[i].own_law && !runs[i].config.empty() ? aside : evidence);
        if (!finding) continue;
        finding->evidence["size"] = "full";
        if (!runs[i].own_law) finding->evidence["variant"] = run::describe(runs[i].run.leaves.variant);
        if (!runs[i].config.empty()) finding = configuration_wrong(*finding, runs[i].config);
        return finding;
    }
    return std::nullopt;
}

/// Promises that some lanes break: where they are taken for true, the answer must stay the same.
std::optional<Finding> check_sampled_promises(CandidateState& state, const SampledTensors& tensors,
                                              const std::vector<SampledRun>& runs,
                                              const run::SampleResult& result, int times) {
    std::vector<SampledRun> keeping;
    std::vector<Finding> promises;
    for (size_t i = 0; i < std::min(runs.size(), result.runs.size()); i++) {
        if (!result.runs[i].broken_promise) continue;
        keeping.push_back(runs[i]);
        keeping.back().run.keep_promises = true;
        promises.push_back(*result.runs[i].broken_promise);
    }
    if (keeping.empty()) return std::nullopt;
    const auto kept = ask_for_sample(state, tensors, keeping, {});
    if (const auto* finding = std::get_if<Finding>(&kept)) return *finding;
    const auto& answers = std::get<run::SampleResult>(kept).runs;
    for (size_t i = 0; i < std::min(keeping.size(), answers.size()); i++) {
        run::SampleResult one;
        one.runs.push_back(answers[i]);
        SampledEvidence aside;
        if (auto finding = check_runs(state, tensors, {keeping[i]}, one, times, aside)) {
            Finding broken = broken_promise(promises[i], *finding);
            broken.evidence["size"] = "full";
            return broken;
        }
    }
    return std::nullopt;
}

}  // namespace

std::variant<run::SampleResult, Finding> sampled_by_worker(CandidateState& state,
                                                           const run::SampleRequest& request) {
    auto worker = state.services.candidate_workers.borrow();
    auto outcome = ask_worker([&] { return worker->sample(request); });
    if (const auto* error = std::get_if<run::WorkerError>(&outcome))
        return settled(candidate_finding(*error));
    return std::get<run::SampleResult>(std::move(outcome));
}

std::optional<Finding> sample_programs(CandidateState& state, int times) {
    const SampledTensors tensors =
        sampled_tensors(state.task.full, *state.task.sampled, state.full.plan, state.full.links.by_candidate,
                        {sets_of_sample(state)[0].seed, {}, state.task.sampled->uneven});
    const std::vector<SampledRun> runs = sampled_runs(state, tensors, times);
    const auto answer =
        ask_for_sample(state, tensors, runs, times == 1 ? waiting_kernels(state) : std::set<std::string>{});
    if (const auto* finding = std::get_if<Finding>(&answer)) return *finding;
    const auto& result = std::get<run::SampleResult>(answer);
    if (result.residency) return result.residency;
    SampledEvidence evidence;
    std::optional<Finding> finding = check_runs(state, tensors, runs, result, times, evidence);
    state.evidence.full_size_sample = evidence;
    if (!finding) finding = check_sampled_promises(state, tensors, runs, result, times);
    if (finding) return finding;
    if (evidence.complete()) state.evidence.checked = std::max(state.evidence.checked, Checked::sampled);
    return std::nullopt;
}

std::optional<Finding> check_full_size_sample(CandidateState& state) {
    std::optional<Finding> finding;
    if (!state.small.is_full) {
        finding = sample_programs(state, 1);
    } else if (const std::set<std::string> waiting = waiting_kernels(state); !waiting.empty()) {
        const auto answer = ask_for_sample(state, {}, {}, waiting);
        const auto* result = std::get_if<run::SampleResult>(&answer);
        finding = result ? result->residency : std::get<Finding>(answer);
    }
    if (finding) return confirmed(state, *finding);
    return std::nullopt;
}

}  // namespace tritonsmith::judge
