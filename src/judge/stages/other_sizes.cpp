#include <fmt/format.h>

#include <algorithm>

#include "base/reasons.h"
#include "judge/stages/calls.h"
#include "judge/stages/checks.h"
#include "judge/stages/size_assumptions.h"
#include "judge/stages/small_size.h"
#include "judge/stages/stages.h"

/// What is found at a scaled size need not hold at the task's own: tiles that divide 768 do not divide 384.
/// Such a finding is put aside, until programs at full size show it too, or other sizes decide.
namespace tritonsmith::judge {

namespace {

constexpr int kMoreSamples = 8;  ///< times the usual sample, where scaled sizes do not decide

}  // namespace

bool move_to(CandidateState& state, std::shared_ptr<const ScaledTask> size) {
    state.small.size = std::move(size);
    state.small.calls.clear();
    state.small.choice.clear();
    state.small.specialised = state.small.same_launches = false;
    state.small.only_at_full.reset();
    state.small.is_full = !state.small.size->shrunk();
    if (const auto* finding = std::get_if<Finding>(&state.small.size->runs.get())) {
        state.small.specialised = true;  // the reference itself says nothing here
        note_size(state, *finding);
        return false;
    }
    if (state.small.is_full) {
        static_cast<Traced&>(state.small) = state.full;
        return true;
    }
    trace::Request small = request_of(state, state.small.size->plan);
    small.lowered = state.lowered;
    trace::Outcome traced = state.services.tracer->trace(small);
    if (const auto* finding = std::get_if<Finding>(&traced)) {
        state.small.specialised = true;
        note_size(state, *finding);
        return false;
    }
    state.small.plan = std::move(std::get<plan::Plan>(traced));
    policy_at_small_size(state);
    return !state.small.specialised;
}

namespace {

/// Everything that is done at the small size, at another one. Nothing: it has passed there, or it does not
/// run there, and `specialised` says so.
std::optional<Finding> judge_at(CandidateState& state, std::shared_ptr<const ScaledTask> size) {
    if (!move_to(state, std::move(size))) return interpret_same_launches(state);
    if (auto finding = interpret_sets(state)) return finding;
    return check_small(state);
}

/// What was found at the small size need not hold at the task's own.
bool may_be_due_to_size(const CandidateState& state) {
    return rests_on_own_size({state.full.plan, state.full.modules}, {state.small.plan, state.small.modules},
                             state.task.full.constants, state.small.size->scaled);
}

/// Of the output that something was found about: others say nothing of it.
bool compared_at_full_size(const CandidateState& state, const std::optional<Finding>& found) {
    const SampledEvidence& sample = *state.evidence.full_size_sample;
    if (!found || found->output.empty()) return sample.compared > 0;
    return std::any_of(sample.outputs.begin(), sample.outputs.end(),
                       [&](const SampledOutputEvidence& output) {
                           return found->output == output.name && output.compared > 0;
                       });
}

/// At no other size could be said what it does at the task's own: a larger sample there decides.
std::optional<Finding> decide_by_sample(CandidateState& state) {
    if (auto finding = sample_programs(state, kMoreSamples)) return finding;
    state.seen_in_one_call = !state.services.device;
    if (compared_at_full_size(state, state.put_aside) || state.services.device) return std::nullopt;
    return Finding{"shape_specialised",
                   "the kernel fits the task's own sizes only, and its full-size outputs cannot be compared "
                   "without a GPU",
                   0, Json::object()};
}

/// What has passed, where sums are shorter, and where they are as long as the task's own.
std::optional<Finding> check_lengths(CandidateState& state) {
    const std::shared_ptr<const ScaledTask> passed = state.small.size;
    if (auto finding = check_short_means(state)) return finding;
    return check_whole_sizes(state, *passed);
}

}  // namespace

std::optional<Finding> put_aside(CandidateState& state, std::optional<Finding> finding) {
    if (!finding || state.small.is_full || has_flag(finding->reason, ReasonFlag::any_size)) return finding;
    if (finding->reason == "wrong_result")
        if (auto count =
                wrong_count(state, counts_on_own_size({state.full.plan, state.full.modules},
                                                      {state.small.plan, state.small.modules},
                                                      state.task.full.constants, state.small.size->scaled)))
            return count;
    state.put_aside = std::move(finding);
    note_size(state, state.put_aside);
    return std::nullopt;
}

Finding confirmed(const CandidateState& state, Finding at_own_size) {
    if (!state.put_aside) return at_own_size;
    // An answer that changes between runs is as wrong in one of them.
    const bool same = state.put_aside->reason == at_own_size.reason ||
                      (state.put_aside->reason == "nondeterministic" && at_own_size.reason == "wrong_result");
    if (!same) return at_own_size;
    Finding finding = *state.put_aside;
    finding.evidence["at_full_size"] = at_own_size.message;
    return finding;
}

void note_size(CandidateState& state, const std::optional<Finding>& finding) {
    state.evidence.sizes_that_failed.push_back({scaled_sizes(state.task.full, *state.small.size), finding});
}

std::optional<Finding> judge_other_sizes(CandidateState& state) {
    if (!state.put_aside && !state.small.specialised && !state.small.only_at_full)
        return check_lengths(state);
    if (state.small.only_at_full) state.evidence.only_at_full_size = state.small.only_at_full;
    state.evidence.shape_specialised = state.put_aside || state.small.specialised;
    // What was found where it does what it does at full size; and somewhere where sizes are no excuse.
    std::optional<Finding> alike;
    bool no_excuse = false;
    int found = 0;
    const auto note = [&](const Finding& finding) {
        if (state.small.only_at_full) return;
        const bool due_to_size = may_be_due_to_size(state) && !finding.right_on_own_inputs;
        if (!alike || (!no_excuse && !due_to_size)) alike = finding;
        no_excuse |= !due_to_size;
        ++found;
    };
    if (state.put_aside) note(*state.put_aside);
    // Of kernels that only the full size has a device compares every element there, on sets of all kinds.
    const bool compared_whole = state.services.device && !state.put_aside && !state.small.specialised;
    const InputSets which = compared_whole ? InputSets::few : InputSets::all;
    for (const OtherSize next : {OtherSize::outer, OtherSize::inner, OtherSize::own, OtherSize::large}) {
        if (no_excuse && found > 1 && next >= OtherSize::own) return alike;
        std::shared_ptr<const ScaledTask> size = state.task.others->at(next, which);
        if (!size) continue;
        const std::optional<Finding> finding = judge_at(state, std::move(size));
        if (finding && (next == OtherSize::own || state.small.specialised))
            return finding;  // proof: interpret_same_launches
        if (finding) {
            note_size(state, finding);
            note(*finding);
        }
        if (finding || state.small.specialised || state.small.only_at_full) continue;
        if (no_excuse && next != OtherSize::own) {
            // A size at which an error does not show, a row of one tile say, is no proof that there is none.
            if (found > 1 && has_flag(alike->reason, ReasonFlag::in_whole)) return alike;
            if (auto shown = sample_programs(state, kMoreSamples)) return shown;
        }
        state.evidence.scaled = scaled_sizes(state.task.full, *state.small.size);
        if (next == OtherSize::own) {
            state.evidence.scaled.reset();
            state.evidence.checked = Checked::full;
            return check_short_means(state);
        }
        return check_lengths(state);
    }
    if (alike && (no_excuse || has_flag(alike->reason, ReasonFlag::in_whole))) return alike;
    return decide_by_sample(state);
}

}  // namespace tritonsmith::judge
