#include <fmt/format.h>

#include "judge/stages/choices.h"
#include "judge/stages/judgement.h"

/// The alternatives of autotuned kernels: each must be right, since whichever is fastest is taken.
namespace tritonsmith::judge {

std::vector<const plan::ChoiceStep*> choices_of(const plan::Plan& plan) {
    std::vector<const plan::ChoiceStep*> out;
    for (const plan::Step& step : plan.steps)
        if (auto* choice = std::get_if<plan::ChoiceStep>(&step.what)) out.push_back(choice);
    return out;
}

std::vector<int> picked(size_t choices, size_t choice, size_t alternative) {
    std::vector<int> out(choices, 0);
    out[choice] = static_cast<int>(alternative);
    return out;
}

Finding configuration_wrong(Finding finding, const plan::Alternative& alternative) {
    finding.evidence["why"] = finding.reason;
    finding.evidence["config"] = alternative.config;
    finding.message =
        fmt::format("autotune configuration ({}) is wrong: {}", alternative.config, finding.message);
    finding.reason = "autotune_config_wrong";
    return finding;
}

/// Triton's autotuner drops configurations that the target has no room for.
bool Judgement::fits(const plan::Alternative& alternative) const {
    for (const plan::Step& step : alternative.steps)
        if (auto* launch = std::get_if<plan::LaunchStep>(&step.what))
            if (out_of_resources_[static_cast<size_t>(launch->kernel)]) return false;
    return true;
}

std::optional<Finding> Judgement::check_configurations() {
    const std::vector<const plan::ChoiceStep*> choices = choices_of(small_), full_choices = choices_of(full_);
    for (size_t c = 0; c < choices.size(); c++)
        for (size_t a = 1; a < choices[c]->alternatives.size(); a++) {  // the first: the runs so far
            if (c < full_choices.size() && a < full_choices[c]->alternatives.size() &&
                !fits(full_choices[c]->alternatives[a]))
                continue;
            const std::vector<int> pick = picked(choices.size(), c, a);
            run::CandidateResult result;
            auto finding = run_small(0, sets()[0].seed * 3 + 1, pick, -1, true, result);
            if (!finding && !result.findings.empty()) finding = result.findings.front();
            if (!finding) finding = check_answer(sets()[0], result.outputs).finding;
            if (finding) return configuration_wrong(*finding, choices[c]->alternatives[a]);
        }
    return std::nullopt;
}

}  // namespace tritonsmith::judge
