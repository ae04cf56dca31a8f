#include "run/redraw.h"

#include "plan/json.h"
#include "plan/link.h"
#include "run/draw_step.h"

namespace tritonsmith::run {

Redraw::Redraw(const plan::Plan& plan, Memory& memory, uint64_t seed) {
    const std::vector<plan::WeightOrigin> origins = plan::weight_origins(plan);
    for (size_t i = 0; i < plan.weights.size(); ++i) {
        const plan::Weight& weight = plan.weights[i];
        if (!weight.parameter || !plan::is_floating(weight.tensor.dtype)) continue;
        Distribution law;
        if (origins[i].law == plan::Law::ones)
            law = {Law::uniform, 0.5, 1.5, 0, 1};
        else if (origins[i].law == plan::Law::zeros)
            law = {Law::normal, 0, 0.1, 0, 1};
        else
            continue;
        std::function<void()> write = [&memory, &weight, law, seed, i] {
            draw_into(memory.view(weight.tensor), {{seed, kRedrawStream, static_cast<uint32_t>(i)}, law});
        };
        if (origins[i].writes.empty()) write();
        for (int step : origins[i].writes) after_.emplace(step, write);
    }
}

void Redraw::after(int step) {
    auto [first, last] = after_.equal_range(step);
    for (auto it = first; it != last; ++it) it->second();
}

}  // namespace tritonsmith::run
