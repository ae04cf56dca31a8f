#include <fmt/format.h>

#include <algorithm>

#include "judge/stages/calls.h"
#include "judge/stages/checks.h"
#include "run/draw/variant.h"

/// What the calls at the small size have answered, against the oracle.
namespace tritonsmith::judge {

namespace {

/// Of a call whose answer is wrong: is it the call's place behind others, or chance?
Finding wrong_call(CandidateState& state, const SmallCall& call, Finding finding) {
    // What a later call leaves goes on from the calls before: no first call leaves the same.
    if (!call.first && is_kept_buffer(finding.output)) return finding;
    // With another order of programs and memory contents, in a module of its own.
    run::CandidateResult alone;
    const InputSet& set = state.small.sets()[call.set];
    if (run_small(state, call.set, set.seed * 5 + 2, -1, true, alone) || !alone.findings.empty())
        return finding;
    if (call.first) {
        // Otherwise than before: not a wrong formula but a race.
        if (!differ(set, call.outputs, alone.outputs)) return finding;
        finding.message = "the answer changes between runs: " + finding.message;
    } else {
        if (check_answer(set, alone.outputs).finding && !differ(set, call.outputs, alone.outputs))
            return finding;
        finding.message = fmt::format(
            "call {} of a module, on what the calls before have left, gives another "
            "answer than a first call: {}",
            call.before + 1, finding.message);
        finding.evidence["call"] = call.before + 1;
    }
    finding.reason = "nondeterministic";
    return finding;
}

}  // namespace

std::optional<Finding> check_answers(CandidateState& state) {
    double worst = 0, error = 0, reference_error = 0;
    std::string where;
    bool own_is_right = false;
    for (const SmallCall& call : state.small.calls) {
        const InputSet& set = state.small.sets()[call.set];
        const Answer answer = check_answer(set, call.outputs);
        if (answer.finding) {
            Finding wrong = wrong_call(state, call, *answer.finding);
            // A size that does not fit the program shows on the task's own inputs as well.
            if (own_is_right && !set.variant.own()) wrong.right_on_own_inputs = true;
            return wrong;
        }
        own_is_right |= set.variant.own();
        if (answer.worst_ratio > worst) {
            worst = answer.worst_ratio;
            where = answer.worst_output + " with " + run::describe(set.variant);
        }
        error = std::max(error, answer.worst_error);
        for (const Expected& e : set.expected) reference_error = std::max(reference_error, e.reference_error);
    }
    state.evidence.error = SmallErrors{error, reference_error, worst, where};
    return std::nullopt;
}

std::optional<Finding> check_mutation(const CandidateState& state) {
    for (const SmallCall& call : state.small.calls) {
        // Those that the reference changes as well are among its results.
        const std::vector<Expected>& expected = state.small.sets()[call.set].expected;
        for (const std::string& name : call.mutated)
            if (std::none_of(expected.begin(), expected.end(),
                             [&](const Expected& e) { return e.name == name; }))
                return Finding{"input_mutated",
                               "the candidate changes " + name + ", which the reference leaves alone",
                               0,
                               {{"mutated", call.mutated}}};
    }
    return std::nullopt;
}

}  // namespace tritonsmith::judge
