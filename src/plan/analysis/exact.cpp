#include "plan/analysis/exact.h"

#include <algorithm>
#include <unordered_set>

#include "plan/analysis/flow.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"

namespace tritonsmith::plan {
namespace {

using ExactNames = std::unordered_set<std::string_view>;

/// Without the underscore of operators that work in place.
std::string_view plain_name(std::string_view op) {
    std::string_view base = OpName(op).base;
    if (in_place(op)) base.remove_suffix(1);
    return base;
}

const ExactNames& rounding() {
    static const ExactNames names{"round", "floor",     "ceil",        "trunc",     "fix",
                             "frac",  "floor_divide", "bucketize", "searchsorted", "histc"};
    return names;
}

const ExactNames& choosing() {
    static const ExactNames names{"argmax",
                             "argmin",
                             "topk",
                             "sort",
                             "argsort",
                             "msort",
                             "kthvalue",
                             "median",
                             "nanmedian",
                             "mode",
                             "cummax",
                             "cummin",
                             "max_pool1d_with_indices",
                             "max_pool2d_with_indices",
                             "max_pool3d_with_indices",
                             "adaptive_max_pool2d",
                             "adaptive_max_pool3d",
                             "fractional_max_pool2d"};
    return names;
}

const ExactNames& comparing() {
    static const ExactNames names{"gt", "ge", "lt", "le", "eq", "ne", "greater", "greater_equal", "less",
                             "less_equal", "not_equal", "isclose", "sign", "sgn", "heaviside", "signbit"};
    return names;
}

bool is_integer(DType dtype) {
    return !is_floating(dtype) && dtype != DType::c64 && dtype != DType::c128 && dtype != DType::b1;
}

bool any_forward(const Plan& plan, const auto& holds) {
    const std::vector<Executed> steps = executed_steps(plan);
    return std::any_of(steps.begin(), steps.end(), [&](const Executed& executed) {
        const auto* aten = std::get_if<AtenStep>(&executed.step->what);
        return aten && executed.step->phase == Phase::forward && holds(*aten);
    });
}

}  // namespace

bool exact(std::string_view op) {
    static const ExactNames names{"relu",          "neg",          "negative",      "abs",
                             "maximum",       "minimum",      "max",           "min",
                             "fmax",          "fmin",         "amax",          "amin",
                             "aminmax",       "where",        "masked_fill",   "clamp",
                             "clamp_min",     "clamp_max",    "hardtanh",      "threshold",
                             "max_pool1d",    "max_pool2d",   "max_pool3d",    "adaptive_max_pool1d",
                             "masked_select", "masked_scatter", "index_copy",  "index_fill",
                             "scatter",       "index_put",    "nan_to_num",    "copysign",
                             "bitwise_and",   "bitwise_or",   "bitwise_xor",   "bitwise_not",
                             "logical_and",   "logical_or",   "logical_not",   "logical_xor",
                             "isnan",         "isinf",        "isfinite",      "one_hot",
                             "nonzero",       "any",          "all",           "bincount",
                             "diag",          "diag_embed",   "unfold_copy",   "fmod"};
    if (op_class(op) != OpClass::compute || rearranges(op)) return true;
    const std::string_view name = plain_name(op);
    return names.contains(name) || choosing().contains(name) || comparing().contains(name) ||
           (rounding().contains(name) && name != "frac");
}

bool rounds_to_integers(const AtenStep& step) {
    const std::string_view name = plain_name(step.op);
    if (rounding().contains(name)) return true;
    const bool casts = name == "_to_copy" || name == "to" || name == "copy";
    if (!casts) return false;
    const size_t source = name == "copy" ? 1 : 0;
    const std::vector<Tensor> results = tensors_in(step.result);
    const auto* from = source < step.args.size() ? std::get_if<Tensor>(&step.args[source].v) : nullptr;
    return from && !results.empty() && is_floating(from->dtype) && is_integer(results[0].dtype);
}

bool chooses(std::string_view op) {
    const std::string_view name = plain_name(op), overload = OpName(op).overload;
    return choosing().contains(name) ||
           ((name == "max" || name == "min") && (overload.starts_with("dim") || overload.starts_with("names")));
}

bool chooses_any(const AtenStep& step) {
    static const ExactNames names{"topk", "sort", "argsort", "msort", "kthvalue", "median", "nanmedian", "mode"};
    if (!names.contains(plain_name(step.op))) return false;
    // sort.stable(self, *, stable, dim, descending)
    auto stable = [](const auto& named) {
        const auto* value = named.first == "stable" ? std::get_if<bool>(&named.second.v) : nullptr;
        return value && *value;
    };
    return std::none_of(step.kwargs.begin(), step.kwargs.end(), stable);
}

bool chooses(const Plan& plan) {
    return any_forward(plan, [](const AtenStep& step) { return chooses(step.op); });
}

bool decides(const Plan& plan) {
    return any_forward(plan, [](const AtenStep& step) {
        return chooses(step.op) || rounds_to_integers(step) || comparing().contains(plain_name(step.op));
    });
}

}  // namespace tritonsmith::plan
