#include "plan/weights/module_state.h"

#include <algorithm>
#include <map>
#include <set>

#include "plan/ir/json.h"

namespace tritonsmith::plan {
namespace {

/// A count of calls that no other step looks at (BatchNorm's, unless its momentum is None).
bool only_counts(const Plan& plan, const Weight& weight, const KernelEffects& effects) {
    if (is_floating(weight.tensor.dtype)) return false;
    for (const Executed& executed : executed_steps(plan)) {
        if (executed.step->phase != Phase::forward) continue;
        const Flow flow = flow_of(plan, *executed.step, effects);
        const auto touches = [&](const std::vector<ByteRange>& ranges) {
            return std::any_of(ranges.begin(), ranges.end(),
                               [&](const ByteRange& range) { return range.buffer == weight.tensor.buffer; });
        };
        if (touches(flow.reads) && !touches(flow.writes)) return false;
    }
    return true;
}

/// Buffers that the construction computes from weights, with the weight and the line.
std::map<int, ModuleState::Copied> computed_from_weights(const Plan& plan, const KernelEffects& effects) {
    std::map<int, ModuleState::Copied> from;
    std::set<int> weights;
    for (const Weight& weight : plan.weights) {
        weights.insert(weight.tensor.buffer);
        from.try_emplace(weight.tensor.buffer, ModuleState::Copied{weight.name, 0});
    }
    for (const Executed& executed : executed_steps(plan)) {
        if (executed.step->phase != Phase::init) continue;
        const Flow flow = flow_of(plan, *executed.step, effects);
        for (const ByteRange& read : flow.reads) {
            const auto source = from.find(read.buffer);
            if (source == from.end()) continue;
            const ModuleState::Copied copied{source->second.weight, executed.step->line};
            for (const ByteRange& written : flow.writes)
                if (!weights.contains(written.buffer)) from.try_emplace(written.buffer, copied);
        }
    }
    for (int weight : weights) from.erase(weight);
    return from;
}

}  // namespace

std::set<std::string> updated_weights(const Plan& plan, const KernelEffects& effects) {
    const std::vector<int> carried = carried_buffers(plan, effects);
    std::set<std::string> out;
    for (const Weight& weight : plan.weights)
        if (!weight.parameter && std::binary_search(carried.begin(), carried.end(), weight.tensor.buffer) &&
            !only_counts(plan, weight, effects))
            out.insert(weight.name);
    return out;
}

ModuleState module_state(const Plan& reference, const Plan& candidate, const Links& links,
                         const KernelEffects& effects) {
    ModuleState out;
    std::set<std::string> updated;
    for (const std::string& name : updated_weights(candidate, effects)) {
        updated.insert(name);
        if (const auto link = links.by_candidate.find(name); link != links.by_candidate.end())
            updated.insert(link->second);
    }
    for (const std::string& name : updated_weights(reference, {}))
        if (!updated.contains(name)) out.not_updated.push_back(name);

    const std::map<int, ModuleState::Copied> computed = computed_from_weights(candidate, effects);
    std::set<std::string> noted;
    for (const Executed& executed : executed_steps(candidate)) {
        if (executed.step->phase != Phase::forward) continue;
        for (const ByteRange& read : flow_of(candidate, *executed.step, effects).reads)
            if (const auto found = computed.find(read.buffer);
                found != computed.end() && noted.insert(found->second.weight).second)
                out.copied.push_back(found->second);
    }
    return out;
}

std::optional<Finding> overwritten_output(const Plan& reference, const Plan& candidate,
                                          const KernelEffects& effects) {
    const auto outputs_carried = [](const Plan& plan, const KernelEffects& its_effects) {
        const std::vector<int> carried = carried_buffers(plan, its_effects);
        std::vector<bool> out;
        for (const Tensor& output : tensors_in(plan.output))
            out.push_back(std::binary_search(carried.begin(), carried.end(), output.buffer));
        return out;
    };
    const std::vector<bool> allowed = outputs_carried(reference, {}),
                            found = outputs_carried(candidate, effects);
    for (size_t i = 0; i < found.size(); ++i)
        if (found[i] && !(i < allowed.size() && allowed[i]))
            return Finding{"output_overwritten",
                           "output " + std::to_string(i) +
                               " lies in memory that the module keeps, and each call writes it: the next one "
                               "overwrites what this one has returned",
                           0, Json::object()};
    return std::nullopt;
}

std::vector<Finding> stale_state(const ModuleState& state) {
    std::vector<Finding> out;
    std::string names;
    for (const std::string& name : state.not_updated) names += (names.empty() ? "" : ", ") + name;
    if (!names.empty())
        out.push_back(
            {"stale_state",
             "calls of the reference's module change its " + names + ", calls of the candidate's do not", 0,
             Json::object()});
    for (const ModuleState::Copied& copied : state.copied)
        out.push_back({"stale_state",
                       "the constructor computes from '" + copied.weight +
                           "' what calls read: load_state_dict does not reach it",
                       copied.line, Json::object()});
    return out;
}

}  // namespace tritonsmith::plan
