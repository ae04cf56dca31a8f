#include "judge/candidate/choices.h"
#include "judge/stages/calls.h"
#include "judge/stages/checks.h"

/// The alternatives of autotuned kernels: each must be right, since whichever is fastest is taken.
namespace tritonsmith::judge {

std::optional<Finding> check_configurations(CandidateState& state) {
    const std::vector<const plan::ChoiceStep*> choices = choices_of(state.small.plan),
                                               full_choices = choices_of(state.full.plan);
    for (size_t c = 0; c < choices.size(); c++)
        for (size_t a = 1; a < choices[c]->alternatives.size(); a++) {  // the first: the runs so far
            if (c < full_choices.size() && a < full_choices[c]->alternatives.size() &&
                !state.compiled.fits(full_choices[c]->alternatives[a]))
                continue;
            const std::vector<int> pick = picked(choices.size(), c, a);
            run::CandidateResult result;
            auto finding = run_small(state, 0, state.small.sets()[0].seed * 3 + 1, pick, -1, true, result);
            if (!finding && !result.findings.empty()) finding = result.findings.front();
            if (!finding) finding = check_answer(state.small.sets()[0], result.outputs).finding;
            if (finding) return configuration_wrong(*finding, choices[c]->alternatives[a]);
        }
    return std::nullopt;
}

}  // namespace tritonsmith::judge
