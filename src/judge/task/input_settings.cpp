#include "judge/task/input_settings.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "judge/task/named_settings.h"
#include "plan/analysis/exact.h"
#include "plan/analysis/flow.h"
#include "plan/analysis/open_order.h"
#include "plan/analysis/reduction.h"
#include "plan/analysis/shows.h"
#include "plan/ir/arguments.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/values/guards.h"
#include "plan/values/input_use.h"
#include "plan/weights/link.h"
#include "plan/weights/redrawn.h"
#include "run/draw/alike_draws.h"
#include "run/draw/draw.h"
#include "run/draw/leaf_role.h"
#include "run/draw/repeated_draws.h"

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

/// What PyTorch's attention gives for a row of which nothing is left differs from its documentation.
bool attends(const plan::Plan& plan) {
    return std::any_of(plan.steps.begin(), plan.steps.end(), [](const plan::Step& step) {
        const auto* aten = std::get_if<plan::AtenStep>(&step.what);
        return aten && (aten->op.find("attention") != std::string::npos ||
                        aten->op.starts_with("aten::_safe_softmax"));
    });
}

/// Powers of two that rows reach up to, from what is usual: beyond what the reference holds its values
/// against.
int reach_of(const plan::Plan& plan) {
    constexpr int kHalf = 3, kMostOfHalf = 15;
    const int threshold = std::ilogb(std::max(plan::largest_threshold(plan), 1.0));
    if (holds(plan, plan::DType::f16)) return std::clamp(1 + threshold, kHalf, kMostOfHalf);
    return std::max(Variant::kUsualReach, 2 + threshold);
}

/// The variants as they are, then so that one of several floating inputs keeps to its law, each in turn, then
/// all but one: what one input cannot take (targets beyond [0, 1]) does not cost the others their set.
std::vector<Variant> with_one_kept(std::vector<Variant> tries, const std::vector<Variant>& kept, int leaves) {
    constexpr int kMost = 4;
    if (leaves < 2 || leaves > kMost) return tries;
    for (const bool all_but_one : {false, true}) {
        if (all_but_one && leaves == 2) break;
        for (int leaf = 0; leaf < leaves; ++leaf)
            for (Variant variant : kept) {
                for (int other = 0; other < leaves; ++other)
                    if ((other == leaf) != all_but_one) variant.kept.push_back(other);
                tries.push_back(std::move(variant));
            }
    }
    return tries;
}

/// The pattern with all that it has, then without what the reference cannot take.
/// @param all what the reference can take as far as its steps show. @param lines it draws integers or flags:
/// a row of equal ones may be what it cannot take (nothing is left of a softmax whose whole row is masked)
/// @param leaves floating inputs that it draws
std::vector<Variant> tries_of(Variant::Pattern pattern, Variant all, bool lines, int leaves) {
    all.pattern = pattern;
    std::vector<Variant> out;
    auto push = [&](Variant with) {
        out.push_back(with);
        with.lines = false;
        if (lines) out.push_back(with);
    };
    const int reach = all.reach;
    for (const bool extremes : {true, false})
        for (const int most : {reach, 2}) {
            all.extremes = extremes;
            all.reach = most;
            push(all);
        }
    std::vector<Variant> kept;
    for (const bool tame : {false, true})
        for (const bool ends : {true, false}) {
            kept.push_back(all);
            kept.back().extremes = !tame;
            kept.back().reach = tame ? 2 : reach;
            kept.back().ends = ends;
        }
    out = with_one_kept(std::move(out), kept, leaves);
    all.bounded = true;
    for (const bool ends : {true, false}) {
        all.ends = ends;
        push(all);
    }
    return out;
}

