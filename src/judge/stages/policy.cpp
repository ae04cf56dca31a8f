#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <thread>

#include "judge/compare/structure.h"
#include "judge/stages/device_candidate.h"
#include "judge/task/requests.h"
#include "plan/analysis/early_start.h"
#include "plan/analysis/liveness.h"
#include "plan/analysis/reference.h"
#include "plan/ir/json.h"
#include "plan/policy/policy.h"
#include "ttir/analysis/effects.h"
#include "ttir/parse/parser.h"
#include "ttir/parse/printer.h"

namespace tritonsmith::judge {

namespace {

/// Two traces ask for the same launches although the inputs' sizes differ: the program has its sizes written
/// into it.
bool same_launches(const plan::Plan& a, const plan::Plan& b) {
    std::vector<LaunchRef> left = launches(a), right = launches(b);
    if (left.size() != right.size() || left.empty()) return false;
    for (size_t i = 0; i < left.size(); i++) {
        const plan::LaunchStep &x = *left[i].launch, &y = *right[i].launch;
        if (x.grid != y.grid ||
            a.kernels[static_cast<size_t>(x.kernel)].ttir != b.kernels[static_cast<size_t>(y.kernel)].ttir)
            return false;
        for (size_t k = 0; k < std::min(x.args.size(), y.args.size()); k++) {
            auto* m = std::get_if<int64_t>(&x.args[k].v);
            auto* n = std::get_if<int64_t>(&y.args[k].v);
            if (m && n && *m != *n) return false;
        }
    }
    return true;
}

Json weights_json(const plan::Links& links) {
    Json renamed = Json::object();
    for (const auto& [candidate, reference] : links.by_candidate)
        if (candidate != reference) renamed[candidate] = reference;
    return renamed;
}

using Modules = std::vector<std::shared_ptr<const ttir::Module>>;

std::optional<Finding> parse(const plan::Plan& plan, Modules& modules) {
    for (const plan::Kernel& kernel : plan.kernels) {
        try {
            modules.push_back(std::make_shared<const ttir::Module>(ttir::parse(kernel.ttir)));
        } catch (const ttir::ParseError& error) {
            return Finding{"invalid_ttir", fmt::format("kernel {}: {}", kernel.name, error.what()),
                           kernel.line, Json::object()};
        }
    }
    return std::nullopt;
}

}  // namespace

plan::KernelEffects kernel_effects(const std::vector<std::shared_ptr<const ttir::Module>>& modules) {
    plan::KernelEffects all;
    for (const auto& module : modules) {
        all.emplace_back();
        for (const ttir::Effect& e : ttir::parameter_effects(*module))
            all.back().push_back({.reads = e.reads || e.escapes,
                                  .writes = e.writes || e.escapes,
                                  .only_adds = e.adds && !e.sets && !e.escapes,
                                  .reads_early = e.reads_early || e.escapes,
                                  .writes_early = e.writes_early || e.escapes});
    }
    return all;
}

Judgement::Judgement(const PreparedTask& task, const std::string& candidate, const std::string& name,
                     const Options& options, Services& services, Verdict& verdict, double& seconds_left,
                     int configuration, int call)
    : task_(task),
      size_(task.small),
      candidate_(candidate),
      name_(name),
      options_(options),
      services_(services),
      verdict_(verdict),
      seconds_left_(seconds_left),
      configuration_(configuration),
      call_(call) {}

trace::Request Judgement::request(const plan::Plan& reference) const {
    trace::Request request = candidate_request(reference, candidate_, name_, options_.target);
    request.configuration = configuration_;
    request.call = call_;
    request.deadline = std::chrono::milliseconds(static_cast<int64_t>(options_.trace_seconds * 1000));
    return request;
}

std::optional<Finding> Judgement::trace() {
    // Where other candidates want the cores, only one that passes at full size is traced again, and what the
    // first trace has lowered is not lowered again.
    const bool alone = options_.threads != 1;
    if (size_->shrunk())
        small_trace_ = std::async(alone ? std::launch::async : std::launch::deferred, [this] {
            trace::Request small = request(size_->plan);
            small.lowered = lowered_;
            return services_.tracer->trace(small);
        });
    trace::Outcome full =
        services_.tracer->trace(request(task_.full), size_->shrunk() && !alone ? &lowered_ : nullptr);
    if (auto* finding = std::get_if<Finding>(&full)) return *finding;
    full_ = std::move(std::get<plan::Plan>(full));
    return parse(full_, modules_);
}

void Judgement::take_small_trace() {
    if (!small_trace_.valid()) {
        small_ = full_;
        small_links_ = links_;
        small_is_full_ = true;
        return;
    }
    trace::Outcome small = small_trace_.get();
    if (auto* finding = std::get_if<Finding>(&small)) {
        specialised_ = true;
        note_size(*finding);
        return;
    }
    small_ = std::move(std::get<plan::Plan>(small));
    policy_at_small_size();
}

namespace {

std::set<std::string> names_of(const plan::Links& links) {
    std::set<std::string> out;
    for (const auto& [ours, theirs] : links.by_candidate) out.insert(ours);
    return out;
}

}  // namespace

void Judgement::policy_at_small_size() {
    specialised_ = same_launches_ = same_launches(full_, small_);
    small_modules_.clear();
    std::optional<Finding> finding = parse(small_, small_modules_);
    plan::PolicyOptions policy =
        policy_options(finding ? plan::KernelEffects{} : kernel_effects(small_modules_));
    small_links_ = plan::link_weights(size_->plan, small_, policy.effects);
    policy.linked = names_of(small_links_);
    if (linked_otherwise_ && !small_links_.alternative.empty())
        std::swap(small_links_.by_candidate, small_links_.alternative);
    if (specialised_) return;
    if (!finding) finding = compare_structure(size_->plan, small_);
    if (!finding) {
        plan::PolicyReport report = plan::check_policy(small_, policy);
        if (!report.findings.empty()) finding = report.findings.front();
    }
    if (!finding) {
        only_at_full_ = only_here(full_, modules_, small_, small_modules_);
        return;
    }
    specialised_ = true;  // the plan at the task's own size obeys
    note_size(finding);
}

plan::PolicyOptions Judgement::policy_options(plan::KernelEffects effects) const {
    return {options_.relaxed,
            task_.moves_only,
            std::move(effects),
            plan::uncomputed_outputs(task_.full),
            plan::constant_outputs(task_.full),
            plan::outputs_of_inputs(task_.full)};
}

std::optional<Finding> Judgement::policy() {
    plan::PolicyOptions policy = policy_options(kernel_effects(modules_));
    if (auto finding = compare_structure(task_.full, full_)) return finding;
    links_ = plan::link_weights(task_.full, full_, policy.effects);
    policy.linked = names_of(links_);
    plan::PolicyReport report = plan::check_policy(full_, policy);
    if (!report.findings.empty()) return report.findings.front();
    Json notes = Json::array();
    for (const Finding& note : report.notes)
        notes.push_back({{"message", note.message}, {"line", note.line}});
    verdict_.evidence["host_steps"] = notes;
    verdict_.evidence["launches"] = report.launches;
    verdict_.evidence["host_byte_share"] =
        report.launch_bytes + report.host_bytes > 0
            ? static_cast<double>(report.host_bytes) /
                  static_cast<double>(report.launch_bytes + report.host_bytes)
            : 0.0;
    if (Json renamed = weights_json(links_); !renamed.empty())
        verdict_.evidence["weights_linked_by_order"] = renamed;
    if (!links_.unlinked.empty())
        return Finding{"weights_unlinked",
                       fmt::format("parameter '{}' of the candidate corresponds to none of the reference's",
                                   links_.unlinked.front()),
                       0,
                       {{"unlinked", links_.unlinked}}};
    if (auto finding = check_state()) return finding;
    start_compiles();
    take_small_trace();
    return std::nullopt;
}

void Judgement::start_compiles() {
    // Few, where other candidates want the cores.
    const int at_a_time =
        options_.threads == 1 ? 2 : static_cast<int>(std::max(2U, std::thread::hardware_concurrency()));
    compiles_ =
        std::make_unique<Compiles>(*services_.compiler, full_, modules_, options_.compile_seconds, at_a_time);
}

std::optional<Finding> Judgement::reference() {
    const auto& outcome = size_->runs.get();
    if (const auto* finding = std::get_if<Finding>(&outcome)) return *finding;
    const ReferenceRuns& runs = std::get<ReferenceRuns>(outcome);
    if (!runs.skipped_variants.empty()) verdict_.evidence["skipped_input_variants"] = runs.skipped_variants;
    if (!runs.left_out.empty()) verdict_.evidence["left_out_outputs"] = runs.left_out;
    if (!runs.rounding.empty()) verdict_.evidence["oracle_rounding"] = runs.rounding;
    return std::nullopt;
}

const ReferenceRuns& Judgement::reference_runs() const {
    return std::get<ReferenceRuns>(size_->runs.get());
}

std::optional<Finding> Judgement::interpret_same_launches() {
    if (!same_launches_ || compare_structure(size_->plan, small_)) return std::nullopt;
    run::CandidateResult result;
    if (run_small(0, sets()[0].seed * 3 + 1, {}, -1, true, result)) return std::nullopt;
    for (const Finding& finding : result.findings)
        if (finding.reason != "uninitialised_output") return std::nullopt;  // at full size it may be in order
    std::optional<Finding> wrong;
    if (!result.findings.empty())
        wrong = result.findings.front();
    else
        wrong = check_answer(sets()[0], result.outputs).finding;
    if (!wrong) return std::nullopt;
    checked_at_small_size();
    wrong->message += "; its launches are the same at full size, so that they write no more there";
    return wrong;
}

void Judgement::checked_at_small_size() {
    verdict_.checked = std::max(verdict_.checked, size_->shrunk() ? Checked::small : Checked::full);
    verdict_.evidence["input_sets"] = sets().size();
}

std::optional<Finding> Judgement::interpret() {
    const plan::KernelEffects full_effects = kernel_effects(modules_);
    if (auto finding = plan::early_access(full_, full_effects)) return finding;
    if (!specialised_) return put_aside(interpret_sets());
    if (auto finding = check_benchmark_of_sums(full_effects)) return finding;
    return interpret_same_launches();
}

std::optional<Finding> Judgement::compile() {
    out_of_resources_.assign(full_.kernels.size(), false);
    compiled_.resize(full_.kernels.size());
    std::map<size_t, Json> kernels;
    std::optional<Finding> dropped;
    std::set<int> required;  // kernels launched outside of any choice: these have no alternative
    for (const plan::Step& step : full_.steps)
        if (auto* launch = std::get_if<plan::LaunchStep>(&step.what)) required.insert(launch->kernel);
    for (size_t i : compiles_->order()) {
        const Compiles::Result& outcome = compiles_->wait(i);
        if (const auto* finding = std::get_if<Finding>(&outcome)) {
            Finding found = *finding;
            if (found.line == 0) found.line = full_.kernels[i].line;
            if (found.reason != "out_of_resources" || found.evidence.contains("unfinished") ||
                required.contains(static_cast<int>(i)))
                return found;
            out_of_resources_[i] = true;  // Triton's autotuner drops such a configuration as well
            dropped = found;
            continue;
        }
        compiled_[i] = std::get<trace::Compiled>(outcome);
        const trace::Compiled& c = *compiled_[i];
        if (c.reorders) reordering_.insert(full_.kernels[i].name);
        kernels[i] = {{"kernel", c.name},
                      {"registers", c.registers},
                      {"spills", c.spills},
                      {"shared", c.shared},
                      {"num_warps", c.num_warps}};
    }
    Json listed = Json::array();
    for (auto& [i, kernel] : kernels) listed.push_back(std::move(kernel));
    verdict_.evidence["kernels"] = listed;
    for (const plan::Step& step : full_.steps) {
        auto* choice = std::get_if<plan::ChoiceStep>(&step.what);
        if (!choice) continue;
        const auto& all = choice->alternatives;
        if (dropped && std::none_of(all.begin(), all.end(), [&](const auto& a) { return fits(a); }))
            return dropped;
    }
    return std::nullopt;
}

std::optional<Finding> Judgement::link_otherwise(Finding first) {
    if (first.reason != "wrong_result" || small_links_.alternative.empty()) return first;
    const auto swap = [this] {
        for (plan::Links* links : {&links_, &small_links_})
            if (!links->alternative.empty()) std::swap(links->by_candidate, links->alternative);
        linked_otherwise_ = !linked_otherwise_;
    };
    swap();
    calls_.clear();
    if (interpret_sets() || check_answers()) {
        swap();
        return first;
    }
    verdict_.evidence["weights_linked_by_order"] = weights_json(links_);
    verdict_.evidence["weights_ambiguous"] =
        "parameters of equal shape correspond in the order of the state dict; in the order of their draws "
        "the "
        "answer is wrong";
    return std::nullopt;
}

std::optional<Finding> Judgement::correctness() {
    if (specialised_ || put_aside_) return std::nullopt;
    return put_aside(check_small());
}

std::optional<Finding> Judgement::check_small() {
    if (auto finding = check_answers())
        if (auto still = link_otherwise(*finding)) return still;
    if (auto finding = check_reordering()) return finding;
    if (auto finding = check_promises()) return finding;
    if (auto finding = check_pipelining()) return finding;
    if (auto finding = check_mutation()) return finding;
    if (auto finding = check_effects()) return finding;
    if (auto finding = check_configurations()) return finding;
    return check_benchmark(kernel_effects(small_is_full_ ? modules_ : small_modules_));
}

std::optional<Finding> Judgement::check_effects() {
    // A lone launch cannot be without effect: its outputs were poisoned and came out right.
    constexpr size_t most = 12;
    if (call_ > 1) return std::nullopt;  // of earlier calls nothing need be left
    // What only updates the module's state is not on it, though it reads what the others do.
    std::vector<int> on_path =
        plan::launches_on_output_path(small_, kernel_effects(small_is_full_ ? modules_ : small_modules_));
    if (on_path.size() < 2) return std::nullopt;
    for (size_t i = 0; i < std::min(on_path.size(), most); i++) {
        bool effect = false;
        for (size_t c = 0; c < std::min<size_t>(calls_.size(), 2) && !effect; c++) {
            const SmallCall& call = calls_[c];
            run::CandidateResult without;
            auto failed = run_small(call.set, call.seed, {}, on_path[i], false, without);
            // Leaving it out broke a later step, or left memory unwritten: it has an effect.
            effect = failed || !without.findings.empty();
            for (const run::PackEntry& entry : call.outputs.entries()) {
                const run::PackEntry* other = without.outputs.find(entry.name);
                if (effect) break;
                if (!other) {
                    effect = true;
                    break;
                }
                const auto bytes =
                    static_cast<size_t>(run::Pack::element_count(entry) * plan::element_size(entry.dtype));
                effect = !same_values({call.outputs.bytes(entry), bytes},
                                      {without.outputs.bytes(*other), bytes}, entry.dtype);
            }
        }
        if (effect) continue;
        const std::vector<run::Launched>& all = small_launches_;
        const auto index = static_cast<size_t>(on_path[i]);
        const std::string kernel = index < all.size() ? all[index].kernel : "?";
        const int line = index < all.size() ? all[index].line : 0;
        return Finding{"kernel_without_effect",
                       fmt::format("the outputs stay the same when the launch of {} is left out", kernel),
                       line,
                       {{"kernel", kernel}}};
    }
    return std::nullopt;
}

}  // namespace tritonsmith::judge
