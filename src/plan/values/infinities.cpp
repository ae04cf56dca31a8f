#include "plan/values/infinities.h"

#include <algorithm>
#include <cmath>

#include "plan/analysis/exact.h"
#include "plan/analysis/flow.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"

namespace tritonsmith::plan {
namespace {

bool infinite(const Value& value) {
    if (const auto* list = std::get_if<Sequence>(&value.v))
        return std::any_of(list->items.begin(), list->items.end(), infinite);
    const auto* number = std::get_if<double>(&value.v);
    return number && std::isinf(*number);
}

bool states_infinity(const AtenStep& step) {
    return std::any_of(step.args.begin(), step.args.end(), infinite) ||
           std::any_of(step.kwargs.begin(), step.kwargs.end(),
                       [](const auto& named) { return infinite(named.second); });
}

/// x + inf is inf, as x·inf is.
bool keeps_infinities(const AtenStep& step) {
    if (exact(step.op)) return true;
    std::string base(OpName(step.op).base);
    if (base.ends_with('_')) base.pop_back();
    return base == "add" || base == "sub" || base == "mul" || base == "div";
}

}  // namespace

std::set<int> stated_infinities(const Plan& plan) {
    std::set<int> out;
    for (const Executed& executed : executed_steps(plan)) {
        const auto* step = std::get_if<AtenStep>(&executed.step->what);
        if (!step) continue;
        const Flow flow = flow_of(*step);
        const bool reads = std::any_of(flow.reads.begin(), flow.reads.end(),
                                       [&](const ByteRange& range) { return out.contains(range.buffer); });
        if (!states_infinity(*step) && !(reads && keeps_infinities(*step))) continue;
        for (const ByteRange& range : flow.writes) out.insert(range.buffer);
        for (const Tensor& result : tensors_in(step->result)) out.insert(result.buffer);
    }
    return out;
}

}  // namespace tritonsmith::plan