/// So small that whatever the reference keeps denominators away from zero by is more than a sum over all
/// elements: a norm, a mean, an extreme.
std::optional<double> small_scale(const plan::Plan& plan) {
    constexpr double kNoGuard = 0x1p-13, kLeast = 0x1p-60;  // squares are normal numbers
    const std::vector<double> guards = plan::guards(plan);
    if (guards.empty() && plan::largest_threshold(plan) == 0) return std::nullopt;
    if (holds(plan, plan::DType::f16)) return 0x1p-10;
    int64_t elements = 1;
    for (const plan::Tensor& input : plan::tensors_in(plan.inputs))
        elements = std::max(elements, plan::element_count(input));
    double scale = kNoGuard;
    for (const double guard : guards)
        for (const double value :
             {guard / static_cast<double>(elements), std::sqrt(guard / static_cast<double>(elements))})
            scale = std::min(scale, std::ldexp(1.0, std::ilogb(value) - 4));
    return std::max(scale, kLeast);
}

/// Whole tensors that are zero, or small: for what is made of all elements of one, or of rows so few that
/// those of all kinds are not among them; and small ones, or rows that are together as large as a guard, for
/// what guards denominators, or decides, between numbers made of several inputs, whose rows are not small
/// together otherwise; and for lengths that nothing guards.
/// @param leaves floating inputs that the reference draws
void add_small_sets(const plan::Plan& plan, int leaves, std::vector<InputSetting>& out) {
    const std::optional<double> scale = small_scale(plan);
    const std::vector<double> guards = plan::guards(plan);
    const bool guarded = !guards.empty() || plan::longest_reduction(plan) > 1;
    const bool everything = plan::reduces_everything(plan), few = plan::reduces_to_few(plan),
               together = leaves > 1 && guarded && scale;
    // Of equal elements each order is right: what depends on one says nothing.
    const bool shows_order = few && !scale && !plan::open_order_reaches_results(plan);
    if (everything || shows_order || (leaves > 1 && plan::has_case_of_zero(plan)))
        out.push_back({{Variant{1, 0, 0}}});
    int fading = few && !everything ? 2 : together ? 1 : 0;
    if (guards.empty() || holds(plan, plan::DType::f16)) fading = 0;
    if (scale && (everything || few || (together && fading == 0))) out.push_back({{Variant{1, *scale, 0}}});
    // Among rows of all sizes few are so small, and what they are held to is what large ones lose.
    if (guards.empty() && plan::longest_reduction(plan) > 1 && plan::measures_lengths(plan))
        out.push_back({{Variant{1, holds(plan, plan::DType::f16) ? 0x1p-10 : 0x1p-40, 0}}});
    Variant rows;
    rows.pattern = Variant::Pattern::fading;
    rows.guards = guards;
    for (int set = 0; set < fading; ++set) out.push_back({{rows}});
}

/// Inputs of one kind that hold the same.
void add_alike_sets(const plan::Plan& plan, std::vector<InputSetting>& out) {
    const std::map<int, run::AlikeDraw> alike = run::alike_draws(plan);
    if (alike.empty() || !plan::holds_inputs_together(plan)) return;
    Variant variant;
    variant.alike = Variant::Alike::lines;
    out.push_back({{variant}});
    // Of reals a set of zeros is so.
    const bool integers = std::any_of(alike.begin(), alike.end(), [](const auto& draw) {
        return draw.second.law.law == run::Law::integer;
    });
    variant.alike = Variant::Alike::all;
    if (integers) out.push_back({{variant}});
}

/// Whole tensors of one integer, or two; masks that are empty, or full.
void add_few_values(const plan::Plan& plan, std::vector<InputSetting>& out) {
    if (!draws_inputs(plan, run::draws_integers) || !plan::computes_with_integers(plan)) return;
    for (const auto whole : {Variant::Whole::one, Variant::Whole::two}) {
        Variant variant;
        variant.whole = whole;
        Variant drawn_flags = variant;
        drawn_flags.lines = false;
        if (attends(plan))
            out.push_back({{drawn_flags}});
        else
            out.push_back({{variant, drawn_flags}});
    }
}

}  // namespace

