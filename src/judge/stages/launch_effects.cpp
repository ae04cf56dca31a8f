#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "base/process/stopwatch.h"
#include "judge/compare/compare.h"
#include "judge/stages/calls.h"
#include "judge/stages/checks.h"
#include "plan/analysis/liveness.h"
#include "plan/ir/json.h"

/// Each launch on the way to the outputs must change them. Of many, or of those that take long, some are left
/// out, whichever.
namespace tritonsmith::judge {

namespace {

constexpr size_t kMostLaunches = 12, kLeastLaunches = 4;
constexpr double kEnoughSeconds = 3;

}  // namespace

std::optional<Finding> check_effects(CandidateState& state) {
    // A lone launch cannot be without effect: its outputs were poisoned and came out right.
    if (state.call > 1) return std::nullopt;  // of earlier calls nothing need be left
    // What only updates the module's state is not on it, though it reads what the others do.
    std::vector<int> on_path = plan::launches_on_output_path(state.small.plan, state.small.effects());
    if (on_path.size() < 2) return std::nullopt;
    std::mt19937_64 random(state.chance());
    std::shuffle(on_path.begin(), on_path.end(), random);
    const Stopwatch watch;
    for (size_t i = 0; i < std::min(on_path.size(), kMostLaunches); i++) {
        if (i >= kLeastLaunches && watch.seconds() > kEnoughSeconds) break;
        bool effect = false;
        for (size_t c = 0; c < std::min<size_t>(state.small.calls.size(), 2) && !effect; c++) {
            const SmallCall& call = state.small.calls[c];
            run::CandidateResult without;
            auto failed = run_small(state, call.set, call.seed, on_path[i], false, without);
            // Leaving it out broke a later step, or left memory unwritten: it has an effect.
            effect = failed || !without.findings.empty();
            for (const run::PackEntry& entry : call.outputs.entries()) {
                if (is_kept_buffer(entry.name)) continue;
                const run::PackEntry* other = without.outputs.find(entry.name);
                if (effect) break;
                if (!other) {
                    effect = true;
                    break;
                }
                const auto bytes =
                    static_cast<size_t>(run::Pack::element_count(entry) * plan::element_size(entry.dtype));
                effect = !same_values({call.outputs.bytes(entry), bytes},
                                      {without.outputs.bytes(*other), bytes}, entry.dtype);
            }
        }
        if (effect) continue;
        const std::vector<run::Launched>& all = state.small.launches;
        const auto index = static_cast<size_t>(on_path[i]);
        const std::string kernel = index < all.size() ? all[index].kernel : "?";
        const int line = index < all.size() ? all[index].line : 0;
        return Finding{"kernel_without_effect",
                       fmt::format("the outputs stay the same when the launch of {} is left out", kernel),
                       line,
                       {{"kernel", kernel}}};
    }
    return std::nullopt;
}

}  // namespace tritonsmith::judge
