#include <fmt/format.h>

#include "judge/compare/count_error.h"
#include "judge/stages/calls.h"
#include "judge/stages/checks.h"
#include "judge/stages/size_assumptions.h"
#include "judge/stages/small_size.h"
#include "plan/analysis/reduction.h"

/// A mean over n - 1 of n elements, a variance without Bessel's correction: where rows are long, as the
/// task's own are and as they mostly stay when it is scaled down, that is within the bound. So what has
/// passed is looked at once more with short ones. A program that does not fit them is left alone.
namespace tritonsmith::judge {

namespace {

std::map<std::string, int64_t> constants_at(const plan::Plan& full, const ScaledTask& size) {
    std::map<std::string, int64_t> out = full.constants;
    for (const auto& [name, value] : size.scaled) out[name] = value;
    return out;
}

}  // namespace

std::optional<Finding> check_short_means(CandidateState& state) {
    const std::shared_ptr<const ScaledTask> size = state.task.others->at(OtherSize::short_means);
    if (!size) return std::nullopt;
    const Evidence evidence = state.evidence;  // of what has passed
    const Traced passed = state.small;
    const std::map<std::string, int64_t> own = constants_at(state.task.full, *state.small.size);
    std::optional<Finding> found;
    if (move_to(state, size) && !state.small.only_at_full && !interpret_sets(state)) {
        std::map<std::string, int64_t> shortened;
        for (const auto& [name, value] : constants_at(state.task.full, *size))
            if (value != own.at(name)) shortened[name] = value;
        found =
            wrong_count(state, counts_on_own_size({passed.plan, passed.modules},
                                                  {state.small.plan, state.small.modules}, own, shortened));
    }
    state.evidence = evidence;
    return found;
}

std::optional<Finding> wrong_count(const CandidateState& state, bool excused) {
    const int64_t terms = plan::longest_average(state.small.size->plan);
    std::optional<Finding> found;
    for (const SmallCall& call : state.small.calls) {
        const InputSet& set = state.small.sets()[call.set];
        for (const Expected& expected : set.expected) {
            const run::PackEntry* entry = call.outputs.find(expected.name);
            if (!entry) continue;
            const CountError error = count_error(expected, elements(call.outputs, *entry), terms);
            if (error == CountError::none) continue;
            // What else is wrong at this size need not be wrong at the task's own.
            if (error == CountError::other || (excused && error != CountError::factor)) return std::nullopt;
        }
        if (!found) found = check_answer(set, call.outputs).finding;
    }
    if (!found || found->reason != "wrong_result") return std::nullopt;
    found->message += fmt::format(
        "; this is with means of {} terms, where one too many or too few shows, which rounding hides at the "
        "task's "
        "own size",
        terms);
    return found;
}

}  // namespace tritonsmith::judge
