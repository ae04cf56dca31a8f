#include <algorithm>
#include <map>
#include <set>
#include <thread>

#include "judge/stages/stages.h"

/// Every kernel of the full-size trace becomes a cubin of the target.
namespace tritonsmith::judge {

void start_compiles(CandidateState& state) {
    // Few, where other candidates want the cores.
    const int at_a_time =
        state.options.threads == 1 ? 2 : static_cast<int>(std::max(2U, std::thread::hardware_concurrency()));
    state.compiled.compiles =
        std::make_unique<Compiles>(*state.services.compiler, state.full.plan, state.full.modules,
                                   state.options.compile_seconds, at_a_time);
}

std::optional<Finding> finish_compiles(CandidateState& state) {
    state.compiled.out_of_resources.assign(state.full.plan.kernels.size(), false);
    state.compiled.kernels.resize(state.full.plan.kernels.size());
    std::map<size_t, KernelResources> kernels;  // those that matter most are compiled first
    std::optional<Finding> dropped;
    std::set<int> required;  // kernels launched outside of any choice: these have no alternative
    for (const plan::Step& step : state.full.plan.steps)
        if (auto* launch = std::get_if<plan::LaunchStep>(&step.what)) required.insert(launch->kernel);
    for (size_t i : state.compiled.compiles->order()) {
        const Compiles::Result& outcome = state.compiled.compiles->wait(i);
        if (const auto* finding = std::get_if<Finding>(&outcome)) {
            Finding found = *finding;
            if (found.line == 0) found.line = state.full.plan.kernels[i].line;
            if (found.reason != "out_of_resources" || found.evidence.contains("unfinished") ||
                required.contains(static_cast<int>(i)))
                return found;
            state.compiled.out_of_resources[i] =
                true;  // Triton's autotuner drops such a configuration as well
            dropped = found;
            continue;
        }
        state.compiled.kernels[i] = std::get<trace::Compiled>(outcome);
        const trace::Compiled& c = *state.compiled.kernels[i];
        if (c.reorders) state.compiled.reordering.insert(state.full.plan.kernels[i].name);
        kernels[i] = {c.name, c.registers, c.spills, c.shared, c.num_warps};
    }
    state.evidence.kernels.emplace();
    for (const auto& [i, kernel] : kernels) state.evidence.kernels->push_back(kernel);
    for (const plan::Step& step : state.full.plan.steps) {
        auto* choice = std::get_if<plan::ChoiceStep>(&step.what);
        if (!choice) continue;
        const auto& all = choice->alternatives;
        if (dropped &&
            std::none_of(all.begin(), all.end(), [&](const auto& a) { return state.compiled.fits(a); }))
            return dropped;
    }
    return std::nullopt;
}

}  // namespace tritonsmith::judge
