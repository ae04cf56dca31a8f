// A plan's JSON as an untrusted tracer sends it: read, validated, and, where it is valid, put to all that the
// judge does with plans before anything is executed.
#include <string>
#include <vector>

#include "base/json.h"
#include "fuzz.h"
#include "plan/analysis/collapse.h"
#include "plan/analysis/cost.h"
#include "plan/analysis/describe.h"
#include "plan/analysis/liveness.h"
#include "plan/analysis/reduction.h"
#include "plan/analysis/reference.h"
#include "plan/ir/json.h"
#include "plan/ir/validate.h"
#include "plan/policy/policy.h"
#include "plan/transform/absolute.h"
#include "plan/transform/promote.h"
#include "plan/weights/link.h"

using namespace tritonsmith;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    JsonLimits limits;
    limits.values = 1 << 16;
    const auto json = parse_untrusted_json({reinterpret_cast<const char*>(data), size}, limits);
    if (!json) return 0;
    plan::Plan plan;
    try {
        plan = plan::from_json_unchecked(*json);
    } catch (const InputError& error) {
        fuzz::require(*error.what() != 0, "an error without words");
        return 0;
    }
    const Json again = plan::to_json(plan);
    fuzz::require(plan::to_json(plan::from_json_unchecked(again)) == again,
                  "written and read is another plan");
    if (const auto finding = plan::validate(plan)) {
        fuzz::require(finding->reason == "plan_invalid" || finding->reason == "compile_option_forbidden",
                      "validate() gives a reason of its own");
        return 0;
    }
    for (bool relaxed : {false, true}) {
        plan::PolicyOptions options;
        options.relaxed = relaxed;
        options.reference_moves_only = plan::moves_only(plan);
        options.exempt_outputs = plan::uncomputed_outputs(plan);
        options.constant_outputs = plan::constant_outputs(plan);
        plan::check_policy(plan, options);
    }
    plan::launches_on_output_path(plan);
    fuzz::require(plan::cost(plan).bytes >= 0, "a cost below zero");
    fuzz::require(!plan::describe(plan, true).empty(), "no description");
    fuzz::require(plan::longest_reduction(plan) >= 1, "a reduction of nothing");
    plan::link_weights(plan, plan);
    plan::weight_origins(plan);
    plan::collapse(plan, plan);
    std::vector<std::string> rounding;
    plan::absolute(plan::promote(plan, rounding));
    return 0;
}
