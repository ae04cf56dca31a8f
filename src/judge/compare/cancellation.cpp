#include "judge/compare/cancellation.h"

#include <algorithm>

#include "plan/ir/ops.h"

namespace tritonsmith::judge {
namespace {

bool computes_variance(const plan::Plan& reference) {
    return std::any_of(reference.steps.begin(), reference.steps.end(), [](const plan::Step& step) {
        const auto* aten = std::get_if<plan::AtenStep>(&step.what);
        if (!aten || step.phase != plan::Phase::forward) return false;
        const aten::Operator* op = plan::out_of_place(aten->op);
        if (!op) return false;
        return op->magnitude == aten::Magnitude::variance || op->magnitude == aten::Magnitude::deviation ||
               op->magnitude == aten::Magnitude::norm;
    });
}

}  // namespace

void name_cancellation(Finding& finding, const plan::Plan& reference) {
    if (finding.reason != "wrong_result" || !finding.right_on_own_inputs || !computes_variance(reference))
        return;
    finding.message +=
        "; if it computes a variance as E[x*x] - E[x]*E[x]: that loses its digits where the mean is large or "
        "the "
        "deviation small, so subtract the mean first, or use Welford's method";
}

}  // namespace tritonsmith::judge
