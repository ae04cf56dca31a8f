#include "plan/values/guards.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <string_view>

#include "plan/analysis/flow.h"
#include "plan/ir/arguments.h"
#include "plan/ir/ops.h"
#include "plan/values/known_number.h"

namespace tritonsmith::plan {
namespace {

constexpr double kMostOfGuards = 1e-2;

/// Without the mark of an operator in place.
std::string base_of(const AtenStep& step) {
    std::string base(OpName(step.op).base);
    if (base.ends_with('_')) base.pop_back();
    return base;
}

/// The Python numbers of a step, and those in tensors of one element that are known.
template <class See>
void see_numbers(const Plan& plan, const AtenStep& step, See see) {
    const auto see_one = [&](const Value& value) {
        const auto* tensor = std::get_if<Tensor>(&value.v);
        if (!tensor) return see(value);
        if (element_count(*tensor) != 1) return;
        if (const auto number = known_number(plan, *tensor)) see(Value{*number});
    };
    for (const Value& value : step.args) see_one(value);
    for (const auto& [name, value] : step.kwargs) see_one(value);
}

}  // namespace

double largest_threshold(const Plan& reference) {
    constexpr double kLargest = 1e12;  // beyond it a bound is there for infinities
    double largest = 0;
    for (const Step& step : reference.steps) {
        const auto* aten = std::get_if<AtenStep>(&step.what);
        if (!aten || step.phase != Phase::forward) continue;
        static const std::set<std::string_view> holding{
            "clamp", "clamp_min", "clamp_max", "hardtanh", "threshold", "gt",  "ge",
            "lt",    "le",        "minimum",   "maximum",  "fmin",      "fmax"};
        if (!holding.contains(base_of(*aten))) continue;
        see_numbers(reference, *aten, [&](const Value& value) {
            const double number = std::abs(as_number(&value).value_or(0));
            if (number < kLargest) largest = std::max(largest, number);
        });
    }
    return largest;
}

std::vector<double> guards(const Plan& reference) {
    std::set<double> found;
    for (const Step& step : reference.steps) {
        const auto* aten = std::get_if<AtenStep>(&step.what);
        if (!aten || step.phase != Phase::forward) continue;
        const std::string base = base_of(*aten);
        if (base == "mul" || base == "div") continue;
        see_numbers(reference, *aten, [&](const Value& value) {
            const auto* number = std::get_if<double>(&value.v);
            if (number && *number > 0 && *number <= kMostOfGuards) found.insert(*number);
        });
    }
    return {found.begin(), found.end()};
}

bool takes_exponentials(const Plan& reference) {
    return std::any_of(reference.steps.begin(), reference.steps.end(), [](const Step& step) {
        const auto* aten = std::get_if<AtenStep>(&step.what);
        if (!aten || step.phase != Phase::forward) return false;
        const std::string base = base_of(*aten);
        for (const char* part : {"exp", "softmax", "attention"})
            if (base.find(part) != std::string::npos && !base.starts_with("expand")) return true;
        return false;
    });
}

}  // namespace tritonsmith::plan
