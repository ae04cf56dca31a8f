#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/judgement.h"
#include "plan/module_state.h"

/// What a user of the module finds out later: running statistics that stay as they are, weights that
/// `load_state_dict` does not reach.
namespace tritonsmith::judge {

std::optional<Finding> Judgement::check_state() {
    const plan::ModuleState state = plan::module_state(task_.full, full_, links_, kernel_effects(modules_));
    Json notes = Json::array();
    std::optional<Finding> first;
    const auto note = [&](const std::string& message, int line) {
        notes.push_back({{"message", message}, {"line", line}});
        if (!first) first = Finding{"stale_state", message, line, Json::object()};
    };
    if (!state.not_updated.empty())
        note(fmt::format("calls of the reference's module change its {}, calls of the candidate's do not",
                         fmt::join(state.not_updated, ", ")),
             0);
    for (const plan::ModuleState::Copied& copied : state.copied)
        note(fmt::format(
                 "the constructor computes from '{}' what calls read: load_state_dict does not reach it",
                 copied.weight),
             copied.line);
    if (notes.empty()) return std::nullopt;
    verdict_.evidence["state_notes"] = notes;
    return options_.strict_state ? first : std::nullopt;
}

}  // namespace tritonsmith::judge
