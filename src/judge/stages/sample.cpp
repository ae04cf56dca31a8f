#include <algorithm>
#include <random>

#include "judge/services/worker_findings.h"
#include "judge/stages/choices.h"
#include "judge/stages/judgement.h"
#include "judge/stages/planted_values.h"
#include "run/draw/variant.h"
#include "ttir/analysis/effects.h"

/// The sample at full size: a worker runs the programs, and what they write is compared here.
namespace tritonsmith::judge {

namespace {

/// Of each tensor, drawn over all of it: of the task's own law, and of each other set of inputs.
constexpr int kElements = 64, kElementsOfOtherSet = 8;
constexpr double kSecondsOfOtherSet = 0.01;
/// Of all other sets together. At the small size each candidate is seen on all of them: more is asked only of
/// one that may do another thing at full size.
constexpr double kSecondsOfOtherSets = 0.03, kSecondsWhereItDiffers = 0.3;

}  // namespace

std::set<std::string> Judgement::waiting_kernels() const {
    std::set<std::string> kernels = waiting_;
    // Without a run at the small size, those that could wait.
    for (size_t i = 0; (specialised_ || put_aside_) && i < modules_.size(); i++)
        for (const ttir::Effect& effect : ttir::parameter_effects(*modules_[i]))
            if (effect.atomics) kernels.insert(full_.kernels[i].name);
    return kernels;
}

/// Those of the first size: a size that is tried later may have none.
const std::vector<InputSet>& Judgement::sets_of_sample() const {
    return std::get<ReferenceRuns>(task_.small->runs.get()).sets;
}

/// Each with a few elements. In random order, since there may not be time for all of them.
std::vector<SampledRun> Judgement::runs_of_other_sets(const SampledTensors& tensors,
                                                      const run::SampleRun& own, int times) const {
    const std::vector<InputSet>& sets = sets_of_sample();
    // Elements are the same for all candidates of a task, and so are made once; the order of sets is not.
    std::mt19937_64 random(own.leaves.seed + 2),
        by_candidate(own.leaves.seed ^ std::hash<std::string>()(candidate_));
    run::SampleRun other;
    other.seconds = own.seconds / 2;
    other.programs_per_launch = 0;
    other.completion_seconds = kSecondsOfOtherSet * times;
    other.optional = true;
    std::vector<SampledRun> runs;
    for (size_t set = 1; set < sets.size(); set++) {
        if (sets[set].variant.constants != run::Variant::Constants::kept ||
            sets[set].variant.nonfinite != run::Variant::Nonfinite::none)
            continue;
        other.leaves = {sets[set].seed, sets[set].variant, false};
        other.elements.clear();
        for (const SampledOutput& output : tensors.outputs) {
            // Rows and columns of all kinds, and whatever else there is.
            other.elements.push_back(diagonal_elements(output.got, kElementsOfOtherSet, random));
            for (int64_t index : choose_elements(output.got, kElementsOfOtherSet * times, random))
                other.elements.back().push_back(index);
        }
        const std::vector<Expected>& expected = sets[set].expected;
        const bool wide = !expected.empty() && expected.front().wide;
        runs.push_back({other, nullptr, false, wide});
    }
    std::shuffle(runs.begin(), runs.end(), by_candidate);
    run::Variant planted;
    planted.planted = planted_values(full_, modules_);
    if (planted.planted.empty()) return runs;
    other.leaves = {own.leaves.seed, planted, false};
    other.elements.clear();
    for (const SampledOutput& output : tensors.outputs)
        other.elements.push_back(choose_elements(output.got, kElements * times, random));
    runs.insert(runs.begin(), {other, nullptr, false, false});
    return runs;
}

std::vector<SampledRun> Judgement::sampled_runs(const SampledTensors& tensors, int times) const {
    std::vector<SampledRun> runs;
    const std::vector<InputSet>& sets = sets_of_sample();
    const uint64_t own_seed =
        sets[0].seed + static_cast<uint64_t>(times - 1);  // a larger one sees other inputs
    std::mt19937_64 random(own_seed + 1);
    run::SampleRun own;
    own.leaves = {own_seed, {}, task_.sampled->uneven};
    own.seconds = options_.sampled_seconds * times;
    own.enough_seconds *= times;
    own.completion_seconds *= times;
    own.programs_per_launch *= times;
    for (const SampledOutput& output : tensors.outputs)
        own.elements.push_back(choose_elements(output.got, kElements * times, random));
    runs.push_back({own, nullptr, true});
    for (SampledRun& other : runs_of_other_sets(tensors, own, times)) runs.push_back(std::move(other));
    const std::vector<const plan::ChoiceStep*> choices = choices_of(full_);
    int alternatives = 0;
    for (const plan::ChoiceStep* choice : choices)
        alternatives += static_cast<int>(choice->alternatives.size()) - 1;
    own.seconds /= std::max(alternatives, 1);
    own.enough_seconds /= std::max(alternatives, 1);
    own.completion_seconds /= std::max(alternatives, 1);
    own.least_programs = 3;
    for (size_t c = 0; c < choices.size(); c++)
        for (size_t a = 1; a < choices[c]->alternatives.size(); a++) {
            if (!fits(choices[c]->alternatives[a])) continue;
            own.choice = picked(choices.size(), c, a);
            runs.push_back({own, &choices[c]->alternatives[a], true});
        }
    return runs;
}

std::variant<run::SampleResult, Finding> Judgement::ask_for_sample(
    const SampledTensors& tensors, const std::vector<SampledRun>& runs,
    const std::set<std::string>& resident_kernels) {
    run::SampleRequest request;
    request.leaves = &task_.sampled->leaves;
    request.leaves_id = task_.sampled->id;
    request.plan = &full_;
    request.links = links_.by_candidate;
    request.skip_kernels = out_of_resources_;
    request.tensors = tensors.names;
    request.may_change = tensors.may_change;
    for (const SampledRun& run : runs) request.runs.push_back(run.run);
    const bool differs = only_at_full_ || specialised_ || put_aside_;
    request.optional_seconds = differs ? kSecondsWhereItDiffers : kSecondsOfOtherSets;
    request.resident_kernels = resident_kernels;
    request.resident_leaves = {sets_of_sample()[0].seed, {}, task_.sampled->uneven};
    request.threads = options_.threads;
    auto worker = services_.candidate_workers.borrow();
    auto outcome = ask_worker([&] { return worker->sample(request); });
    if (const auto* error = std::get_if<run::WorkerError>(&outcome))
        return settled(candidate_finding(*error));
    return std::get<run::SampleResult>(std::move(outcome));
}

std::optional<Finding> Judgement::check_runs(const SampledTensors& tensors,
                                             const std::vector<SampledRun>& runs,
                                             const run::SampleResult& result, int times,
                                             SampledEvidence& evidence) const {
    for (size_t i = 0; i < std::min(runs.size(), result.runs.size()); i++) {
        SampledEvidence aside;  // other configurations are no more of the grid
        const SampledBound bound{options_.tolerance, options_.precision, runs[i].own_law, runs[i].wide,
                                 task_.sampled->longest_reduction};
        std::optional<Finding> finding =
            check_sample(task_.full, *task_.sampled, tensors, runs[i].run, result.runs[i], bound, times,
                         runs[i].alternative ? aside : evidence);
        if (!finding) continue;
        finding->evidence["size"] = "full";
        if (!runs[i].own_law) finding->evidence["variant"] = run::describe(runs[i].run.leaves.variant);
        if (runs[i].alternative) finding = configuration_wrong(*finding, *runs[i].alternative);
        return finding;
    }
    return std::nullopt;
}

/// Promises that some lanes break: where they are taken for true, the answer must stay the same.
std::optional<Finding> Judgement::check_sampled_promises(const SampledTensors& tensors,
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
    const auto kept = ask_for_sample(tensors, keeping, {});
    if (const auto* finding = std::get_if<Finding>(&kept)) return *finding;
    const auto& answers = std::get<run::SampleResult>(kept).runs;
    for (size_t i = 0; i < std::min(keeping.size(), answers.size()); i++) {
        run::SampleResult one;
        one.runs.push_back(answers[i]);
        SampledEvidence aside;
        if (auto finding = check_runs(tensors, {keeping[i]}, one, times, aside)) {
            Finding broken = broken_promise(promises[i], *finding);
            broken.evidence["size"] = "full";
            return broken;
        }
    }
    return std::nullopt;
}

std::optional<Finding> Judgement::sample(int times) {
    const SampledTensors tensors = sampled_tensors(task_.full, *task_.sampled, full_, links_.by_candidate,
                                                   {sets_of_sample()[0].seed, {}, task_.sampled->uneven});
    const std::vector<SampledRun> runs = sampled_runs(tensors, times);
    const auto answer =
        ask_for_sample(tensors, runs, times == 1 ? waiting_kernels() : std::set<std::string>{});
    if (const auto* finding = std::get_if<Finding>(&answer)) return *finding;
    const auto& result = std::get<run::SampleResult>(answer);
    if (result.residency) return result.residency;
    SampledEvidence evidence;
    std::optional<Finding> finding = check_runs(tensors, runs, result, times, evidence);
    verdict_.evidence["full_size_sample"] = evidence.json();
    if (!finding) finding = check_sampled_promises(tensors, runs, result, times);
    if (finding) return finding;
    sampled_elements_ = evidence.compared;
    if (evidence.complete()) verdict_.checked = std::max(verdict_.checked, Checked::sampled);
    return std::nullopt;
}

std::optional<Finding> Judgement::sampled() {
    std::optional<Finding> finding;
    if (!small_is_full_) {
        finding = sample(1);
    } else if (const std::set<std::string> waiting = waiting_kernels(); !waiting.empty()) {
        const auto answer = ask_for_sample({}, {}, waiting);
        const auto* result = std::get_if<run::SampleResult>(&answer);
        finding = result ? result->residency : std::get<Finding>(answer);
    }
    if (finding) return confirmed(*finding);
    return std::nullopt;
}

}  // namespace tritonsmith::judge
