#include "judge/stages/judgement.h"
#include "plan/weights/module_state.h"

/// What a user of the module finds out later: running statistics that stay as they are, weights that
/// `load_state_dict` does not reach.
namespace tritonsmith::judge {

std::optional<Finding> Judgement::check_state() {
    const std::vector<Finding> found =
        plan::stale_state(plan::module_state(task_.full, full_, links_, kernel_effects(modules_)));
    if (found.empty()) return std::nullopt;
    Json notes = Json::array();
    for (const Finding& note : found) notes.push_back({{"message", note.message}, {"line", note.line}});
    verdict_.evidence["state_notes"] = notes;
    if (options_.strict_state) return found.front();
    return std::nullopt;
}

}  // namespace tritonsmith::judge
