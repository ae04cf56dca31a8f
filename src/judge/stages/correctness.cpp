#include "judge/compare/structure.h"
#include "judge/stages/calls.h"
#include "judge/stages/checks.h"
#include "judge/stages/small_size.h"
#include "judge/stages/stages.h"
#include "judge/stages/stream_races.h"
#include "plan/analysis/early_start.h"

/// The small size: memory safety on every input set, then answers against the oracle.
namespace tritonsmith::judge {

namespace {

/// Where several parameters could stand for several others, the second way is tried as well.
std::optional<Finding> link_otherwise(CandidateState& state, Finding first) {
    if (first.reason != "wrong_result" || state.small.links.alternative.empty()) return first;
    const auto swap = [&state] {
        for (plan::Links* links : {&state.full.links, &state.small.links})
            if (!links->alternative.empty()) std::swap(links->by_candidate, links->alternative);
        state.linked_otherwise = !state.linked_otherwise;
    };
    swap();
    state.small.calls.clear();
    if (interpret_sets(state) || check_answers(state)) {
        swap();
        return first;
    }
    state.evidence.weights_linked_by_order = renamed(state.full.links);
    state.evidence.weights_ambiguous = true;
    return std::nullopt;
}

}  // namespace

std::optional<Finding> await_reference(CandidateState& state) {
    const auto& outcome = state.small.size->runs.get();
    if (const auto* finding = std::get_if<Finding>(&outcome)) return *finding;
    const ReferenceRuns& runs = std::get<ReferenceRuns>(outcome);
    state.evidence.skipped_input_variants = runs.skipped_variants;
    state.evidence.left_out_outputs = runs.left_out;
    state.evidence.oracle_rounding = runs.rounding;
    return std::nullopt;
}

std::optional<Finding> interpret_small_size(CandidateState& state) {
    const plan::KernelEffects full_effects = state.full.effects();
    if (auto finding = plan::early_access(state.full.plan, full_effects)) return finding;
    if (auto finding = unordered_streams(state.full.plan, full_effects, state.full.modules)) return finding;
    if (!state.small.specialised) return put_aside(state, interpret_sets(state));
    if (auto finding = check_benchmark_of_sums(state, full_effects)) return finding;
    return interpret_same_launches(state);
}

std::optional<Finding> interpret_same_launches(CandidateState& state) {
    if (!state.small.same_launches || compare_structure(state.small.size->plan, state.small.plan))
        return std::nullopt;
    run::CandidateResult result;
    if (run_small(state, 0, state.small.sets()[0].seed * 3 + 1, -1, true, result)) return std::nullopt;
    for (const Finding& finding : result.findings)
        if (finding.reason != "uninitialised_output") return std::nullopt;  // at full size it may be in order
    std::optional<Finding> wrong;
    if (!result.findings.empty())
        wrong = result.findings.front();
    else
        wrong = check_answer(state.small.sets()[0], result.outputs).finding;
    if (!wrong) return std::nullopt;
    checked_at_small_size(state);
    wrong->message += "; its launches are the same at full size, so that they write no more there";
    return wrong;
}

std::optional<Finding> check_correctness(CandidateState& state) {
    if (state.small.specialised || state.put_aside) return std::nullopt;
    return put_aside(state, check_small(state));
}

std::optional<Finding> check_small(CandidateState& state) {
    if (auto finding = check_answers(state))
        if (auto still = link_otherwise(state, *finding)) return still;
    if (auto finding = check_reordering(state)) return finding;
    if (auto finding = check_promises(state)) return finding;
    if (auto finding = check_pipelining(state)) return finding;
    if (auto finding = check_mutation(state)) return finding;
    if (auto finding = check_effects(state)) return finding;
    if (auto finding = check_configurations(state)) return finding;
    return check_benchmark(state, state.small.effects());
}

}  // namespace tritonsmith::judge
