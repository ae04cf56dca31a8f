#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "base/json.h"
#include "judge/services/worker_findings.h"
#include "judge/stages/choices.h"
#include "judge/stages/device_candidate.h"
#include "judge/stages/judgement.h"
#include "plan/analysis/flow.h"
#include "plan/ir/json.h"
#include "plan/ir/options.h"

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
    evidence["output"] = output.name;
    evidence["size"] = "full";
    evidence["inputs"] = variant;
    return {
        "wrong_result",
        fmt::format(
            "at full size {}[{}] is {}, expected {} (allowed error {}); {} of {} elements are out of bound",
            output.name, at, text(m.at("found")), text(m.at("expected")), text(m.at("allowed")),
            m.at("out_of_bound").get<int64_t>(), output.elements),
        0, std::move(evidence)};
}

}  // namespace

run::DeviceKernels Judgement::device_kernels() const {
    run::DeviceKernels out;
    for (size_t i = 0; i < full_.kernels.size(); ++i) {
        const std::optional<trace::Compiled>& compiled = compiled_[i];
        if (!compiled) {
            out.kernels.push_back(nullptr);
            continue;
        }
        out.kernels.push_back({{"name", compiled->name},
                               {"num_warps", compiled->num_warps},
                               {"num_ctas", plan::num_ctas(full_.kernels[i])},
                               {"cooperative", plan::cooperative_grid(full_.kernels[i])},
                               {"shared", compiled->shared},
                               {"global_scratch_size", compiled->global_scratch_size},
                               {"global_scratch_align", compiled->global_scratch_align},
                               {"tensordesc_meta", compiled->tensordesc_meta},
                               {"offset", out.cubins.size()},
                               {"bytes", compiled->cubin.size()}});
        out.cubins.insert(out.cubins.end(), compiled->cubin.begin(), compiled->cubin.end());
    }
    return out;
}

Judgement::~Judgement() = default;

std::optional<Finding> Judgement::open_on_device() {
    on_device_.reset();
    const bool large = task_.device->large();
    on_device_ = std::make_unique<DeviceCandidate>(*services_.device, large);
    const run::DeviceKernels kernels = device_kernels();
    run::OpenCandidate open;
    open.plan = &full_;
    open.seed = options_.seed.value_or(0x5EED) + 11;
    open.links = links_.by_candidate;
    open.linked_seed = task_.device->weights_seed();
    open.kernels = &kernels;
    const cuda::DeviceLock::Shared at_work(services_.device->lock());
    auto opened = on_device_->worker->open(open);
    if (auto* error = std::get_if<run::WorkerError>(&opened)) return candidate_finding(*error, true);
    on_device_->opened(std::get<int>(opened));
    return std::nullopt;
}

std::optional<Finding> Judgement::run_on_device() {
    if (!services_.device) return std::nullopt;
    DeviceEvidence evidence;
    std::optional<Finding> finding;
    // A worker that someone killed from outside is not the candidate's fault.
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        finding = open_on_device();
        if (!finding) finding = run_all_sets(evidence);
        if (!finding || finding->reason != "worker_died") break;
    }
    if (finding || !options_.timing) on_device_.reset();
    if (finding) return finding;
    if (evidence.elements > 0) verdict_.checked = Checked::full;
    const run::OpenedReference reference = task_.device->opened();
    verdict_.evidence["full_size_run"] = {{"device", services_.device->info().value("name", "")},
                                          {"input_sets", task_.device->sets().size()},
                                          {"runs", evidence.runs},
                                          {"elements_compared", evidence.elements},
                                          {"share_of_bound", evidence.worst_ratio},
                                          {"reference_seconds", reference.seconds},
                                          {"reference_parts", reference.parts},
                                          {"expected_spilled", reference.spilled},
                                          {"seconds", evidence.seconds}};
    return std::nullopt;
}

std::optional<Finding> Judgement::run_all_sets(DeviceEvidence& evidence) {
    DeviceReference& reference = *task_.device;
    {
        const cuda::DeviceLock::Shared at_work(services_.device->lock());
        DeviceServices::ReferenceLease lease(*services_.device);
        if (auto finding = reference.ensure(lease)) return finding;
    }
    const std::vector<int> first = choices_that_fit();
    // One module on all sets, and on the first again: each call finds the memory that the one before has
    // left.
    const std::vector<DeviceReference::Set> sets = reference.sets();
    for (size_t i = 0; i < sets.size(); ++i)
        if (auto finding = run_set(sets[i], first, {.calls = 1, .same = i > 0, .keep = true}, evidence))
            return i > 0 ? wrong_later(sets[i], *finding) : finding;
    if (!reference.opened().stateful) {
        const int calls = more_calls(evidence.seconds / static_cast<double>(std::max(evidence.runs, 1)));
        if (auto finding = run_set(sets[0], first, {.calls = calls, .same = true}, evidence))
            return wrong_later(sets[0], *finding);
    }
    return run_configurations(evidence);
}

