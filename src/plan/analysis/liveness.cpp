#include "plan/analysis/liveness.h"

#include <algorithm>

#include "plan/analysis/range_map.h"
#include "plan/ir/json.h"

namespace tritonsmith::plan {
namespace {

struct Live {
    bool yes = false;
    void join(const Live& other) { yes |= other.yes; }
};

}  // namespace

std::vector<bool> reaches_output(const Plan& plan, const std::vector<Executed>& steps,
                                 const KernelEffects& effects, const std::vector<int>& replaced) {
    RangeMap<Live> live;
    for (const Tensor& tensor : tensors_in(plan.output)) live.set(byte_range(tensor), {true});
    std::vector<bool> reaches(steps.size(), false);
    for (size_t i = steps.size(); i-- > 0;) {
        const Step& step = *steps[i].step;
        const Flow flow = flow_of(plan, step, effects);
        reaches[i] = std::any_of(flow.writes.begin(), flow.writes.end(),
                                 [&](const ByteRange& range) { return live.get(range).yes; });
        if (!reaches[i]) continue;
        for (const ByteRange& range : flow.writes)
            if (range.covers) live.set(range, {});
        if (std::binary_search(replaced.begin(), replaced.end(), steps[i].index)) continue;
        for (const ByteRange& range : flow.reads) live.set(range, {true});
    }
    return reaches;
}

std::vector<int> launches_on_output_path(const Plan& plan, const KernelEffects& effects) {
    std::vector<Executed> steps = executed_steps(plan);
    std::vector<bool> reaches = reaches_output(plan, steps, effects);
    std::vector<int> out;
    int launch = 0;
    for (size_t i = 0; i < steps.size(); ++i) {
        if (!std::holds_alternative<LaunchStep>(steps[i].step->what)) continue;
        if (reaches[i]) out.push_back(launch);
        ++launch;
    }
    return out;
}

}  // namespace tritonsmith::plan
