#include "plan/analysis/arg_scores.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "plan/analysis/flow.h"
#include "plan/analysis/open_order.h"
#include "plan/ir/arguments.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/ir/pointwise.h"
#include "plan/ir/tensor_position.h"

namespace tritonsmith::plan {
namespace {

bool writes(const AtenStep& step, int buffer) {
    const Flow flow = flow_of(step);
    return std::any_of(flow.writes.begin(), flow.writes.end(),
                       [&](const ByteRange& range) { return range.buffer == buffer; });
}

/// The last step of those before `end` that writes a buffer.
const AtenStep* last_writer(const Plan& plan, int buffer, size_t& end) {
    while (end-- > 0) {
        const auto* aten = std::get_if<AtenStep>(&plan.steps[end].what);
        if (aten && writes(*aten, buffer)) return plan.steps[end].phase == Phase::forward ? aten : nullptr;
    }
    return nullptr;
}

/// What the step compares, if its result of this buffer names places.
std::optional<ArgScores> compared(const AtenStep& step, int buffer) {
    const OpName name(step.op);
    const bool places = name.base == "argmax" || name.base == "argmin",
               along = (name.base == "max" || name.base == "min") && name.overload == "dim";
    const std::vector<Tensor> results = tensors_in(step.result);
    if ((!places && !along) || results.size() != (along ? 2 : 1) || results.back().buffer != buffer)
        return std::nullopt;
    const StepArguments arguments(step);
    const Tensor* scores = arguments.tensor_or_null(0);
    if (!scores || !is_floating(scores->dtype)) return std::nullopt;
    const auto rank = static_cast<int64_t>(scores->shape.size());
    const Value* dimension = arguments.find(1, "dim");
    const auto* number = dimension ? std::get_if<int64_t>(&dimension->v) : nullptr;
    if (number && (*number < -rank || *number >= rank)) return std::nullopt;
    return ArgScores{0, *scores, !number ? -1 : *number < 0 ? *number + rank : *number};
}

/// What the step puts in order, if its result of this buffer names places.
std::optional<ArgScores> ordered(const AtenStep& step, int buffer) {
    const std::optional<OpenPlaces> named = places_in_open_order(step);
    if (!named || named->places.buffer != buffer) return std::nullopt;
    const auto rank = static_cast<int64_t>(named->scores.shape.size());
    if (named->dimension < 0 || named->dimension >= rank) return std::nullopt;
    return ArgScores{0, named->scores, named->dimension, true};
}

std::optional<ArgScores> scores_of(const Plan& plan, const Tensor& output) {
    int buffer = output.buffer;
    size_t end = plan.steps.size();
    constexpr int kMostCopies = 4;
    for (int i = 0; i < kMostCopies; ++i) {
        const AtenStep* step = last_writer(plan, buffer, end);
        if (!step) return std::nullopt;
        auto found = compared(*step, buffer);
        if (!found) found = ordered(*step, buffer);
        if (found) {
            for (size_t later = end + 1; later < plan.steps.size(); ++later) {
                const auto* aten = std::get_if<AtenStep>(&plan.steps[later].what);
                if (aten && writes(*aten, found->scores.buffer)) return std::nullopt;
            }
            return found;
        }
        const std::string_view base = OpName(step->op).base;
        const auto* from = argument<Tensor>(*step, 0);
        if ((base != "_to_copy" && base != "clone") || !from || !row_major(*from) ||
            element_count(*from) != element_count(output))
            return std::nullopt;
        buffer = from->buffer;
    }
    return std::nullopt;
}

}  // namespace

std::vector<ArgScores> arg_scores(const Plan& plan) {
    std::vector<ArgScores> out;
    const std::vector<Tensor> outputs = tensors_in(plan.output);
    for (size_t i = 0; i < outputs.size(); ++i) {
        if (is_floating(outputs[i].dtype) || outputs[i].dtype == DType::b1 || !row_major(outputs[i]))
            continue;
        if (auto found = scores_of(plan, outputs[i])) {
            found->output = i;
            out.push_back(std::move(*found));
        }
    }
    return out;
}

void keep_scores(Plan& plan) {
    std::set<int> kept;
    for (const ArgScores& found : arg_scores(plan)) kept.insert(found.scores.buffer);
    std::erase_if(plan.steps, [&](const Step& step) {
        const auto* dead = std::get_if<FreeStep>(&step.what);
        return dead && kept.contains(dead->buffer);
    });
}

}  // namespace tritonsmith::plan
