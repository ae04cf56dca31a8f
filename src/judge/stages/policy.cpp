#include "plan/policy/policy.h"

#include <fmt/format.h>

#include <set>

#include "judge/candidate/launches.h"
#include "judge/compare/structure.h"
#include "judge/stages/checks.h"
#include "judge/stages/small_size.h"
#include "judge/stages/stages.h"
#include "plan/analysis/reference.h"

/// The rules for plans, at the task's own size and at the small one; which weights are which.
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

std::set<std::string> names_of(const plan::Links& links) {
    std::set<std::string> out;
    for (const auto& [ours, theirs] : links.by_candidate) out.insert(ours);
    return out;
}

plan::PolicyOptions policy_options(const CandidateState& state, plan::KernelEffects effects) {
    return {state.options.relaxed,
            state.task.moves_only,
            std::move(effects),
            plan::uncomputed_outputs(state.task.full),
            plan::constant_outputs(state.task.full),
            plan::outputs_of_inputs(state.task.full)};
}

}  // namespace

std::map<std::string, std::string> renamed(const plan::Links& links) {
    std::map<std::string, std::string> out;
    for (const auto& [candidate, reference] : links.by_candidate)
        if (candidate != reference) out[candidate] = reference;
    return out;
}

void policy_at_small_size(CandidateState& state) {
    state.small.specialised = state.small.same_launches = same_launches(state.full.plan, state.small.plan);
    std::optional<Finding> finding = parse_kernels(state.small);
    plan::PolicyOptions policy =
        policy_options(state, finding ? plan::KernelEffects{} : state.small.effects());
    state.small.links = plan::link_weights(state.small.size->plan, state.small.plan, policy.effects);
    policy.linked = names_of(state.small.links);
    if (state.linked_otherwise && !state.small.links.alternative.empty())
        std::swap(state.small.links.by_candidate, state.small.links.alternative);
    if (state.small.specialised) return;
    if (!finding) finding = compare_structure(state.small.size->plan, state.small.plan);
    if (!finding) {
        plan::PolicyReport report = plan::check_policy(state.small.plan, policy);
        if (!report.findings.empty()) finding = report.findings.front();
    }
    if (!finding) {
        state.small.only_at_full =
            only_here(state.full.plan, state.full.modules, state.small.plan, state.small.modules,
                      sizes_on_the_way(state.task.full, state.small.size->plan));
        return;
    }
    state.small.specialised = true;  // the plan at the task's own size obeys
    note_size(state, finding);
}

std::optional<Finding> hold_to_policy(CandidateState& state) {
    plan::PolicyOptions policy = policy_options(state, state.full.effects());
    if (auto finding = compare_structure(state.task.full, state.full.plan)) return finding;
    state.full.links = plan::link_weights(state.task.full, state.full.plan, policy.effects);
    policy.linked = names_of(state.full.links);
    plan::PolicyReport report = plan::check_policy(state.full.plan, policy);
    if (!report.findings.empty()) return report.findings.front();
    state.evidence.policy = std::move(report);
    state.evidence.weights_linked_by_order = renamed(state.full.links);
    if (!state.full.links.unlinked.empty())
        return Finding{"weights_unlinked",
                       fmt::format("parameter '{}' of the candidate corresponds to none of the reference's",
                                   state.full.links.unlinked.front()),
                       0,
                       {{"unlinked", state.full.links.unlinked}}};
    if (auto finding = check_state(state)) return finding;
    start_compiles(state);
    take_small_trace(state);
    return std::nullopt;
}

}  // namespace tritonsmith::judge
