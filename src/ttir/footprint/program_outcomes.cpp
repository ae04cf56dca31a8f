#include "ttir/footprint/program_outcomes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ttir/interp/lower/exec_layout.h"

namespace tritonsmith::ttir {

namespace {

constexpr int64_t kMostNodesInLoops = 1 << 14;  ///< of one program
constexpr size_t kMostWritten = 1024, kMostEdges = 4;

std::string text(const std::vector<char>& seen) {
    std::string out;
    for (char c : seen) out += static_cast<char>('a' + c);
    return out;
}

}  // namespace

ProgramOutcomes::ProgramOutcomes(const Module& module, const std::array<int64_t, 3>& grid,
                                 const std::vector<Argument>& arguments, const KnownMemory& memory)
    : tree_(module),
      grid_(grid),
      memory_(memory),
      parameters_(tree_.slots),
      never_known_(tree_.outcomes),
      each_(tree_.outcomes),
      now_(tree_.outcomes) {
    const Function* function = module.entry();
    if (!any() || arguments.size() != function->parameters.size()) {
        tree_.outcomes = 0;
        return;
    }
    for (size_t i = 0; i < arguments.size(); i++) {
        const ValueId v = function->parameters[i];
        const Type& type = function->values[static_cast<size_t>(v)];
        OutcomeValue& value = parameters_[static_cast<size_t>(v)];
        if (const auto* number = std::get_if<int64_t>(&arguments[i]);
            number != nullptr && type.kind == Type::Kind::scalar) {
            value.range = LaneRange::exactly(wrapped_number(*number, type.elem));
        } else if (const auto* real = std::get_if<double>(&arguments[i]);
                   real != nullptr && is_followed_real(type.elem)) {
            const double rounded = type.elem == Scalar::f32 ? static_cast<float>(*real) : *real;
            value = OutcomeValue::reals(rounded, rounded);
        } else if (const auto* pointer = std::get_if<PointerArgument>(&arguments[i])) {
            value.range = LaneRange::exactly(pointer->offset);
            value.argument = static_cast<int>(i);
        }
    }
    const ProgramBox first{{0, 0, 0}, {1, 1, 1}};
    const std::array<int64_t, 3> last{grid[0] - 1, grid[1] - 1, grid[2] - 1};
    (void)of(first);
    std::vector<bool> unknown(tree_.outcomes);
    for (size_t i = 0; i < each_.size(); i++) unknown[i] = (each_[i] & kUnknown) != 0;
    (void)of({last, grid});
    for (size_t i = 0; i < each_.size(); i++) never_known_[i] = unknown[i] && (each_[i] & kUnknown) != 0;
}

/// Rounds of an inner loop follow none of the loop around it.
class ProgramOutcomes::InnerLoop {
  public:
    explicit InnerLoop(std::string& rounds_before)
        : place_(rounds_before), outside_(std::exchange(rounds_before, "")) {}
    ~InnerLoop() { place_ = std::move(outside_); }
    InnerLoop(const InnerLoop&) = delete;
    InnerLoop& operator=(const InnerLoop&) = delete;

