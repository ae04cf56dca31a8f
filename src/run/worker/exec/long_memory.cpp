#include "run/worker/exec/long_memory.h"

#include <ATen/TensorOperators.h>

#include <string_view>
#include <vector>

#include "plan/ir/json.h"
#include "plan/ir/ops.h"

namespace tritonsmith::run {

namespace {

constexpr double kOpen = 6;  ///< of a gate: keeps 0.9975 of the state
constexpr double kLatch = 3;

/// Parameters of a layer's step, and whether biases are among them: the last list of tensors, and what
/// follows.
struct Parameters {
    std::vector<plan::Tensor> tensors;
    bool biases = false;
};

Parameters parameters_of(const plan::AtenStep& step) {
    Parameters out;
    for (size_t i = 0; i + 1 < step.args.size(); ++i) {
        const auto* biases = std::get_if<bool>(&step.args[i + 1].v);
        if (!biases || !std::holds_alternative<plan::Sequence>(step.args[i].v)) continue;
        out.tensors = plan::tensors_in(step.args[i]);
        out.biases = *biases;
        break;
    }
    return out;
}

}  // namespace

LongMemory::LongMemory(const plan::Plan& plan) {
    for (const plan::Step& step : plan.steps) {
        const auto* aten = std::get_if<plan::AtenStep>(&step.what);
        if (!aten || step.phase != plan::Phase::forward) continue;
        const std::string_view base = plan::OpName(aten->op).base;
        const Kind kind = base == "lstm"       ? Kind::lstm
                          : base == "gru"      ? Kind::gru
                          : base == "rnn_tanh" ? Kind::tanh
                          : base == "rnn_relu" ? Kind::relu
                                               : Kind::none;
        if (kind == Kind::none) continue;
        const bool gated = kind == Kind::lstm || kind == Kind::gru;
        const Parameters parameters = parameters_of(*aten);
        if (gated && !parameters.biases) continue;
        // Of each layer: of inputs and of the state, matrices and then biases.
        const size_t step_of = parameters.biases ? 4 : 2;
        for (size_t i = gated ? 3 : 1; i < parameters.tensors.size(); i += step_of)
            roles_.push_back({kind, parameters.tensors[i].buffer, parameters.tensors[i].offset});
    }
}

void LongMemory::apply(const plan::Tensor& weight, Memory& memory) const {
    for (const Role& role : roles_) {
        if (role.buffer != weight.buffer || role.offset != weight.offset) continue;
        const at::Tensor values = memory.view(weight);
        if (role.kind == Kind::lstm || role.kind == Kind::gru) {
            const int64_t units = values.size(0) / (role.kind == Kind::lstm ? 4 : 3);
            if (values.dim() == 1) values.narrow(0, units, units).slice(0, 0, units, 2).fill_(kOpen);
        } else if (values.dim() == 2 && values.size(0) == values.size(1)) {
            values.slice(0, 0, values.size(0), 2).fill_(0);
            values.diagonal().slice(0, 0, values.size(0), 2).fill_(role.kind == Kind::tanh ? kLatch : 1);
        }
        return;
    }
}

}  // namespace tritonsmith::run
