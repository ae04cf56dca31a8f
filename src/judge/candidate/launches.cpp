#include "judge/candidate/launches.h"

namespace tritonsmith::judge {

namespace {

void collect(const std::vector<plan::Step>& steps, std::vector<LaunchRef>& out) {
    for (const plan::Step& step : steps) {
        if (auto* launch = std::get_if<plan::LaunchStep>(&step.what)) out.push_back({launch, &step});
        if (auto* choice = std::get_if<plan::ChoiceStep>(&step.what))
            for (const plan::Alternative& alternative : choice->alternatives) collect(alternative.steps, out);
    }
}

}  // namespace

std::vector<LaunchRef> launches(const plan::Plan& plan) {
    std::vector<LaunchRef> out;
    collect(plan.steps, out);
    return out;
}

}  // namespace tritonsmith::judge
