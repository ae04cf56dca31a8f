#include "judge/task/named_settings.h"

#include <algorithm>

#include "plan/analysis/flow.h"
#include "plan/analysis/shows.h"
#include "plan/ir/json.h"
#include "plan/values/met_rows.h"
#include "plan/values/named_values.h"
#include "run/draw/draw.h"

namespace tritonsmith::judge {

namespace {

constexpr size_t kMostInputs = 3;
constexpr int kMostTurns = 4;          ///< sets that all rows of a codebook are among
constexpr uint64_t kFewIntegers = 64;  ///< of so many integers each is drawn often

/// The task's own draws have the number, so that every set shows it.
bool often_drawn(const plan::Plan& plan, const plan::Tensor& input, double value) {
    for (const plan::Step& step : plan.steps) {
        const auto* aten = std::get_if<plan::AtenStep>(&step.what);
        const auto* made = aten ? std::get_if<plan::Tensor>(&aten->result.v) : nullptr;
        if (!made || step.phase != plan::Phase::inputs || aten->draw < 0 || made->buffer != input.buffer)
            continue;
        if (run::probabilities_argument(*aten)) return value == 0 || value == 1;
        const auto law = run::step_law(*aten);
        if (!law || law->variant_applies || !run::draws_integers(*aten)) return false;
        const run::Distribution drawn = run::integers_of(law->distribution);
        return drawn.count > 0 && drawn.count <= kFewIntegers && value >= static_cast<double>(drawn.low) &&
               value < static_cast<double>(drawn.low) + static_cast<double>(drawn.count);
    }
    return false;
}

}  // namespace

std::vector<InputSetting> named_settings(const plan::Plan& reference) {
    const std::vector<plan::Tensor> inputs = plan::tensors_in(reference.inputs);
    const std::vector<size_t> constant = plan::constant_inputs(reference);  // another set changes these
    // Where nothing is left of a row the reference may have no answer.
    const auto setting = [](run::Variant with) {
        run::Variant without_rows = with;
        without_rows.lines = false;
        return InputSetting{{std::move(with), std::move(without_rows)}};
    };
    std::vector<InputSetting> out;
    run::Variant together;
    bool any_named = false;
    for (const plan::NamedValues& found : plan::named_values(reference)) {
        if (std::find(constant.begin(), constant.end(), found.input) != constant.end()) continue;
        std::vector<double> seldom;
        for (double value : found.values)
            if (!often_drawn(reference, inputs[found.input], value)) seldom.push_back(value);
        if (seldom.empty() && found.weights.empty()) continue;
        run::Variant with;
        with.inputs = {static_cast<int64_t>(found.input)};
        with.met = {{found.weights.begin(), found.weights.end()}};
        with.named = {seldom};
        any_named |= !seldom.empty();
        together.inputs.push_back(with.inputs[0]);
        together.met.push_back(with.met[0]);
        together.named.push_back(std::move(seldom));
        if (out.size() < kMostInputs) out.push_back(setting(std::move(with)));
    }
    // Nothing may be left at all: a mean over what counts has a case for it, or is no number.
    if (any_named && plan::reduces_everything(reference)) {
        run::Variant nothing = together;
        nothing.everywhere = true;
        out.push_back({{std::move(nothing)}});
    }
    // What is there for two of them at once, and for further inputs.
    if (together.inputs.size() > 1) out.push_back(setting(std::move(together)));
    // Each choice of a codebook is made.
    for (const plan::MetRows& found : plan::met_rows(reference)) {
        run::Variant rows;
        rows.by_rows = true;
        rows.inputs = {static_cast<int64_t>(found.input)};
        rows.named = {{}};
        rows.met = {{static_cast<int64_t>(found.weight)}};
        const int64_t choices = reference.weights[found.weight].tensor.shape[0],
                      count = plan::element_count(inputs[found.input]) /
                              std::max<int64_t>(reference.weights[found.weight].tensor.shape[1], 1);
        for (; rows.turn < kMostTurns && rows.turn * count < choices; ++rows.turn) out.push_back({{rows}});
    }
    return out;
}

}  // namespace tritonsmith::judge