std::vector<InputSetting> input_settings(const plan::Plan& reference) {
    using Pattern = Variant::Pattern;
    Variant all;
    all.reach = reach_of(reference);
    all.ties = !plan::open_order_reaches_results(reference);
    all.guards = plan::guards(reference);
    all.exponentials = plan::takes_exponentials(reference);
    std::vector<InputSetting> out{{{Variant{}}}};
    const bool lines = draws_inputs(reference, run::draws_integers);
    const auto leaves = static_cast<int>(run::leaf_roles(reference).size());
    out.push_back({tries_of(Pattern::rows, all, lines, leaves)});
    add_few_values(reference, out);
    add_alike_sets(reference, out);
    // Inputs that are the same in every call of the task are data as well.
    if (!plan::constant_inputs(reference).empty()) {
        InputSetting constants;
        for (const bool patterns : {true, false})
            for (const auto how : {Variant::Constants::empty, Variant::Constants::anywhere,
                                   Variant::Constants::all, Variant::Constants::near}) {
                if (how == Variant::Constants::empty && (!patterns || attends(reference))) continue;
                if (how == Variant::Constants::anywhere && !patterns) continue;
                Variant varied;
                varied.constants = how;
                varied.patterns = patterns;
                constants.tries.push_back(varied);
            }
        out.push_back(constants);
    }
    if (!run::repeated_draws(reference).empty()) {
        Variant apart;
        apart.apart = true;
        out.push_back({{apart}});
    }
    // Operators that are there for NaN and infinities see some.
    if (!plan::asked_whether_finite(reference).empty()) {
        InputSetting setting;
        for (const auto which :
             {Variant::Nonfinite::any, Variant::Nonfinite::nan, Variant::Nonfinite::infinite}) {
            Variant with;
            with.nonfinite = which;
            setting.tries.push_back(with);
            with.lines = false;
            if (which != Variant::Nonfinite::infinite) setting.tries.push_back(with);
        }
        out.push_back(setting);
    }
    for (InputSetting& setting : named_settings(reference)) out.push_back(std::move(setting));
    if (!draws_inputs(reference, draws_reals)) return out;
    out.push_back({tries_of(Pattern::columns, all, false, leaves)});
    // All below zero, and hundreds apart: there for what begins at zero or another number that is no bound,
    // and for what overflows or underflows (88 from the value that is subtracted, exp is infinite or zero). A
    // softmax of scores thousands apart depends on the last digits of the two largest, so that its answers
    // are no measure.
    std::vector<Variant> far{Variant{1, 100, -2000}, Variant{1, 1, -100}, Variant{1, 100, 0},
                             Variant{1, 3, 0.5}};
    const std::vector<Variant> above{Variant{1, 1, 100}};
    // What sums of products make of the same set 64 times as large is 64 times as large, and passes float16.
    // Behind exponentials and choices such numbers depend on last digits: only numbers are asked for there.
    const bool beyond_half = plan::multiplies_beyond_half(reference);
    const bool decided =
        all.exponentials || plan::chooses_any(reference) || plan::works_with_choices(reference);
    if (beyond_half && !decided) far.insert(far.begin(), Variant{1, 6400, -128000});
    out.push_back({with_one_kept(far, far, leaves), true});
    if (beyond_half && decided) out.push_back({{Variant{1, 0x1p18, 0}}, true, true});
    out.push_back({with_one_kept(above, above, leaves)});
    add_small_sets(reference, leaves, out);
    return out;
}

std::vector<InputSetting> weight_settings(const plan::Plan& reference) {
    using Weights = Variant::Weights;
    const std::vector<plan::Redrawn> redrawn =
        plan::redrawn_weights(reference, plan::weight_origins(reference));
    bool few = false;  // numbers, of which not all signs and sizes fit into one draw
    for (size_t i = 0; i < redrawn.size(); ++i)
        few |= redrawn[i] != plan::Redrawn::no && redrawn[i] != plan::Redrawn::other &&
               plan::element_count(reference.weights[i].tensor) <= Variant::kTurns;
    std::vector<InputSetting> out;
    for (int turn = 0; turn < (few ? Variant::kTurns : 1); ++turn) {
        InputSetting setting{{}, true};
        for (const auto weights : {Weights::far, Weights::positive}) {
            Variant variant;
            variant.weights = weights;
            variant.turn = turn;
            setting.tries.push_back(variant);
        }
        if (turn == 0) setting.tries.emplace_back();
        out.push_back(setting);
    }
    return out;
}

}  // namespace tritonsmith::judge
