#include "judge/candidate/candidate_state.h"

#include <algorithm>

#include "ttir/analysis/effects.h"

namespace tritonsmith::judge {

plan::KernelEffects Traced::effects() const {
    plan::KernelEffects all;
    for (const auto& module : modules) {
        all.emplace_back();
        for (const ttir::Effect& e : ttir::parameter_effects(*module))
            all.back().push_back({.reads = e.reads || e.escapes,
                                  .writes = e.writes || e.escapes,
                                  .only_adds = e.adds && !e.sets && !e.escapes,
                                  .reads_early = e.reads_early || e.escapes,
                                  .writes_early = e.writes_early || e.escapes});
    }
    return all;
}

bool CompiledKernels::fits(const plan::Alternative& alternative) const {
    for (const plan::Step& step : alternative.steps)
        if (auto* launch = std::get_if<plan::LaunchStep>(&step.what))
            if (out_of_resources[static_cast<size_t>(launch->kernel)]) return false;
    return true;
}

CandidateState::CandidateState(const PreparedTask& task, const std::string& text, const std::string& name,
                               const Options& options, Services& services, double& seconds_left,
                               int configuration, int call)
    : task(task),
      text(text),
      name(name),
      options(options),
      services(services),
      seconds_left(seconds_left),
      configuration(configuration),
      call(call) {
    small.size = task.small;
    if (small.size->shrunk()) evidence.scaled = scaled_sizes(task.full, *small.size);
}

CandidateState::~CandidateState() = default;

int CandidateState::configurations() const {
    return std::max(full.plan.configurations, small.plan.configurations);
}

std::set<int> CandidateState::later_calls() const {
    std::set<int> out;
    for (const Traced* traced : {&full, static_cast<const Traced*>(&small)})
        out.insert(traced->plan.later_calls.begin(), traced->plan.later_calls.end());
    return out;
}

}  // namespace tritonsmith::judge
