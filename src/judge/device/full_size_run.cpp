#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "base/json.h"
#include "base/process/deaths.h"
#include "judge/candidate/alternatives.h"
#include "judge/candidate/choices.h"
#include "judge/device/device_session.h"
#include "judge/device/device_stages.h"
#include "judge/device/room.h"
#include "judge/services/worker_findings.h"
#include "plan/analysis/flow.h"
#include "plan/ir/json.h"

/// The whole candidate at full size, on a device: every output element is compared.
namespace tritonsmith::judge {

namespace {

Finding wrong_output(const run::ComparedOutput& output, const std::string& variant) {
    const Json& m = output.mismatch;
    std::string at;
    for (const Json& index : m.at("index")) at += (at.empty() ? "" : ", ") + dump(index);
    auto text = [](const Json& number) {
        return number.is_string() ? number.get<std::string>() : fmt::format("{:.9g}", number.get<double>());
    };
    Json evidence = m;
    evidence["size"] = "full";
    evidence["inputs"] = variant;
    return {
        "wrong_result",
        fmt::format(
            "at full size {}[{}] is {}, expected {} (allowed error {}); {} of {} elements are out of bound",
            output.name, at, text(m.at("found")), text(m.at("expected")), text(m.at("allowed")),
            m.at("out_of_bound").get<int64_t>(), output.elements),
        0, std::move(evidence), output.name};
}

struct DeviceCalls {
    int calls = 1;      ///< whose last one is compared
    bool same = false;  ///< of the module that the last run has kept
    bool keep = false;  ///< for the next run
    /// The reference's module has seen the same calls: what it keeps up is compared.
    bool in_turn = false;
};

std::optional<Finding> compare_on_device(CandidateState& state, const DeviceReference::Set& set,
                                         const run::RemotePack& outputs, FullSizeRun& evidence) {
    auto answer = state.task.device->compare(set.index, outputs);
    if (auto* finding = std::get_if<Finding>(&answer)) return *finding;
    const run::ComparedAnswer& compared = std::get<run::ComparedAnswer>(answer);
    for (const std::string& name : compared.missing) {
        // An input that the reference changes and the candidate does not.
        return Finding{"wrong_result",
                       "at full size " + name + " is left as it was, which the reference changes", 0,
                       Json::object({{"size", "full"}}), name};
    }
    for (const run::ComparedOutput& output : compared.outputs) {
        if (!output.mismatch.is_null()) return wrong_output(output, set.variant);
        evidence.elements += output.elements;
        if (std::isfinite(output.worst_ratio))
            evidence.worst_ratio = std::max(evidence.worst_ratio, output.worst_ratio);
    }
    return std::nullopt;
}

std::optional<Finding> run_set(CandidateState& state, const DeviceReference::Set& set,
                               const std::vector<int>& choice, DeviceCalls how, FullSizeRun& evidence) {
    // For each set again, so that whoever wants to time waits for no more than one.
    const cuda::DeviceLock::Shared at_work(state.services.device->lock());
    DeviceReference& reference = *state.task.device;
    run::RemotePack inputs;
    if (auto finding = reference.inputs(set, inputs)) return finding;
    auto ran = state.on_device->worker->run(
        state.on_device->session(), inputs, choice, how.calls, state.options.device_seconds,
        {.same = how.same, .keep = how.keep, .kept_buffers = how.in_turn});
    if (auto* error = std::get_if<run::WorkerError>(&ran)) return candidate_finding(*error, true);
    run::DeviceRun& run = std::get<run::DeviceRun>(ran);
    evidence.seconds += run.seconds;
    ++evidence.runs;
    if (!run.findings.empty()) {
        run.findings.front().evidence["size"] = "full";
        return run.findings.front();
    }
    for (const std::string& name : run.mutated) {
        const auto& changed = reference.opened().mutated;
        if (std::find(changed.begin(), changed.end(), name) == changed.end())
            return Finding{"input_mutated",
                           "the candidate changes " + name + ", which the reference leaves alone",
                           0,
                           {{"mutated", run.mutated}}};
    }
    return compare_on_device(state, set, run.outputs, evidence);
}

/// How often a module that has seen all sets is called on the first one again.
int more_calls(const CandidateState& state, double seconds_of_one) {
    const auto shared = plan::carried_buffers(state.full.plan, state.full.effects(), choices_that_fit(state));
    // With two, a module with one set of inputs is called three times.
    if (shared.empty()) return 2;
    std::random_device chance;
    const int many = std::uniform_int_distribution<int>(8, 40)(chance);
    return std::clamp(static_cast<int>(0.25 / std::max(seconds_of_one, 1e-3)), 2, many);
}

/// What is wrong in a later call: is it due to the calls before?
Finding wrong_later(CandidateState& state, const DeviceReference::Set& set, Finding finding) {
    FullSizeRun aside;
    if (finding.reason != "wrong_result" || run_set(state, set, choices_that_fit(state), {}, aside))
        return finding;
    finding.reason = "nondeterministic";
    finding.message =
        "a later call of a module, on what the calls before have left, gives another answer than a first "
        "call: " +
        finding.message;
    return finding;
}

/// One module on these sets, each call on what the one before has left.
std::optional<Finding> run_in_turn(CandidateState& state, const std::vector<DeviceReference::Set>& sets,
                                   const std::vector<int>& choice, bool as_the_reference,
                                   FullSizeRun& evidence) {
    for (size_t i = 0; i < sets.size(); ++i)
        if (auto finding = run_set(
                state, sets[i], choice,
                {.calls = 1, .same = i > 0, .keep = true, .in_turn = as_the_reference && state.call == 1},
                evidence))
            return finding;
    return std::nullopt;
}

/// Other alternatives on the other sets, as at the small size (check_configurations).
std::optional<Finding> run_tuned(CandidateState& state, const std::vector<int>& first,
                                 FullSizeRun& evidence) {
    const auto usable = [&](size_t c, size_t a) {
        return state.usable(c, a) && !state.refused_by_device.contains({c, a});
    };
    const std::vector<TunedRun> runs =
        tuned_runs(state.full.plan, state.full.modules, first, usable, state.chance());
    const auto tiles = static_cast<size_t>(std::count_if(
        runs.begin(), runs.end(), [](const TunedRun& run) { return run.like == Likeness::tiles; }));
    // What a stateful reference answers depends on the sets before.
    const bool stateful = state.task.device->opened().stateful;
    std::mt19937_64 random(state.chance() + 1);
    for (const TunedRun& run : runs) {
        if (run.like == Likeness::same) continue;
        std::vector<DeviceReference::Set> sets = state.task.device->sets();
        if (!stateful) {
            sets.erase(sets.begin());
            std::shuffle(sets.begin(), sets.end(), random);
        }
        if (run.like == Likeness::tiles) sets.resize(sets_of_tiles(tiles, sets.size()));
        const auto finding = run_in_turn(state, sets, run.choice, stateful, evidence);
        if (finding && finding->reason == "worker_died") return finding;
        if (finding && finding->reason != "out_of_resources")
            return configuration_wrong(*finding, configs_of(state.full.plan, run.choice, run.changed));
        if (!finding && run.like == Likeness::other) state.run_on_all_sets.insert(run.choice);
    }
    return std::nullopt;
}

std::optional<Finding> run_configurations(CandidateState& state, FullSizeRun& evidence) {
    const std::vector<const plan::ChoiceStep*> choices = choices_of(state.full.plan);
    const std::vector<int> first = choices_that_fit(state);
    for (size_t c = 0; c < choices.size(); c++)
        for (size_t a = 0; a < choices[c]->alternatives.size(); a++) {
            if (static_cast<int>(a) == first[c] || !state.usable(c, a)) continue;
            std::vector<int> pick = first;
            pick[c] = static_cast<int>(a);
            auto finding = run_set(state, state.task.device->sets()[0], pick, {}, evidence);
            if (!finding) continue;
            // What the device has no room for is dropped, as Triton's autotuner does.
            if (finding->reason == "out_of_resources") {
                state.refused_by_device.insert({c, a});
                continue;
            }
            if (finding->reason == "worker_died") return finding;
            return configuration_wrong(*finding, choices[c]->alternatives[a].config);
        }
    state.run_on_all_sets.insert(first);
    return run_tuned(state, first, evidence);
}

std::optional<Finding> run_all_sets(CandidateState& state, FullSizeRun& evidence) {
    DeviceReference& reference = *state.task.device;
    {
        const cuda::DeviceLock::Shared at_work(state.services.device->lock());
        DeviceServices::ReferenceLease lease(*state.services.device);
        if (auto finding = reference.ensure(lease)) return finding;
    }
    const std::vector<int> first = choices_that_fit(state);
    // One module on all sets, and on the first again: each call finds the memory that the one before has
    // left.
    const std::vector<DeviceReference::Set> sets = reference.sets();
    for (size_t i = 0; i < sets.size(); ++i)
        if (auto finding =
                run_set(state, sets[i], first,
                        {.calls = 1, .same = i > 0, .keep = true, .in_turn = state.call == 1}, evidence))
            return i > 0 ? wrong_later(state, sets[i], *finding) : finding;
    if (!reference.opened().stateful) {
        const int calls =
            more_calls(state, evidence.seconds / static_cast<double>(std::max(evidence.runs, 1)));
        if (auto finding = run_set(state, sets[0], first, {.calls = calls, .same = true}, evidence))
            return wrong_later(state, sets[0], *finding);
    }
    return run_configurations(state, evidence);
}

}  // namespace

std::optional<Finding> run_what_was_timed(CandidateState& state, const std::vector<int>& choice) {
    if (choice.empty() || state.run_on_all_sets.contains(choice)) return std::nullopt;
    // What was recorded to be timed is not run again.
    if (auto finding = open_on_device(state)) return finding;
    FullSizeRun evidence;
    if (auto finding = run_in_turn(state, state.task.device->sets(), choice, true, evidence)) {
        if (worker_died(finding)) return finding;
        std::vector<size_t> all(choice.size());
        std::iota(all.begin(), all.end(), size_t{0});
        return configuration_wrong(*finding, configs_of(state.full.plan, choice, all));
    }
    state.run_on_all_sets.insert(choice);
    return std::nullopt;
}

std::optional<Finding> run_on_device(CandidateState& state) {
    if (!state.services.device) return std::nullopt;
    FullSizeRun evidence;
    // A worker that someone killed from outside is not the candidate's fault.
    std::optional<Finding> finding = with_room(state, [&] {
        return ask_while_it_dies(
            [&] {
                evidence = {};
                std::optional<Finding> found = open_on_device(state);
                return found ? found : run_all_sets(state, evidence);
            },
            [](const std::optional<Finding>& found) { return worker_died(found); });
    });
    if (finding || !state.options.timing) state.on_device.reset();
    if (finding) return finding;
    if (evidence.elements > 0) state.evidence.checked = Checked::full;
    const run::OpenedReference reference = state.task.device->opened();
    evidence.device = state.services.device->info().value("name", "");
    evidence.input_sets = state.task.device->sets().size();
    if (state.task.device->own_sets_only())
        state.evidence.skipped_input_variants.emplace_back(
            "on the device all but the task's own distribution: the reference faults on another set there");
    evidence.reference_seconds = reference.seconds;
    evidence.reference_parts = reference.parts;
    evidence.expected_spilled = reference.spilled;
    state.evidence.full_size_run = std::move(evidence);
    return std::nullopt;
}

}  // namespace tritonsmith::judge
