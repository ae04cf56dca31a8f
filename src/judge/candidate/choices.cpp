#include "judge/candidate/choices.h"

#include <fmt/format.h>

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

}  // namespace tritonsmith::judge