  private:
    std::string& place_;
    std::string outside_;
};

/// Of programs nothing is kept: a persistent kernel would have a class for each pair of its tiles' kinds.
void ProgramOutcomes::end_round() {
    if (!of_rounds()) return;
    std::string ended;
    for (size_t i = 0; i < now_.size(); i++)
        if (!tree_.of_program[i]) ended += static_cast<char>('a' + now_[i]);
    rounds_before_ = ended + rounds_before_.substr(0, ended.size());
}

bool ProgramOutcomes::alone() const {
    return box_.to[0] - box_.from[0] == 1 && box_.to[1] - box_.from[1] == 1 && box_.to[2] - box_.from[2] == 1;
}

ProgramOutcomes::Outcomes ProgramOutcomes::of(const ProgramBox& box) {
    box_ = box;
    values_ = parameters_;
    rounds_left_ = kMostNodesInLoops;
    std::fill(each_.begin(), each_.end(), char{0});
    now_ = each_;
    rounds_before_.clear();
    written_.clear();
    edges_.clear();
    run(tree_.nodes);
    Outcomes out;
    for (size_t i = 0; i < each_.size(); i++) {
        if (!tree_.of_program[i])
            each_[i] = 0;
        else if (never_known_[i])
            each_[i] = kUnknown;
        out.one &= never_known_[i] || (each_[i] & (kMixed | kUnknown)) == 0;
    }
    out.each = text(each_);
    out.one |= alone();
    return out;
}

void ProgramOutcomes::run(const std::vector<OutcomeNode>& nodes) {
    for (const OutcomeNode& node : nodes) run(node);
}

void ProgramOutcomes::run(const OutcomeNode& node) {
    spent_++;
    switch (node.kind) {
        case OutcomeKind::loop:
            return loop(node);
        case OutcomeKind::while_loop:
            return while_loop(node);
        case OutcomeKind::choice:
            return choice(node);
        case OutcomeKind::call:
            return call(node);
        case OutcomeKind::store:
            return store(node);
        case OutcomeKind::other:
            for (const OutcomeNode::Body& body : node.bodies) {
                forget(body.arguments);
                run(body.nodes);
            }
            return forget(node.results);
        default:
            break;
    }
    if (node.results.size() != 1) return forget(node.results);
    OutcomeValue value = evaluate(node);
    if (node.type().shape.size() > LaneRange::kRank) value = {};
    if (node.distinguishes != Distinguishes::none) note(node, value);
    values_[node.results.front()] = std::move(value);
}

void ProgramOutcomes::note(const OutcomeNode& node, const OutcomeValue& value) {
    const size_t number = node.number_of_outcome;
    now_[number] = never_known_[number] ? char{kUnknown} : static_cast<char>(seen(node, value));
    each_[number] = static_cast<char>(each_[number] | now_[number]);
    if (now_[number] == kMixed && value.range.windowed)
        edges_[number] = {value.range.window, node.type().shape};
    else
        edges_.erase(number);
}

void ProgramOutcomes::store(const OutcomeNode& node) {
    const OutcomeValue& pointer = values_[node.operands[0]];
    const std::vector<int64_t>& shape = node.operand_type(0).shape;
    if (!alone() || pointer.argument < 0 || !pointer.range.known || pointer.range.low != pointer.range.high ||
        shape.size() > LaneRange::kRank || written_.size() >= kMostWritten)
        return;
    Written out{text(now_) + rounds_before_, pointer.argument, pointer.range, shape, {}};
    for (const auto& [number, edge] : edges_) {
        if (edge.shape != shape || out.edges.size() >= kMostEdges) continue;
        std::array<int64_t, LaneRange::kRank> first{}, last{};
        bool any = true;
        for (size_t d = 0; d < shape.size(); d++) {
            any &= edge.window.from[d] < edge.window.to[d];
            first[d] = edge.window.from[d];
            last[d] = edge.window.to[d] - 1;
        }
        if (any) out.edges.insert(out.edges.end(), {first, last});
    }
    written_.push_back(std::move(out));
}

ProgramOutcomes::Seen ProgramOutcomes::seen(const OutcomeNode& node, const OutcomeValue& value) const {
    const auto decided = [](const LaneRange& truth, bool known) {
        if (truth.low != truth.high) return known ? kMixed : kUnknown;
        return truth.low != 0 ? kTrue : kFalse;
    };
    const OutcomeValue &a = values_[node.operands[0]], &b = values_[node.operands[1]];
    if (node.distinguishes == Distinguishes::zero) {
        if (!value.range.known) return kUnknown;
        if (value.range.low > 0 || value.range.high < 0) return kTrue;
        return value.range.exact() ? kFalse : kMixed;
    }
    const bool known = a.known() && b.known();
    if (node.distinguishes == Distinguishes::truth) return decided(value.range, known);
    if (node.kind == OutcomeKind::reals)
        return decided(compared_reals("olt", a, b, node.type().shape), known);
    return decided(compared({Predicate::less, false}, a.range, b.range, node.type().shape), known);
}

OutcomeValue ProgramOutcomes::evaluate(const OutcomeNode& node) {
    const auto operand = [&](size_t i) -> const OutcomeValue& { return values_[node.operands[i]]; };
    const auto axis = static_cast<size_t>(node.number);
    switch (node.kind) {
        case OutcomeKind::constant:
            return node.constant;
        case OutcomeKind::range: {
            LaneRange range = LaneRange::exactly(node.number);
            range.step[0] = 1;
            return OutcomeValue::of(range);
        }
        case OutcomeKind::program_id:
            return OutcomeValue::of(LaneRange::between(box_.from[axis], box_.to[axis] - 1));
        case OutcomeKind::num_programs:
            return OutcomeValue::of(LaneRange::exactly(grid_[axis]));
        case OutcomeKind::copy:
        case OutcomeKind::extend_unsigned:
        case OutcomeKind::expand:
            return copied(node);
        case OutcomeKind::extend_truth:
            return operand(0).range.known
                       ? OutcomeValue::of(LaneRange::between(-operand(0).range.high, -operand(0).range.low))
                       : OutcomeValue{};
        case OutcomeKind::add_pointer: {
            OutcomeValue out;
            out.argument = operand(0).argument;
            if (node.number > 0) out.range = plus(operand(0).range, times(operand(1).range, node.number));
            return out;
        }
        case OutcomeKind::integers:
            return integer_result(node.integer, operand(0), operand(1), node.type());
        case OutcomeKind::absolute: {
            const LaneRange& x = operand(0).range;
            if (!x.known || !x.flat()) return {};
            const int64_t least = x.low > 0 ? x.low : x.high < 0 ? -x.high : 0;
            return OutcomeValue::of(LaneRange::between(least, std::max(std::abs(x.low), std::abs(x.high))));
        }
        case OutcomeKind::reals:
            return real_result(node.real, operand(0), operand(1), node.type().elem);
        case OutcomeKind::to_real:
            return converted_to_real(operand(0), node.operand_type(0), node.type().elem);
        case OutcomeKind::to_integer:
            return converted_to_integer(operand(0));
        case OutcomeKind::compare_integers: {
            LaneRange truth =
                compared(node.comparison, operand(0).range, operand(1).range, node.operand_type(0).shape);
            return OutcomeValue::of(truth);
        }
        case OutcomeKind::compare_reals:
            return OutcomeValue::of(
                compared_reals(node.keyword, operand(0), operand(1), node.operand_type(0).shape));
        case OutcomeKind::select:
            return chosen(node);
        case OutcomeKind::load:
            return load(node);
        default:
            return {};
    }
}

/// Splats, broadcasts, casts of integers, a new dimension.
OutcomeValue ProgramOutcomes::copied(const OutcomeNode& node) {
    OutcomeValue out = values_[node.operands[0]];
    out.range.windowed = false;
    const Type& from = node.operand_type(0);
    if (node.kind == OutcomeKind::expand) {
        const auto axis = static_cast<size_t>(node.number);
        if (axis >= LaneRange::kRank) return {};
        for (size_t d = LaneRange::kRank - 1; d > axis; d--) out.range.step[d] = out.range.step[d - 1];
        out.range.step[axis] = 0;
        return out;
    }
    if (!out.range.known || out.argument >= 0) return out;
    // Of a number that may be negative, what is left depends on its width.
    if (node.kind == OutcomeKind::extend_unsigned && out.range.least(from.shape) < 0) return {};
    for (size_t d = 0; d < std::min(from.shape.size(), LaneRange::kRank); d++)
        if (from.shape[d] == 1) out.range.step[d] = 0;
    const LaneRange all = LaneRange::of_type(node.type());
    if (out.range.exact()) {
        out.range = LaneRange::exactly(wrapped_number(out.range.low, node.type().elem));
    } else if (all.known && (out.range.least(node.type().shape) < all.low ||
                             out.range.most(node.type().shape) > all.high)) {
        out.range = all;
    }
    return out;
}

OutcomeValue ProgramOutcomes::chosen(const OutcomeNode& node) {
    const OutcomeValue &condition = values_[node.operands[0]], &a = values_[node.operands[1]],
                       &b = values_[node.operands[2]];
    if (condition.range.exact()) return condition.range.low != 0 ? a : b;
    if (a.real && b.real) return OutcomeValue::reals(std::min(a.low, b.low), std::max(a.high, b.high));
    if (a.real || b.real || a.argument != b.argument) return {};
    OutcomeValue out = OutcomeValue::of(either(a.range, b.range, node.type().shape));
    out.argument = a.argument;
    return out;
}

/// A single number, of memory that is known.
OutcomeValue ProgramOutcomes::load(const OutcomeNode& node) {
    const Type& type = node.type();
    const OutcomeValue& pointer = values_[node.operands[0]];
    if (type.is_tensor() || type.kind != Type::Kind::scalar || pointer.argument < 0 || !pointer.range.exact())
        return {};
    const auto bits =
        memory_(static_cast<size_t>(pointer.argument), pointer.range.low, element_size(stored_scalar(type)));
    if (!bits) return {};
    if (is_followed_real(type.elem))
        return OutcomeValue::reals(real_of(*bits, type.elem), real_of(*bits, type.elem));
    if (!LaneRange::of_type(type).known && type.elem != Scalar::i64) return {};
    return OutcomeValue::of(LaneRange::exactly(wrapped_number(static_cast<int64_t>(*bits), type.elem)));
}

void ProgramOutcomes::hand_over(const std::vector<size_t>& from, size_t skip, const std::vector<size_t>& to,
                                size_t skip_to) {
    std::vector<OutcomeValue> values;  // some may be handed to each other's places
    for (size_t i = skip; i < from.size(); i++) values.push_back(values_[from[i]]);
    for (size_t i = 0; i < values.size() && i + skip_to < to.size(); i++)
        values_[to[i + skip_to]] = values[i];
}

void ProgramOutcomes::forget(const std::vector<size_t>& slots, size_t skip) {
    for (size_t i = skip; i < slots.size(); i++) values_[slots[i]] = {};
}

void ProgramOutcomes::loop(const OutcomeNode& node) {
    const OutcomeNode::Body& body = node.bodies.front();
    const LaneRange lower = values_[node.operands[0]].range, upper = values_[node.operands[1]].range,
                    step = values_[node.operands[2]].range;
    const bool exact = alone() && lower.exact() && upper.exact() && step.exact() && step.low > 0;
    const int64_t rounds = exact && upper.low > lower.low ? (upper.low - lower.low - 1) / step.low + 1 : 0;
    if (exact && rounds <= rounds_left_ / node.size) {
        hand_over(node.operands, 3, body.arguments, 1);
        const InnerLoop inner(rounds_before_);
        for (int64_t r = 0; r < rounds; r++) {
            rounds_left_ -= node.size;
            values_[body.arguments.front()] = OutcomeValue::of(LaneRange::exactly(lower.low + r * step.low));
            run(body.nodes);
            hand_over(body.yields, 0, body.arguments, 1);
            end_round();
        }
        return hand_over(body.arguments, 1, node.results, 0);
    }
    OutcomeValue counter;
    if (lower.known && upper.known)
        counter = OutcomeValue::of(LaneRange::between(lower.low, std::max(lower.low, upper.high - 1)));
    values_[body.arguments.front()] = counter;
    forget(body.arguments, 1);
    run(body.nodes);
    forget(node.results);
}

void ProgramOutcomes::while_loop(const OutcomeNode& node) {
    if (node.bodies.size() != 2) return forget(node.results);
    const OutcomeNode::Body &before = node.bodies[0], &after = node.bodies[1];
    if (alone()) {
        hand_over(node.operands, 0, before.arguments, 0);
        const InnerLoop inner(rounds_before_);
        while (rounds_left_ > 0 && !before.yields.empty()) {
            rounds_left_ -= node.size;
            run(before.nodes);
            const LaneRange more = values_[before.yields.front()].range;
            if (!more.exact()) break;
            if (more.low == 0) return hand_over(before.yields, 1, node.results, 0);
            hand_over(before.yields, 1, after.arguments, 0);
            run(after.nodes);
            hand_over(after.yields, 0, before.arguments, 0);
            end_round();
        }
    }
    forget(before.arguments);
    run(before.nodes);
    forget(after.arguments);
    run(after.nodes);
    forget(node.results);
}

void ProgramOutcomes::choice(const OutcomeNode& node) {
    const LaneRange condition = values_[node.operands.front()].range;
    if (condition.exact()) {
        const size_t taken = condition.low != 0 ? 0 : 1;
        if (taken >= node.bodies.size()) return forget(node.results);
        run(node.bodies[taken].nodes);
        return hand_over(node.bodies[taken].yields, 0, node.results, 0);
    }
    for (const OutcomeNode::Body& body : node.bodies) run(body.nodes);
    forget(node.results);
}

void ProgramOutcomes::call(const OutcomeNode& node) {
    const OutcomeNode::Body& body = node.bodies.front();
    hand_over(node.operands, 0, body.arguments, 0);
    run(body.nodes);
    if (body.yields.size() < node.results.size()) return forget(node.results);
    hand_over(body.yields, 0, node.results, 0);
}

}  // namespace tritonsmith::ttir
