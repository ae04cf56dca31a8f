#include "judge/candidate/choices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <random>

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

std::vector<int> drawn_choice(const plan::Plan& plan, const std::function<bool(size_t, size_t)>& usable,
                              uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<int> out;
    for (const plan::ChoiceStep* choice : choices_of(plan)) {
        std::vector<int> all;
        for (size_t a = 0; a < choice->alternatives.size(); ++a)
            if (usable(out.size(), a)) all.push_back(static_cast<int>(a));
        out.push_back(all.empty() ? 0 : all[random() % all.size()]);
    }
    return out;
}

std::string configs_of(const plan::Plan& plan, const std::vector<int>& choice,
                       const std::vector<size_t>& choices) {
    const std::vector<const plan::ChoiceStep*> all = choices_of(plan);
    std::vector<std::string> configs;
    for (const size_t c : choices) {
        const std::string& config = all[c]->alternatives[static_cast<size_t>(choice[c])].config;
        if (std::find(configs.begin(), configs.end(), config) == configs.end()) configs.push_back(config);
    }
    return fmt::format("{}", fmt::join(configs, "; "));
}

Finding configuration_wrong(Finding finding, const std::string& config) {
    finding.evidence["why"] = finding.reason;
    finding.evidence["config"] = config;
    finding.message = fmt::format("autotune configuration ({}) is wrong: {}", config, finding.message);
    finding.reason = "autotune_config_wrong";
    return finding;
}

}  // namespace tritonsmith::judge
