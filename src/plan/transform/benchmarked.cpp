#include "plan/transform/benchmarked.h"

#include <algorithm>

namespace tritonsmith::plan {
namespace {

bool meets(const ByteRange& range, const std::vector<ByteRange>& others) {
    return std::any_of(others.begin(), others.end(),
                       [&](const ByteRange& other) { return overlap(range, other); });
}

}  // namespace

std::vector<Disturbed> disturbed_by_benchmark(const Plan& plan, const KernelEffects& effects) {
    std::vector<Disturbed> out;
    for (const Step& step : plan.steps) {
        const auto* choice = std::get_if<ChoiceStep>(&step.what);
        if (!choice) continue;
        for (const Step& inner : choice->benchmark) {
            const Flow flow = flow_of(plan, inner, effects);
            const auto* launch = std::get_if<LaunchStep>(&inner.what);
            if (!launch) {
                if (std::holds_alternative<AtenStep>(inner.what) && !flow.writes.empty())
                    out.push_back({-1, inner.line, {}});
                continue;
            }
            Disturbed found{launch->kernel, inner.line, {}};
            for (size_t i = 0; i < launch->args.size(); ++i) {
                LaunchStep alone{launch->kernel, launch->grid, launch->args};
                for (size_t k = 0; k < alone.args.size(); ++k)
                    if (k != i) alone.args[k] = Value{int64_t{0}};
                const Flow of = flow_of(plan, alone, effects);
                if (std::any_of(of.writes.begin(), of.writes.end(),
                                [&](const ByteRange& range) { return meets(range, flow.reads); }))
                    found.parameters.push_back(static_cast<int>(i));
            }
            if (!found.parameters.empty()) out.push_back(std::move(found));
        }
    }
    return out;
}

Plan with_benchmarks(const Plan& plan) {
    Plan out = plan;
    out.steps.clear();
    for (const Step& step : plan.steps) {
        if (const auto* choice = std::get_if<ChoiceStep>(&step.what))
            out.steps.insert(out.steps.end(), choice->benchmark.begin(), choice->benchmark.end());
        out.steps.push_back(step);
        if (auto* choice = std::get_if<ChoiceStep>(&out.steps.back().what)) choice->benchmark.clear();
    }
    return out;
}

}  // namespace tritonsmith::plan
