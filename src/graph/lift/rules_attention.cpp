#include <cmath>

#include "graph/lift/rules.h"
#include "plan/ir/json.h"

/// Fused attention, as PyTorch chooses it by device and shape: all of them are one node.
namespace tritonsmith::graph {
namespace {

/// Positions of the arguments after q, k, v.
struct Positions {
    size_t mask, dropout, causal;
};

/// Heads of k and v, each repeated for a group of q's (GQA).
Operand for_heads(Lifter& lifter, const Operand& x, const Operand& q) {
    const size_t head = q.shape().size() - 3;
    if (q.shape().size() < 4 || x.shape()[head] == q.shape()[head]) return x;
    IndexMap map = IndexMap::identity(x.shape());
    const int64_t group = q.shape()[head] / x.shape()[head];
    map.shape[head] = q.shape()[head];
    map.index[head] =
        x.shape()[head] == 1 ? Index(0) : quotient(Index::axis(static_cast<int>(head)), group, map.shape);
    return through(lifter.graph(), x, map);
}

Results attention(Lifter& lifter, const Call& call, Positions form) {
    const Operand q = lifter.read(call.tensor(0, "query"));
    const Operand k = for_heads(lifter, lifter.read(call.tensor(1, "key")), q);
    const Operand v = for_heads(lifter, lifter.read(call.tensor(2, "value")), q);
    if (call.real(form.dropout, "dropout_p", 0) != 0) throw Unliftable{"it draws random numbers"};
    Attention node;
    node.causal = call.flag(form.causal, "is_causal", false);
    node.scale = call.real(99, "scale", 1 / std::sqrt(static_cast<double>(q.shape().back())));
    std::vector<Operand> operands{q, k, v};
    Shape scores(q.shape().begin(), q.shape().end() - 1);
    scores.push_back(k.shape()[k.shape().size() - 2]);
    const plan::Tensor* mask = call.tensor_if(form.mask, "attn_bias");
    if (!mask) mask = call.tensor_if(99, "attn_mask");
    if (mask) operands.push_back(broadcast(lifter.graph(), lifter.read(*mask), scores));
    Shape shape(q.shape().begin(), q.shape().end() - 1);
    shape.push_back(v.shape().back());
    if (shape != call.result().shape) throw Unliftable{"its result is padded"};
    return {lifter.emit(node, std::move(operands), call.result().dtype, shape)};
}

}  // namespace

void add_attention_rules(Rules& rules) {
    constexpr size_t none = 99;
    const std::pair<const char*, Positions> forms[] = {
        {"_scaled_dot_product_efficient_attention", {3, 5, 6}},
        {"_scaled_dot_product_flash_attention", {none, 3, 4}},
        {"_scaled_dot_product_cudnn_attention", {3, 5, 6}},
        {"_scaled_dot_product_flash_attention_for_cpu", {none, 3, 4}},
        {"scaled_dot_product_attention", {3, 4, 5}},
    };
    for (const auto& [name, form] : forms)
        rules[name] = [form = form](Lifter& lifter, const Call& call) {
            return attention(lifter, call, form);
        };
}

}  // namespace tritonsmith::graph
