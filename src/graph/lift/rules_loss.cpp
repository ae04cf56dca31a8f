#include "graph/lift/rules.h"
#include "plan/ir/json.h"

/// Losses: element by element, then a mean or a sum.
namespace tritonsmith::graph {
namespace {

Reduction reduction_of(const Call& call, size_t position) {
    const int64_t number = call.integer(position, "reduction", 1);
    return number == 0 ? Reduction::none : number == 1 ? Reduction::mean : Reduction::sum;
}

/// (self, target, reduction, parameter)
Results pairwise(Lifter& lifter, const Call& call, LossKind kind) {
    const Operand self = lifter.read(call.tensor(0, "self")), target = lifter.read(call.tensor(1, "target"));
    Shape shape = self.shape();
    if (element_count(target.shape()) > element_count(shape)) shape = target.shape();
    Loss loss{kind, reduction_of(call, 2)};
    loss.parameter = call.real(3, kind == LossKind::huber ? "delta" : "beta", 1);
    const DType dtype = call.result().dtype;
    std::vector<Operand> operands;
    for (const Operand& side : {self, target})
        operands.push_back(converted(lifter.graph(), broadcast(lifter.graph(), side, shape), dtype));
    return {lifter.emit(loss, std::move(operands), dtype, call.result().shape)};
}

/// binary_cross_entropy(self, target, weight, reduction); with logits: (…, weight, pos_weight, reduction)
Results binary_entropy(Lifter& lifter, const Call& call, bool logits) {
    const Operand self = lifter.read(call.tensor(0, "self"));
    Loss loss{logits ? LossKind::bce_logits : LossKind::bce, reduction_of(call, logits ? 4 : 3)};
    if (logits && call.tensor_if(3, "pos_weight")) throw Unliftable{"pos_weight"};
    std::vector<Operand> operands{
        self, converted(lifter.graph(), lifter.read(call.tensor(1, "target")), self.dtype)};
    if (const plan::Tensor* weight = call.tensor_if(2, "weight"))
        operands.push_back(broadcast(lifter.graph(), lifter.read(*weight), self.shape()));
    return {lifter.emit(loss, std::move(operands), call.result().dtype, call.result().shape)};
}

Results nll(Lifter& lifter, const Call& call) {  // (self, target, weight, reduction, ignore_index)
    Operand self = lifter.read(call.tensor(0, "self"));
    Operand target = lifter.read(call.tensor(1, "target"));
    if (self.shape().size() == 1) {  // one sample
        self = unsqueezed(lifter.graph(), self, {0});
        target = reshaped(lifter.graph(), target, {1});
    }
    Loss loss{LossKind::nll, reduction_of(call, 3)};
    loss.ignore = call.integer(4, "ignore_index", -100);
    std::vector<Operand> operands{self, target};
    if (const plan::Tensor* weight = call.tensor_if(2, "weight")) operands.push_back(lifter.read(*weight));
    const Shape shape = loss.reduction == Reduction::none ? target.shape() : Shape{};
    const std::vector<Operand> out =
        lifter.emit_all(loss, std::move(operands), {{call.result().dtype, shape}, {call.result().dtype, {}}});
    return {reshaped(lifter.graph(), out[0], call.result().shape), out[1]};
}

}  // namespace

void add_loss_rules(Rules& rules) {
    const std::pair<const char*, LossKind> table[] = {{"mse_loss", LossKind::mse},
                                                      {"l1_loss", LossKind::l1},
                                                      {"smooth_l1_loss", LossKind::smooth_l1},
                                                      {"huber_loss", LossKind::huber},
                                                      {"soft_margin_loss", LossKind::soft_margin}};
    for (const auto& [name, kind] : table)
        rules[name] = [kind = kind](Lifter& lifter, const Call& call) {
            return pairwise(lifter, call, kind);
        };
    rules["binary_cross_entropy"] = [](Lifter& lifter, const Call& call) {
        return binary_entropy(lifter, call, false);
    };
    rules["binary_cross_entropy_with_logits"] = [](Lifter& lifter, const Call& call) {
        return binary_entropy(lifter, call, true);
    };
    rules["nll_loss_forward"] = rules["nll_loss2d_forward"] = nll;
}

}  // namespace tritonsmith::graph