int Judgement::more_calls(double seconds_of_one) const {
    const auto shared = plan::carried_buffers(full_, kernel_effects(modules_), choices_that_fit());
    // With two, a module with one set of inputs is called three times.
    if (shared.empty()) return 2;
    std::random_device chance;
    const int many = std::uniform_int_distribution<int>(8, 40)(chance);
    return std::clamp(static_cast<int>(0.5 / std::max(seconds_of_one, 1e-3)), 2, many);
}

Finding Judgement::wrong_later(const DeviceReference::Set& set, Finding finding) {
    DeviceEvidence aside;
    if (finding.reason != "wrong_result" || run_set(set, choices_that_fit(), {}, aside)) return finding;
    finding.reason = "nondeterministic";
    finding.message =
        "a later call of a module, on what the calls before have left, gives another answer than a first "
        "call: " +
        finding.message;
    return finding;
}

std::optional<Finding> Judgement::run_set(const DeviceReference::Set& set, const std::vector<int>& choice,
                                          DeviceCalls how, DeviceEvidence& evidence) {
    // For each set again, so that whoever wants to time waits for no more than one.
    const cuda::DeviceLock::Shared at_work(services_.device->lock());
    DeviceReference& reference = *task_.device;
    run::RemotePack inputs;
    if (auto finding = reference.inputs(set, inputs)) return finding;
    auto ran = on_device_->worker->run(on_device_->session(), inputs, choice, how.calls,
                                       options_.device_seconds, {.same = how.same, .keep = how.keep});
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
    return compare_on_device(set, run.outputs, evidence);
}

std::optional<Finding> Judgement::compare_on_device(const DeviceReference::Set& set,
                                                    const run::RemotePack& outputs,
                                                    DeviceEvidence& evidence) {
    auto answer = task_.device->compare(set.index, outputs);
    if (auto* finding = std::get_if<Finding>(&answer)) return *finding;
    const run::ComparedAnswer& compared = std::get<run::ComparedAnswer>(answer);
    for (const std::string& name : compared.missing) {
        // An input that the reference changes and the candidate does not.
        return Finding{"wrong_result",
                       "at full size " + name + " is left as it was, which the reference changes",
                       0,
                       {{"output", name}, {"size", "full"}}};
    }
    for (const run::ComparedOutput& output : compared.outputs) {
        if (!output.mismatch.is_null()) return wrong_output(output, set.variant);
        evidence.elements += output.elements;
        if (std::isfinite(output.worst_ratio))
            evidence.worst_ratio = std::max(evidence.worst_ratio, output.worst_ratio);
    }
    return std::nullopt;
}

std::optional<Finding> Judgement::run_configurations(DeviceEvidence& evidence) {
    const std::vector<const plan::ChoiceStep*> choices = choices_of(full_);
    const std::vector<int> first = choices_that_fit();
    for (size_t c = 0; c < choices.size(); c++)
        for (size_t a = 0; a < choices[c]->alternatives.size(); a++) {
            if (static_cast<int>(a) == first[c] || !fits(choices[c]->alternatives[a])) continue;
            std::vector<int> pick = first;
            pick[c] = static_cast<int>(a);
            auto finding = run_set(task_.device->sets()[0], pick, {}, evidence);
            if (!finding) continue;
            // What the device has no room for is dropped, as Triton's autotuner does.
            if (finding->reason == "out_of_resources") {
                refused_by_device_.insert({c, a});
                continue;
            }
            if (finding->reason == "worker_died") return finding;
            return configuration_wrong(*finding, choices[c]->alternatives[a]);
        }
    return std::nullopt;
}

std::vector<int> Judgement::choices_that_fit() const {
    std::vector<int> out;
    for (const plan::ChoiceStep* choice : choices_of(full_)) {
        size_t a = 0;
        while (a + 1 < choice->alternatives.size() && !fits(choice->alternatives[a])) ++a;
        out.push_back(static_cast<int>(a));
    }
    return out;
}

}  // namespace tritonsmith::judge
