#include "numerics/precision.h"

#include <algorithm>
#include <set>
#include <string>

#include "plan/analysis/flow.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"

namespace tritonsmith::numerics {

namespace {
constexpr const char* kNames[] = {"default", "ieee", "tf32"};
}  // namespace

const char* name(Precision precision) {
    return kNames[static_cast<size_t>(precision)];
}

std::optional<Precision> precision_from_name(std::string_view name) {
    for (size_t i = 0; i < std::size(kNames); ++i)
        if (name == kNames[i]) return static_cast<Precision>(i);
    return std::nullopt;
}

bool is_convolution(const plan::AtenStep& step) {
    const std::string_view base = plan::OpName(step.op).base;
    return base.find("conv") != std::string_view::npos;
}

bool is_product(const plan::AtenStep& step) {
    static const std::set<std::string_view> names{
        "mm",      "addmm",     "addmm_",         "_addmm_activation",
        "bmm",     "baddbmm",   "baddbmm_",       "addbmm",
        "addbmm_", "matmul",    "linear",         "dot",
        "vdot",    "mv",        "addmv",          "addmv_",
        "einsum",  "tensordot", "_cdist_forward", "_euclidean_dist"};
    const std::string_view base = plan::OpName(step.op).base;
    return names.contains(base) || base.find("scaled_dot_product") != std::string_view::npos;
}

bool rounds_to_tf32(const plan::AtenStep& step, Precision precision) {
    return precision != Precision::ieee &&
           (is_convolution(step) || (precision == Precision::tf32 && is_product(step)));
}

namespace {

bool takes_float32(const plan::Plan& plan, const auto& kind) {
    const std::vector<plan::Executed> steps = plan::executed_steps(plan);
    return std::any_of(steps.begin(), steps.end(), [&](const plan::Executed& executed) {
        const auto* aten = std::get_if<plan::AtenStep>(&executed.step->what);
        if (!aten || executed.step->phase != plan::Phase::forward || !kind(*aten)) return false;
        const std::vector<plan::Tensor> operands = plan::tensors_in(aten->args);
        return !operands.empty() && operands[0].dtype == plan::DType::f32;
    });
}

}  // namespace

bool rounds_to_tf32(const plan::Plan& plan, Precision precision) {
    return takes_float32(plan, [&](const plan::AtenStep& step) { return rounds_to_tf32(step, precision); });
}

bool convolves_float32(const plan::Plan& plan) {
    return takes_float32(plan, is_convolution);
}

}  // namespace tritonsmith::numerics
