#include "plan/weights/module_state.h"

#include "judge/stages/checks.h"

/// What a user of the module finds out later: running statistics that stay as they are, weights that
/// `load_state_dict` does not reach, answers that the next call overwrites.
namespace tritonsmith::judge {

std::optional<Finding> check_state(CandidateState& state) {
    if (auto found = plan::overwritten_output(state.task.full, state.full.plan, state.full.effects()))
        return found;
    const std::vector<Finding> found = plan::stale_state(
        plan::module_state(state.task.full, state.full.plan, state.full.links, state.full.effects()));
    if (found.empty()) return std::nullopt;
    state.evidence.state_notes = found;
    if (state.options.strict_state) return found.front();
    return std::nullopt;
}

}  // namespace tritonsmith::judge
