#include "judge/task/input_settings.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "plan/analysis/flow.h"
#include "plan/analysis/guards.h"
#include "plan/analysis/input_use.h"
#include "plan/ir/arguments.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "run/draw/draw.h"

namespace tritonsmith::judge {

namespace {

using run::Variant;

/// Whether inputs are drawn by a step of this kind.
template <class Kind>
bool draws_inputs(const plan::Plan& plan, Kind of_kind) {
    return std::any_of(plan.steps.begin(), plan.steps.end(), [&](const plan::Step& step) {
        const auto* aten = std::get_if<plan::AtenStep>(&step.what);
        return aten && step.phase == plan::Phase::inputs && aten->draw >= 0 && of_kind(*aten);
    });
}

bool draws_reals(const plan::AtenStep& step) {
    const auto law = run::step_law(step);
    return law && law->variant_applies;
}

bool holds(const plan::Plan& plan, plan::DType dtype) {
    auto of = [&](const plan::Value& value) {
        const std::vector<plan::Tensor> tensors = plan::tensors_in(value);
        return std::any_of(tensors.begin(), tensors.end(),
                           [&](const plan::Tensor& t) { return t.dtype == dtype; });
    };
    return of(plan.output) || std::any_of(plan.inputs.begin(), plan.inputs.end(), of);
}

/// Operators whose order of equal elements PyTorch leaves open, so that on equal elements many answers are
/// right.
bool leaves_ties_open(const plan::Plan& plan) {
    return std::any_of(plan.steps.begin(), plan.steps.end(), [](const plan::Step& step) {
        const auto* aten = std::get_if<plan::AtenStep>(&step.what);
        if (!aten || step.phase != plan::Phase::forward) return false;
        const plan::OpName name(aten->op);
        if (name.base == "sort" && name.overload == "stable") {
            const auto stable = std::find_if(aten->kwargs.begin(), aten->kwargs.end(),
                                             [](const auto& argument) { return argument.first == "stable"; });
            const auto* yes = stable == aten->kwargs.end() ? nullptr : std::get_if<bool>(&stable->second.v);
            return !yes || !*yes;
        }
        for (const char* open :
             {"topk", "sort", "argsort", "kthvalue", "median", "nanmedian", "mode", "unique_dim"})
            if (name.base == open) return true;
        return false;
    });
}

/// Real numbers become integers: of what is not finite (a row of zeros over its largest element) anything may
/// come, and nothing shows it, since integers are always finite.
bool casts_to_integers(const plan::Plan& plan) {
    auto has = [](const std::vector<plan::Tensor>& tensors, auto property) {
        return std::any_of(tensors.begin(), tensors.end(), property);
    };
    return std::any_of(plan.steps.begin(), plan.steps.end(), [&](const plan::Step& step) {
        const auto* aten = std::get_if<plan::AtenStep>(&step.what);
        if (!aten || step.phase != plan::Phase::forward) return false;
        if (plan::op_class(aten->op) != plan::OpClass::copy) return false;
        return has(plan::tensors_in(aten->args),
                   [](const plan::Tensor& t) { return plan::is_floating(t.dtype); }) &&
               has(plan::tensors_in(aten->result), [](const plan::Tensor& t) {
                   return !plan::is_floating(t.dtype) && t.dtype != plan::DType::b1;
               });
    });
}

/// Powers of two that rows reach up to, from what is usual: beyond what the reference holds its values
/// against.
int reach_of(const plan::Plan& plan) {
    constexpr int kHalf = 3;
    if (holds(plan, plan::DType::f16)) return kHalf;
    return std::max(Variant::kUsualReach, 2 + std::ilogb(std::max(plan::largest_threshold(plan), 1.0)));
}

/// The pattern with all that it has, then without what the reference cannot take.
/// @param all what the reference can take as far as its steps show. @param lines it draws integers or flags:
/// a row of equal ones may be what it cannot take (nothing is left of a softmax whose whole row is masked)
std::vector<Variant> tries_of(Variant::Pattern pattern, Variant all, bool lines) {
    all.pattern = pattern;
    std::vector<Variant> out;
    Variant near = all;
    near.reach = 2;
    for (Variant with : {all, near}) {
        out.push_back(with);
        with.lines = false;
        if (lines) out.push_back(with);
    }
    if (all.extremes)
        for (Variant without : {all, near}) {
            without.extremes = false;
            out.push_back(without);
        }
    Variant bounded = out.back();
    bounded.bounded = true;
    out.push_back(bounded);
    return out;
}

}  // namespace

std::vector<InputSetting> input_settings(const plan::Plan& reference) {
    using Pattern = Variant::Pattern;
    Variant all;
    all.reach = reach_of(reference);
    all.ties = !leaves_ties_open(reference);
    all.extremes = !casts_to_integers(reference);
    all.guards = plan::guards(reference);
    all.exponentials = plan::takes_exponentials(reference);
    std::vector<InputSetting> out{{{Variant{}}}};
    const bool lines = all.ties && all.extremes && draws_inputs(reference, run::draws_integers);
    out.push_back({tries_of(Pattern::rows, all, lines)});
    // Inputs that are the same in every call of the task are data as well.
    if (!plan::constant_inputs(reference).empty()) {
        InputSetting constants;
        for (const bool patterns : {true, false})
            for (const auto how : {Variant::Constants::all, Variant::Constants::near}) {
                Variant varied;
                varied.constants = how;
                varied.patterns = patterns;
                constants.tries.push_back(varied);
            }
        out.push_back(constants);
    }
    // Operators that are there for NaN and infinities see some.
    if (!plan::asked_whether_finite(reference).empty()) {
        InputSetting setting;
        for (const auto which :
             {Variant::Nonfinite::any, Variant::Nonfinite::nan, Variant::Nonfinite::infinite}) {
            Variant with;
            with.nonfinite = which;
            setting.tries.push_back(with);
        }
        out.push_back(setting);
    }
    if (!draws_inputs(reference, draws_reals)) return out;
    out.push_back({tries_of(Pattern::columns, all, false)});
    // There for what overflows (88 above the value that is subtracted, exp is infinite): a softmax of scores
    // thousands apart depends on the last digits of the two largest, so that its answers are no measure.
    out.push_back({{Variant{1, 100, 0}, Variant{1, 3, 0.5}}, true});
    out.push_back({{Variant{1, 1, 100}}});
    return out;
}

}  // namespace tritonsmith::judge
