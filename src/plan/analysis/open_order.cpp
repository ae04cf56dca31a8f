#include "plan/analysis/open_order.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "plan/analysis/arg_scores.h"
#include "plan/analysis/exact.h"
#include "plan/analysis/flow.h"
#include "plan/ir/arguments.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"

namespace tritonsmith::plan {
namespace {

bool same_view(const Tensor& a, const Tensor& b) {
    return a.buffer == b.buffer && a.offset == b.offset && a.shape == b.shape && a.stride == b.stride;
}

/// Buffers that depend on places in an open order.
class Places {
  public:
    void see(const Plan& plan, const Step& step) {
        const Flow flow = flow_of(plan, step, {});
        const auto* aten = std::get_if<AtenStep>(&step.what);
        const bool depends =
            std::any_of(flow.reads.begin(), flow.reads.end(),
                        [&](const ByteRange& range) { return of_.contains(range.buffer); }) &&
            !(aten && looks_up_scores(*aten));
        for (const ByteRange& range : flow.writes) {
            forget_scores(range.buffer);
            if (depends) of_[range.buffer] = {};
        }
        if (!aten) return;
        if (const auto named = places_in_open_order(*aten)) of_[named->places.buffer] = *named;
    }
    bool contain(int buffer) const { return of_.contains(buffer); }

  private:
    /// The values at the places of what was put in order are those in order.
    bool looks_up_scores(const AtenStep& step) const {
        const auto *from = argument<Tensor>(step, 0), *places = argument<Tensor>(step, 2);
        const auto* along = argument<int64_t>(step, 1);
        if (OpName(step.op).base != "gather" || !from || !places || !along) return false;
        const auto found = of_.find(places->buffer);
        if (found == of_.end() || !found->second || of_.contains(from->buffer)) return false;
        const int64_t dimension = *along < 0 ? *along + static_cast<int64_t>(from->shape.size()) : *along;
        return same_view(found->second->places, *places) && same_view(found->second->scores, *from) &&
               dimension == found->second->dimension;
    }

    void forget_scores(int written) {
        for (auto& [buffer, known] : of_)
            if (known && (known->scores.buffer == written || buffer == written)) known.reset();
    }

    std::map<int, std::optional<OpenPlaces>> of_;  ///< with what was put in order, while it lies there
};

}  // namespace

std::optional<OpenPlaces> places_in_open_order(const AtenStep& step) {
    if (!chooses_any(step)) return std::nullopt;
    const OpName name(step.op);
    const bool alone = name.base == "argsort";  // of the others: values, then places
    const std::vector<Tensor> results = tensors_in(step.result);
    const auto* scores = argument<Tensor>(step, 0);
    if (results.size() != (alone ? 1 : 2) || !scores) return std::nullopt;
    // topk(x, k, dim), kthvalue(x, k, dim), sort.stable(x, stable, dim); others (x, dim)
    const bool third = name.base == "topk" || name.base == "kthvalue" || name.overload == "stable";
    const auto rank = static_cast<int64_t>(scores->shape.size());
    const auto* given = argument<int64_t>(step, third ? 2 : 1, "dim");
    const int64_t dimension = given ? *given : -1;
    return OpenPlaces{results.back(), *scores, dimension < 0 ? dimension + rank : dimension};
}

bool open_order_reaches_results(const Plan& plan) {
    Places places;
    for (const Executed& executed : executed_steps(plan))
        if (executed.step->phase == Phase::forward) places.see(plan, *executed.step);
    std::set<size_t> looked_up;
    for (const ArgScores& found : arg_scores(plan))
        if (found.open && !places.contain(found.scores.buffer)) looked_up.insert(found.output);
    const std::vector<Tensor> outputs = tensors_in(plan.output);
    for (size_t i = 0; i < outputs.size(); ++i)
        if (places.contain(outputs[i].buffer) && !looked_up.contains(i)) return true;
    const std::vector<Tensor> inputs = tensors_in(plan.inputs);
    if (std::any_of(inputs.begin(), inputs.end(),
                    [&](const Tensor& input) { return places.contain(input.buffer); }))
        return true;
    const std::vector<int> carried = carried_buffers(plan, {});
    return std::any_of(carried.begin(), carried.end(), [&](int buffer) { return places.contain(buffer); });
}

}  // namespace tritonsmith::plan
