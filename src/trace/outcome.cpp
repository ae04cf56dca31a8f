#include "trace/outcome.h"

#include "base/json.h"
#include "plan/ir/json.h"
#include "plan/ir/validate.h"
#include "trace/classify.h"

namespace tritonsmith::trace {
namespace {

/// A child that made its plan by hand may claim to have been asked something else.
std::optional<Finding> answers_the_request(const plan::Plan& plan, const Request& request) {
    auto wrong = [](const std::string& what) {
        return Finding{"plan_invalid", "the plan is not an answer to the request: " + what, 0,
                       Json::object()};
    };
    if (plan.role != request.kind) return wrong("its role is \"" + printable(plan.role, 40) + "\"");
    if (plan.device != request.device) return wrong("its device is \"" + printable(plan.device, 40) + "\"");
    if (plan.target != request.target) return wrong("its target is \"" + printable(plan.target, 40) + "\"");
    if (request.kind != "candidate") return std::nullopt;
    const auto given = plan::tensors_in(request.inputs), taken = plan::tensors_in(plan.inputs);
    bool same = given.size() == taken.size() && request.inputs.size() == plan.inputs.size();
    for (size_t i = 0; same && i < given.size(); ++i) {
        same = given[i].dtype == taken[i].dtype && given[i].shape == taken[i].shape;
    }
    if (!same) return wrong("its inputs are not those that were given");
    return std::nullopt;
}

}  // namespace

Outcome outcome_of(const Ending& ending, const Allowance& allowance, const Request& request,
                   std::shared_ptr<const Json>* lowered) {
    if (auto finding = classify(ending, allowance)) return *finding;
    const Finding no_result{"trace_protocol", "the traced process sent something that is no result", 0,
                            Json::object()};
    std::optional<Json> json = parse_untrusted_json(frame_body(ending));
    if (!json || !json->is_object()) return no_result;
    if (auto error = json->find("error"); error != json->end() && json->size() == 1)
        return finding_of(*error, request.kind);
    const auto made = json->find("plan"), texts = json->find("lowered");
    const bool with_texts = lowered && texts != json->end() && texts->is_array();
    if (made == json->end() || json->size() != (with_texts ? 2 : 1)) return no_result;
    try {
        plan::Plan plan = plan::from_json_unchecked(*made);
        if (auto finding = plan::validate(plan)) {
            finding->message = printable(finding->message, 2000);
            return *finding;
        }
        if (auto finding = answers_the_request(plan, request)) return *finding;
        if (with_texts) *lowered = std::make_shared<const Json>(std::move(*texts));
        return plan;
    } catch (const InputError& error) {
        return Finding{"plan_invalid", printable(error.what(), 2000), 0, Json::object()};
    }
}

}  // namespace tritonsmith::trace
