#include <algorithm>
#include <set>

#include "base/reasons.h"
#include "judge/candidate/choices.h"
#include "judge/candidate/launches.h"
#include "judge/stages/calls.h"
#include "judge/stages/checks.h"
#include "judge/stages/small_size.h"
#include "plan/analysis/flow.h"

/// A number that is made of all of an input is compared at no full size: too many programs would have to run.
/// A kernel that stops at column 9000 is right wherever rows are shorter. So what has passed is looked at
/// once more with each of the scaled integers as large as the task has it, the others staying small; and with
/// all of them, where the number of partial results, or an integer, grows with their product.
namespace tritonsmith::judge {

namespace {

/// At most so many of them, the most scaled first.
constexpr size_t kMostSizes = 3;

bool compared_everywhere(const CandidateState& state) {
    const auto& sample = state.evidence.full_size_sample;
    return sample && !sample->outputs.empty() &&
           std::all_of(sample->outputs.begin(), sample->outputs.end(),
                       [](const SampledOutputEvidence& output) { return output.compared > 0; });
}

std::vector<std::string> most_scaled_first(const plan::Plan& full, const ScaledTask& size) {
    const std::map<std::string, int64_t>& scaled = size.scaled;
    const auto ratio = [&](const std::string& name) {
        return static_cast<double>(full.constants.at(name)) / static_cast<double>(scaled.at(name));
    };
    std::vector<std::string> names;
    for (const auto& [name, value] : scaled) names.push_back(name);
    std::stable_sort(names.begin(), names.end(),
                     [&](const std::string& a, const std::string& b) { return ratio(a) > ratio(b); });
    if (names.size() > kMostSizes) names.resize(kMostSizes);
    return names;
}

bool transient(const Finding& finding) {
    const Reason* reason = find_reason(finding.reason);
    return !reason || reason->transient;
}

/// A launch makes what a later one goes on with.
bool hands_on(const Traced& full) {
    const plan::KernelEffects effects = full.effects();
    std::set<int> made;
    for (const LaunchRef& ref : launches(full.plan)) {
        if (ref.step->phase != plan::Phase::forward) continue;
        const auto kernel = static_cast<size_t>(ref.launch->kernel);
        std::vector<int> writes;
        for (size_t i = 0; i < std::min(effects[kernel].size(), ref.launch->args.size()); ++i) {
            const int buffer = plan::buffer_of(ref.launch->args[i]);
            if (buffer >= 0 && effects[kernel][i].reads && made.contains(buffer)) return true;
            if (buffer >= 0 && effects[kernel][i].writes) writes.push_back(buffer);
        }
        made.insert(writes.begin(), writes.end());
    }
    return false;
}

/// What a size says of the candidate.
struct AtWhole {
    bool other = false;   ///< it does not run there, or does another thing there than at full size
    bool judged = false;  ///< there it is right, or wrong:
    std::optional<Finding> finding;
};

AtWhole judged_at(CandidateState& state, const std::shared_ptr<const ScaledTask>& size) {
    AtWhole out;
    // A reference that fails there says nothing.
    if (!size || std::holds_alternative<Finding>(size->runs.get())) return out;
    const bool runs = move_to(state, size);
    if (!runs || state.small.only_at_full) {
        const auto& failed = state.evidence.sizes_that_failed;
        out.other = runs || failed.empty() || !failed.back().finding || !transient(*failed.back().finding);
        return out;
    }
    const auto usable = [&](size_t c, size_t a) { return state.usable(c, a); };
    const TakenChoice taken(state, drawn_choice(state.small.plan, usable, state.chance()));
    std::optional<Finding> finding = interpret_sets(state);
    if (!finding) finding = check_answers(state);
    // An answer that is wrong, and another one each time, is no accident of the machine's.
    out.judged = !finding || !transient(*finding) || finding->reason == "nondeterministic";
    if (out.judged) out.finding = std::move(finding);
    return out;
}

}  // namespace

std::optional<Finding> check_whole_sizes(CandidateState& state, const ScaledTask& passed) {
    if (state.services.device || !passed.shrunk() || compared_everywhere(state)) return std::nullopt;
    if (auto finding = check_handed_on(state)) return finding;
    OtherSizes& sizes = *state.task.others;
    bool judged = false, other = false, own = false;
    for (const std::string& name : most_scaled_first(state.task.full, passed)) {
        Evidence evidence = state.evidence;  // of what has passed
        const std::shared_ptr<const ScaledTask> size = sizes.one_whole(passed, name);
        const AtWhole found = judged_at(state, size);
        judged |= found.judged;
        other |= found.other;
        own |= found.judged && !size->shrunk();
        if (found.judged && !found.finding)
            evidence.further_sizes.push_back(scaled_sizes(state.task.full, *size));
        if (found.finding) {
            // It may be due to others that are smaller than where it has passed: then it is wrong there as
            // well.
            const auto control = sizes.none_whole(passed, name);
            const AtWhole without = judged_at(state, control);
            if (!control || (without.judged && !without.finding)) {
                state.evidence = evidence;
                state.evidence.scaled = scaled_sizes(state.task.full, *size);
                return found.finding;
            }
        }
        state.evidence = std::move(evidence);
    }
    auto at_own_size = !own && (hands_on(state.full) || sizes.counts_far()) ? sizes.whole() : nullptr;
    // Where the others do not say what it does there.
    if (!at_own_size && other && !judged) at_own_size = sizes.whole_if_nothing_else();
    if (at_own_size) {
        Evidence evidence = state.evidence;
        const AtWhole found = judged_at(state, at_own_size);
        judged |= found.judged;
        if (found.judged && !found.finding) evidence.further_sizes.emplace_back();
        state.evidence = std::move(evidence);
        if (found.finding) {
            state.evidence.scaled.reset();
            return found.finding;
        }
    }
    if (other && !judged)
        return Finding{
            "shape_specialised",
            "between the size at which it was interpreted and the task's own it runs nowhere as it does "
            "there, and its full-size outputs cannot be compared without a GPU",
            0, Json::object()};
    return std::nullopt;
}

}  // namespace tritonsmith::judge
