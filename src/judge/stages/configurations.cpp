#include <algorithm>
#include <random>
#include <set>

#include "judge/candidate/alternatives.h"
#include "judge/candidate/choices.h"
#include "judge/stages/calls.h"
#include "judge/stages/checks.h"

/// The alternatives of autotuned kernels: each must be right, since whichever is fastest is taken. The runs
/// so far have seen the first ones.
namespace tritonsmith::judge {

namespace {

/// What was made of the first alternatives; it is as it was when this ends.
class Aside {
  public:
    Aside(CandidateState& state, const std::vector<int>& choice)
        : state_(state),
          taken_(state, choice),
          evidence_(state.evidence),
          calls_(std::move(state.small.calls)),
          launches_(state.small.launches) {
        state.small.calls.clear();
    }
    ~Aside() {
        evidence_.tf32 |= state_.evidence.tf32;
        state_.evidence = std::move(evidence_);
        state_.small.calls = std::move(calls_);
        state_.small.launches = std::move(launches_);
    }
    Aside(const Aside&) = delete;
    Aside& operator=(const Aside&) = delete;

  private:
    CandidateState& state_;
    TakenChoice taken_;
    Evidence evidence_;
    std::vector<SmallCall> calls_;
    std::vector<run::Launched> launches_;
};

using CallsOfModules = std::vector<std::vector<size_t>>;

/// The first set and so many others, of all in turn.
class SomeSets {
  public:
    SomeSets(const ReferenceRuns& runs, std::mt19937_64& random) : runs_(runs) {
        for (size_t set = 1; set < runs.sets.size(); ++set) order_.push_back(set);
        std::shuffle(order_.begin(), order_.end(), random);
    }
    size_t others() const { return order_.size(); }
    CallsOfModules with(size_t count) {
        const std::vector<size_t>& first = runs_.modules.front();
        // Each goes on from what the ones before have left, as the reference did.
        if (runs_.stateful)
            return {{first.begin(),
                     first.begin() + static_cast<std::ptrdiff_t>(std::min(count + 1, first.size()))}};
        std::set<size_t> drawn;
        for (; drawn.size() < std::min(count, order_.size()); ++next_)
            drawn.insert(order_[next_ % order_.size()]);
        CallsOfModules out{{0}};
        for (const std::vector<size_t>& module : runs_.modules) {
            if (&module != &runs_.modules.front()) out.emplace_back();
            for (const size_t set : module)
                if (drawn.erase(set) > 0) out.back().push_back(set);
        }
        std::erase_if(out, [](const std::vector<size_t>& calls) { return calls.empty(); });
        return out;
    }

  private:
    const ReferenceRuns& runs_;
    std::vector<size_t> order_;
    size_t next_ = 0;
};

std::optional<Finding> check_with(CandidateState& state, const std::vector<int>& choice,
                                  const CallsOfModules& modules) {
    const Aside aside(state, choice);
    for (const std::vector<size_t>& module : modules)
        if (auto finding = call_in_turn(state, module)) return finding;
    if (auto finding = check_answers(state)) return finding;
    if (auto finding = check_reordering(state)) return finding;
    if (auto finding = check_promises(state)) return finding;
    return check_mutation(state);
}

/// Of alternatives that are wrong together, the first that is so alone.
std::optional<Finding> check_tuned(CandidateState& state, const TunedRun& run,
                                   const CallsOfModules& modules) {
    const auto finding = check_with(state, run.choice, modules);
    if (!finding) return std::nullopt;
    const plan::Plan& plan = state.small.plan;
    for (const size_t c : run.changed) {
        if (run.changed.size() == 1) break;
        const std::vector<int> alone = picked(run.choice.size(), c, static_cast<size_t>(run.choice[c]));
        if (const auto its = check_with(state, alone, modules))
            return configuration_wrong(*its, configs_of(plan, alone, {c}));
    }
    return configuration_wrong(*finding, configs_of(plan, run.choice, run.changed));
}

}  // namespace

std::optional<Finding> check_configurations(CandidateState& state) {
    const size_t choices = choices_of(state.small.plan).size();
    if (choices == 0) return std::nullopt;
    const std::vector<TunedRun> runs = tuned_runs(
        state.small.plan, state.small.modules, std::vector<int>(choices, 0),
        [&](size_t c, size_t a) { return state.usable(c, a); }, state.chance());
    std::mt19937_64 random(state.chance() + 1);
    SomeSets sets(state.small.runs(), random);
    const auto tiles = static_cast<size_t>(std::count_if(
        runs.begin(), runs.end(), [](const TunedRun& run) { return run.like == Likeness::tiles; }));
    const double enough = state.seconds_left / 2;  // a program that takes long is seen on the first set
    for (const TunedRun& run : runs) {
        const bool time = state.seconds_left > enough;
        const CallsOfModules modules = time && run.like == Likeness::other ? state.small.runs().modules
                                       : time && run.like == Likeness::tiles
                                           ? sets.with(sets_of_tiles(tiles, sets.others()))
                                           : sets.with(0);
        if (auto finding = check_tuned(state, run, modules)) return finding;
    }
    return std::nullopt;
}

}  // namespace tritonsmith::judge
