#include "graph/lift/rules.h"
#include "plan/ir/json.h"

/// Recurrent layers: one node for each layer and direction.
namespace tritonsmith::graph {
namespace {

/// (input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first); hx is a list for
/// an LSTM.
Results layers(Lifter& lifter, const Call& call, CellKind kind) {
    if (!call.name().overload.starts_with("input")) throw Unliftable{"packed sequences"};
    Graph& graph = lifter.graph();
    const bool lstm = kind == CellKind::lstm, biases = call.flag(3, "has_biases", true);
    const int64_t count = call.integer(4, "num_layers", 1);
    const int directions = call.flag(7, "bidirectional", false) ? 2 : 1;
    const bool batch_first = call.flag(8, "batch_first", false);
    if (call.real(5, "dropout", 0) != 0 && call.flag(6, "train", false))
        throw Unliftable{"it draws random numbers"};
    const std::vector<const plan::Tensor*> weights = call.tensors(2, "params");
    const size_t each = biases ? 4 : 2;
    if (weights.size() != each * static_cast<size_t>(count * directions)) throw Unliftable{"projections"};
    Operand x = lifter.read(call.tensor(0, "input"));
    if (x.shape().size() != 3) throw Unliftable{"an input without a batch axis"};
    if (batch_first) x = permuted(graph, x, {1, 0, 2});
    const int64_t steps = x.shape()[0], batch = x.shape()[1];
    std::vector<Operand> states;  // [layers · directions, N, H] each
    if (lstm)
        for (const plan::Tensor* state : call.tensors(1, "hx")) states.push_back(lifter.read(*state));
    else
        states.push_back(lifter.read(call.tensor(1, "hx")));
    const int64_t hidden = states.front().shape().back();
    const DType dtype = x.dtype;
    std::vector<std::vector<Operand>> last(states.size());
    for (int layer = 0; layer < count; ++layer) {
        std::vector<Operand> outs;
        for (int direction = 0; direction < directions; ++direction) {
            const int which = layer * directions + direction;
            std::vector<Operand> operands{x};
            for (const Operand& state : states) operands.push_back(selected(graph, state, 0, which));
            for (size_t i = 0; i < each; ++i)
                operands.push_back(lifter.read(*weights[each * static_cast<size_t>(which) + i]));
            std::vector<std::pair<DType, Shape>> types{{dtype, {steps, batch, hidden}}};
            for (size_t i = 0; i < states.size(); ++i) types.push_back({dtype, {batch, hidden}});
            const std::vector<Operand> made =
                lifter.emit_all(Recurrent{kind, biases, direction == 1}, std::move(operands), types);
            outs.push_back(made[0]);
            for (size_t i = 0; i < states.size(); ++i) last[i].push_back(unsqueezed(graph, made[i + 1], {0}));
        }
        x = outs.front();
        if (directions == 2) x = lifter.emit(Concat{2}, std::move(outs), dtype, {steps, batch, 2 * hidden});
    }
    if (batch_first) x = permuted(graph, x, {1, 0, 2});
    Results out{x};
    for (size_t i = 0; i < states.size(); ++i)
        out.emplace_back(last[i].size() == 1 ? last[i].front()
                                             : lifter.emit(Concat{0}, last[i], dtype, states[i].shape()));
    return out;
}

/// Chunk `which` of the gates [N, G·H].
Operand gate(Lifter& lifter, const Operand& gates, int which, int64_t hidden) {
    return sliced(lifter.graph(), gates, 1, which * hidden, hidden);
}

/// A gate's input: both products and their biases.
int gate_sum(Lifter& lifter, Elementwise& node, const std::vector<Operand>& terms, int which, int64_t hidden,
             size_t first, size_t step) {
    int sum = -1;
    for (size_t i = first; i < terms.size(); i += step) {
        const Operand& term = terms[i];
        const Operand part = term.shape().size() == 2
                                 ? gate(lifter, term, which, hidden)
                                 : sliced(lifter.graph(), term, 0, which * hidden, hidden);
        const int read = node.in(part, node.compute());
        sum = sum < 0 ? read : node.of(ScalarOp::add, {sum, read}, node.compute());
    }
    return sum;
}

/// _thnn_fused_lstm_cell(input_gates, hidden_gates, cx, input_bias, hidden_bias): h, c, workspace.
Results lstm_cell(Lifter& lifter, const Call& call) {
    const plan::Tensor& cx = call.tensor(2, "cx");
    std::vector<Operand> terms{lifter.read(call.tensor(0, "input_gates")),
                               lifter.read(call.tensor(1, "hidden_gates"))};
    for (size_t i : {size_t{3}, size_t{4}})
        if (const plan::Tensor* bias = call.tensor_if(i, i == 3 ? "input_bias" : "hidden_bias"))
            terms.push_back(lifter.read(*bias));
    const int64_t hidden = cx.shape[1];
    Elementwise cell(lifter, cx.dtype, cx.shape), out(lifter, cx.dtype, cx.shape);
    auto opened = [&](Elementwise& node, int which, ScalarOp op) {
        return node.of(op, {gate_sum(lifter, node, terms, which, hidden, 0, 1)}, node.compute());
    };
    const int in = opened(cell, 0, ScalarOp::sigmoid), forget = opened(cell, 1, ScalarOp::sigmoid);
    const int fresh = opened(cell, 2, ScalarOp::tanh);
    const int kept = cell.of(ScalarOp::mul, {forget, cell.in(cx, cell.compute())}, cell.compute());
    cell.of(ScalarOp::add, {kept, cell.of(ScalarOp::mul, {in, fresh}, cell.compute())}, cell.compute());
    const Operand c = cell.done();
    const int shown = opened(out, 3, ScalarOp::sigmoid);
    out.of(ScalarOp::mul, {shown, out.of(ScalarOp::tanh, {out.in(c, out.compute())}, out.compute())});
    return {out.done(), c};
}

/// _thnn_fused_gru_cell(input_gates, hidden_gates, hx, input_bias, hidden_bias): h, workspace.
Results gru_cell(Lifter& lifter, const Call& call) {
    const plan::Tensor& hx = call.tensor(2, "hx");
    std::vector<Operand> terms{lifter.read(call.tensor(0, "input_gates")),
                               lifter.read(call.tensor(1, "hidden_gates"))};
    if (call.tensor_if(3, "input_bias")) {
        terms.push_back(lifter.read(call.tensor(3, "input_bias")));
        terms.push_back(lifter.read(call.tensor(4, "hidden_bias")));
    }
    const int64_t hidden = hx.shape[1];
    Elementwise node(lifter, hx.dtype, hx.shape);
    const DType wide = node.compute();
    auto all = [&](int which) { return gate_sum(lifter, node, terms, which, hidden, 0, 1); };
    const int reset = node.of(ScalarOp::sigmoid, {all(0)}, wide),
              update = node.of(ScalarOp::sigmoid, {all(1)}, wide);
    const int from_input = gate_sum(lifter, node, terms, 2, hidden, 0, 2);
    const int from_hidden = gate_sum(lifter, node, terms, 2, hidden, 1, 2);
    const int mixed =
        node.of(ScalarOp::add, {from_input, node.of(ScalarOp::mul, {reset, from_hidden}, wide)}, wide);
    const int fresh = node.of(ScalarOp::tanh, {mixed}, wide);
    const int apart = node.of(ScalarOp::sub, {node.in(hx, wide), fresh}, wide);
    node.of(ScalarOp::add, {fresh, node.of(ScalarOp::mul, {update, apart}, wide)}, wide);
    return node.results();
}

}  // namespace

void add_recurrent_rules(Rules& rules) {
    const std::pair<const char*, CellKind> table[] = {{"lstm", CellKind::lstm},
                                                      {"gru", CellKind::gru},
                                                      {"rnn_tanh", CellKind::rnn_tanh},
                                                      {"rnn_relu", CellKind::rnn_relu}};
    for (const auto& [name, kind] : table)
        rules[name] = [kind = kind](Lifter& lifter, const Call& call) { return layers(lifter, call, kind); };
    rules["_thnn_fused_lstm_cell"] = lstm_cell;
    rules["_thnn_fused_gru_cell"] = gru_cell;
}

}  // namespace tritonsmith::graph
