#include "judge/task/named_settings.h"

#include <algorithm>

#include "plan/analysis/flow.h"
#include "plan/ir/json.h"
#include "plan/values/named_values.h"
#include "run/draw/draw.h"

namespace tritonsmith::judge {

namespace {

constexpr size_t kMostInputs = 3;
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
    std::vector<InputSetting> out;
    for (const plan::NamedValues& found : plan::named_values(reference)) {
        if (std::find(constant.begin(), constant.end(), found.input) != constant.end()) continue;
        run::Variant with;
        with.inputs = {static_cast<int64_t>(found.input)};
        for (double value : found.values)
            if (!often_drawn(reference, inputs[found.input], value)) with.named.push_back(value);
        if (with.named.empty() || out.size() == kMostInputs) continue;
        // Where nothing is left of a row the reference may have no answer.
        run::Variant without_rows = with;
        without_rows.lines = false;
        out.push_back({{with, without_rows}});
    }
    return out;
}

}  // namespace tritonsmith::judge
