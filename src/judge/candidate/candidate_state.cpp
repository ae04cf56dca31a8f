#include "judge/candidate/candidate_state.h"

#include <algorithm>
#include <functional>

#include "judge/candidate/choices.h"
#include "plan/analysis/flow.h"
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

bool CandidateState::usable(size_t choice, size_t alternative) const {
    const std::vector<const plan::ChoiceStep*> choices = choices_of(full.plan);
    return choice >= choices.size() || alternative >= choices[choice]->alternatives.size() ||
           compiled.fits(choices[choice]->alternatives[alternative]);
}

uint64_t CandidateState::chance() const {
    return std::get<ReferenceRuns>(task.small->runs.get()).sets[0].seed ^ std::hash<std::string>()(text);
}

int CandidateState::configurations() const {
    return std::max(full.plan.configurations, small.plan.configurations);
}

std::set<int> CandidateState::later_calls() const {
    std::set<int> out;
    for (const Traced* traced : {&full, static_cast<const Traced*>(&small)})
        out.insert(traced->plan.later_calls.begin(), traced->plan.later_calls.end());
    const auto* runs = std::get_if<ReferenceRuns>(&task.small->runs.get());
    const bool stateful = !runs || runs->stateful;
    if (seen_in_one_call && !stateful && !plan::carried_buffers(full.plan, full.effects()).empty())
        out.insert({2, 3});
    return out;
}

}  // namespace tritonsmith::judge
