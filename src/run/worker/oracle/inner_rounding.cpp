#include "run/worker/oracle/inner_rounding.h"

#include <ATen/TensorOperators.h>

#include <cmath>
#include <optional>

#include "numerics/format.h"
#include "plan/ir/ops.h"
#include "run/worker/aten/aten_step.h"
#include "run/worker/aten/attention.h"

namespace tritonsmith::run {
namespace {

/// Where a norm's bias is among its arguments; 0: it has none.
std::optional<size_t> bias_of_norm(const plan::AtenStep& step) {
    const std::string_view base = plan::OpName(step.op).base;
    if (base == "_fused_rms_norm") return 0;
    if (base == "native_layer_norm") return 3;
    const bool norm =
        base.find("batch_norm") != std::string_view::npos && base.find("backward") == std::string_view::npos;
    if (norm || base == "native_group_norm") return 2;
    return std::nullopt;
}

}  // namespace

bool rounds_inside(const plan::AtenStep& step) {
    return is_attention(step) || bias_of_norm(step);
}

at::Tensor inner_rounding(const plan::AtenStep& step, plan::DType rounded, Memory& memory) {
    const numerics::Format format = numerics::format(rounded);
    if (is_attention(step)) {
        auto seen = [&](const plan::Tensor& tensor) { return memory.view(tensor); };
        return attention_rounding(attention_call(step.op, arguments_of(step, seen, memory.device())).value(),
                                  format, format);
    }
    plan::AtenStep without = step;
    const size_t bias = bias_of_norm(step).value();
    if (bias > 0 && bias < without.args.size()) without.args[bias] = {};
    // Copies: in training, running statistics are written.
    auto copies = [&](const plan::Tensor& tensor) { return memory.view(tensor).clone(); };
    const std::vector<at::Tensor> results = evaluate(without, copies, memory.device(), true);
    return results.at(0).abs().mul_(std::sqrt(2.0) * format.mean_half_unit());
}

}  // namespace tritonsmith::run
