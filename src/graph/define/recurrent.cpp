#include "graph/define/maker.h"

namespace tritonsmith::graph {
namespace {

/// What one time step computes from the gates' two sums.
class Cell {
  public:
    Cell(Maker& make, CellKind kind, const Shape& state, DType dtype)
        : make_(make), kind_(kind), state_(state), dtype_(dtype) {}

    Operand gate(const Operand& sums, int which) const {
        return sliced(make_.graph(), sums, 1, which * state_[1], state_[1]);
    }
    /// The state after the step, h first. @param from_input, from_hidden [N, G·H]
    Operands step(const Operand& from_input, const Operand& from_hidden, const Operands& state) const {
        if (kind_ == CellKind::lstm) return lstm(from_input, from_hidden, state);
        if (kind_ == CellKind::gru) return {gru(from_input, from_hidden, state[0])};
        const ScalarOp op = kind_ == CellKind::rnn_tanh ? ScalarOp::tanh : ScalarOp::relu;
        const Operand sum = make_.map(ScalarOp::add, {from_input, from_hidden}, state_);
        return {make_.map(op, {sum}, state_)};
    }

  private:
    Operand opened(const Operand& x, const Operand& h, int which, ScalarOp op) const {
        return make_.map({gate(x, which), gate(h, which)}, state_, dtype_,
                         [&](Expression& body, const std::vector<int>& at) {
                             return body.apply(op, {body.apply(ScalarOp::add, at, dtype_)}, dtype_);
                         });
    }
    Operands lstm(const Operand& x, const Operand& h, const Operands& state) const {
        const Operand in = opened(x, h, 0, ScalarOp::sigmoid), forget = opened(x, h, 1, ScalarOp::sigmoid);
        const Operand fresh = opened(x, h, 2, ScalarOp::tanh), shown = opened(x, h, 3, ScalarOp::sigmoid);
        const Operand kept = make_.map(ScalarOp::mul, {forget, state[1]}, state_);
        const Operand c =
            make_.map(ScalarOp::add, {kept, make_.map(ScalarOp::mul, {in, fresh}, state_)}, state_);
        return {make_.map(ScalarOp::mul, {shown, make_.map(ScalarOp::tanh, {c}, state_)}, state_), c};
    }
    Operand gru(const Operand& x, const Operand& h, const Operand& state) const {
        const Operand reset = opened(x, h, 0, ScalarOp::sigmoid), update = opened(x, h, 1, ScalarOp::sigmoid);
        const Operand hidden = make_.map(ScalarOp::mul, {reset, gate(h, 2)}, state_);
        const Operand fresh =
            make_.map(ScalarOp::tanh, {make_.map(ScalarOp::add, {gate(x, 2), hidden}, state_)}, state_);
        const Operand apart = make_.map(ScalarOp::sub, {state, fresh}, state_);
        return make_.map(ScalarOp::add, {fresh, make_.map(ScalarOp::mul, {update, apart}, state_)}, state_);
    }

    Maker& make_;
    CellKind kind_;
    Shape state_;
    DType dtype_;
};

}  // namespace

Operands define(Maker& make, const Recurrent& kind, const Operands& in, const Shape& result) {
    const DType dtype = in[0].dtype, wide = wide_of(dtype);
    const size_t states = kind.kind == CellKind::lstm ? 2 : 1;
    Operands state;
    for (size_t i = 0; i < states; ++i) state.push_back(make.as(in[1 + i], wide));
    const int64_t steps = result[0], batch = result[1], gates = in[1 + states].shape()[0];
    const Operands weights(in.begin() + 1 + static_cast<std::ptrdiff_t>(states), in.end());
    auto product = [&](const Operand& x, size_t weight, size_t bias) {
        Operands operands{make.as(x, wide), permuted(make.graph(), make.as(weights[weight], wide), {1, 0})};
        if (kind.bias)
            operands.push_back(broadcast(make.graph(), make.as(weights[bias], wide), {batch, gates}));
        return make.emit(Contract{}, std::move(operands), wide, {batch, gates});
    };
    auto of_input = [&](const Operand& x) { return kind.projected ? make.as(x, wide) : product(x, 0, 2); };
    auto of_state = [&](const Operand& h) { return kind.projected ? product(h, 0, 1) : product(h, 1, 3); };
    const Cell cell(make, kind.kind, {batch, result[2]}, wide);
    Operands shown(static_cast<size_t>(steps));
    for (int64_t i = 0; i < steps; ++i) {
        const int64_t t = kind.reverse ? steps - 1 - i : i;
        const Operand from_input = of_input(selected(make.graph(), in[0], 0, t));
        state = cell.step(from_input, of_state(state[0]), state);
        shown[static_cast<size_t>(t)] = unsqueezed(make.graph(), make.as(state[0], dtype), {0});
    }
    Operands out{steps == 1 ? shown.front() : make.emit(Concat{0}, shown, dtype, result)};
    for (const Operand& last : state) out.push_back(make.as(last, dtype));
    return out;
}

}  // namespace tritonsmith::graph
