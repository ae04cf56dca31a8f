#include "ttir/footprint/program_outcomes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "ttir/footprint/footprint_slice.h"
#include "ttir/interp/lower/exec_layout.h"

namespace tritonsmith::ttir {

namespace {

using Outcomes = ProgramOutcomes::Outcomes;

bool compares(const Operation& op) {
    return op.name == "arith.cmpi" || op.name == "arith.cmpf" || op.name == "arith.minsi" ||
           op.name == "arith.maxsi" || op.name == "arith.minui" || op.name == "arith.maxui";
}

std::string keyword_of(const Operation& op, const std::string& name) {
    const auto found = op.attributes.find(name);
    const auto* word = found == op.attributes.end() ? nullptr : std::get_if<EnumAttribute>(&found->second.v);
    return word != nullptr ? word->value : "";
}

int64_t number_attribute(const Operation& op, const std::string& name) {
    const auto found = op.attributes.find(name);
    const auto* number = found == op.attributes.end() ? nullptr : std::get_if<TypedInt>(&found->second.v);
    return number != nullptr ? number->value : 0;
}

bool is_real(Scalar elem) {
    return elem == Scalar::f32 || elem == Scalar::f64;
}

double real_of(uint64_t bits, Scalar elem) {
    return elem == Scalar::f64 ? std::bit_cast<double>(bits)
                               : static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
}

int64_t wrapped_number(int64_t value, Scalar elem) {
    if (elem == Scalar::i1) return value & 1;
    if (elem == Scalar::i8) return static_cast<int8_t>(value);
    if (elem == Scalar::i16) return static_cast<int16_t>(value);
    if (elem == Scalar::i32) return static_cast<int32_t>(value);
    return value;
}

int bits_of(Scalar elem) {
    return elem == Scalar::i1 ? 1 : 8 * element_size(elem);
}

/// Of two numbers that are known, as the device does it; false where that is not defined.
bool exact(IntegerOp op, int64_t a, int64_t b, int bits, int64_t& out) {
    using Op = IntegerOp;
    const uint64_t mask = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    const uint64_t ux = x & mask, uy = y & mask;
    const bool divides = b != 0 && !(b == -1 && a == INT64_MIN), shifts = uy < static_cast<uint64_t>(bits);
    switch (op) {
        case Op::add:
            out = static_cast<int64_t>(x + y);
            return true;
        case Op::subtract:
            out = static_cast<int64_t>(x - y);
            return true;
        case Op::multiply:
            out = static_cast<int64_t>(x * y);
            return true;
        case Op::divide:
            out = divides ? a / b : 0;
            return divides;
        case Op::remainder:
            out = divides ? a % b : 0;
            return divides;
        case Op::divide_unsigned:
            out = uy != 0 ? static_cast<int64_t>(ux / uy) : 0;
            return uy != 0;
        case Op::remainder_unsigned:
            out = uy != 0 ? static_cast<int64_t>(ux % uy) : 0;
            return uy != 0;
        case Op::least:
            out = std::min(a, b);
            return true;
        case Op::most:
            out = std::max(a, b);
            return true;
        case Op::least_unsigned:
            out = static_cast<int64_t>(std::min(ux, uy));
            return true;
        case Op::most_unsigned:
            out = static_cast<int64_t>(std::max(ux, uy));
            return true;
        case Op::shift_left:
            out = shifts ? static_cast<int64_t>(ux << uy) : 0;
            return shifts;
        case Op::shift_right:
            out = shifts ? a >> uy : 0;
            return shifts;
        case Op::shift_right_unsigned:
            out = shifts ? static_cast<int64_t>(ux >> uy) : 0;
            return shifts;
        case Op::bits_and:
            out = a & b;
            return true;
        case Op::bits_or:
            out = a | b;
            return true;
        case Op::bits_xor:
            out = a ^ b;
            return true;
        default:
            return false;
    }
}

}  // namespace

ProgramOutcomes::ProgramOutcomes(const Module& module, const std::array<int64_t, 3>& grid,
                                 const std::vector<Argument>& arguments, const KnownMemory& memory)
    : function_(module.entry()), grid_(grid), memory_(memory) {
    if (function_ == nullptr || arguments.size() != function_->parameters.size()) return;
    depends_.assign(function_->values.size(), false);
    needed_.assign(function_->values.size(), false);
    parameters_.resize(function_->values.size());
    find(function_->body);
    // Loops carry values backwards: once more is enough for what one round carries.
    find(function_->body);
    need(function_->body);
    need(function_->body);
    build(function_->body);
    for (size_t i = 0; i < arguments.size(); i++) {
        const ValueId v = function_->parameters[i];
        Value& value = parameters_[static_cast<size_t>(v)];
        if (const auto* number = std::get_if<int64_t>(&arguments[i]);
            number != nullptr && type(v).kind == Type::Kind::scalar) {
            value.range = LaneRange::exactly(wrapped_number(*number, type(v).elem));
        } else if (const auto* real = std::get_if<double>(&arguments[i])) {
            value.is_real = true;
            value.real = type(v).elem == Scalar::f64 ? *real : static_cast<double>(static_cast<float>(*real));
        } else if (const auto* pointer = std::get_if<PointerArgument>(&arguments[i])) {
            value.range = LaneRange::exactly(pointer->offset);
            value.argument = static_cast<int>(i);
        }
    }
}

/// What derives from program_id, and the comparisons of it.
void ProgramOutcomes::find(const Region& region) {
    for (const Block& block : region.blocks)
        for (const Operation& op : block.operations) {
            bool depends = op.name == "tt.get_program_id";
            for (ValueId v : op.operands) depends |= depends_[static_cast<size_t>(v)];
            if (op.name == "scf.for" && depends)
                for (const Region& body : op.regions)
                    for (ValueId v : body.blocks.front().arguments) depends_[static_cast<size_t>(v)] = true;
            // Blocks of numbers that are loaded are not known.
            if (op.name == "tt.load" && type(op.results.front()).is_tensor()) depends = false;
            for (const Region& nested : op.regions) {
                find(nested);
                for (const Block& last : nested.blocks)
                    if (!last.operations.empty())
                        for (ValueId v : last.operations.back().operands)
                            depends |= depends_[static_cast<size_t>(v)];
            }
            for (ValueId v : op.results) depends_[static_cast<size_t>(v)] = depends;
        }
}

/// From the comparisons back to what they are made of.
void ProgramOutcomes::need(const Region& region) {
    for (size_t b = region.blocks.size(); b-- > 0;)
        for (size_t i = region.blocks[b].operations.size(); i-- > 0;) {
            const Operation& op = region.blocks[b].operations[i];
            for (const Region& nested : op.regions) need(nested);
            bool wanted = compares(op) && depends_[static_cast<size_t>(op.results.front())];
            for (ValueId v : op.results) wanted |= needed_[static_cast<size_t>(v)];
            if (op.name == "scf.for")
                wanted |= needed_[static_cast<size_t>(op.regions.front().blocks.front().arguments.front())];
            if (!wanted || (!op.regions.empty() && op.name != "scf.for")) continue;
            const size_t count = op.name == "scf.for" ? 3 : op.operands.size();
            for (size_t k = 0; k < std::min(count, op.operands.size()); k++)
                needed_[static_cast<size_t>(op.operands[k])] = true;
        }
}

void ProgramOutcomes::build(const Region& region) {
    for (const Block& block : region.blocks)
        for (const Operation& op : block.operations) {
            bool wanted = false;
            for (ValueId v : op.results) wanted |= needed_[static_cast<size_t>(v)];
            Node node = node_of(op);
            if (op.name == "scf.for") {
                const ValueId counter = op.regions.front().blocks.front().arguments.front();
                if (needed_[static_cast<size_t>(counter)]) nodes_.push_back(node);
            } else if (op.results.size() == 1 && op.regions.empty()) {
                node.outcome = compares(op) && depends_[static_cast<size_t>(op.results.front())];
                comparisons_ += node.outcome;
                if (wanted || node.outcome) nodes_.push_back(node);
            }
            for (const Region& nested : op.regions) build(nested);
        }
}

ProgramOutcomes::Node ProgramOutcomes::node_of(const Operation& op) const {
    using Kind = Node::Kind;
    static const std::map<std::string, Kind> kinds{{"arith.constant", Kind::constant},
                                                   {"tt.make_range", Kind::range},
                                                   {"tt.get_program_id", Kind::program_id},
                                                   {"tt.get_num_programs", Kind::num_programs},
                                                   {"tt.splat", Kind::copy},
                                                   {"tt.broadcast", Kind::copy},
                                                   {"arith.extsi", Kind::copy},
                                                   {"arith.extui", Kind::copy},
                                                   {"arith.trunci", Kind::copy},
                                                   {"arith.index_cast", Kind::copy},
                                                   {"tt.expand_dims", Kind::expand},
                                                   {"tt.addptr", Kind::add_pointer},
                                                   {"arith.sitofp", Kind::to_float},
                                                   {"arith.uitofp", Kind::to_float},
                                                   {"arith.fptosi", Kind::to_integer},
                                                   {"arith.addf", Kind::floats},
                                                   {"arith.subf", Kind::floats},
                                                   {"arith.mulf", Kind::floats},
                                                   {"arith.divf", Kind::floats},
                                                   {"arith.cmpi", Kind::compare_integers},
                                                   {"arith.cmpf", Kind::compare_floats},
                                                   {"arith.select", Kind::select},
                                                   {"tt.load", Kind::load},
                                                   {"scf.for", Kind::counter}};
    Node node{&op};
    const auto found = kinds.find(op.name);
    if (found != kinds.end()) node.kind = found->second;
    if (node.integer = integer_op(op.name); node.integer != IntegerOp::other) node.kind = Kind::integers;
    if (node.kind == Kind::program_id || node.kind == Kind::num_programs) {
        const std::string axis = keyword_of(op, "axis");
        node.number = axis == "y" ? 1 : axis == "z" ? 2 : 0;
    }
    if (node.kind == Kind::range) node.number = number_attribute(op, "start");
    if (node.kind == Kind::expand) node.number = number_attribute(op, "axis");
    if (node.kind == Kind::add_pointer) node.number = pointee_bytes(type(op.results.front()));
    if (node.kind == Kind::compare_integers) node.comparison = comparison(keyword_of(op, "predicate"));
    if (op.name == "arith.extsi" && bits_of(type(op.operands.front()).elem) == 1) node.kind = Kind::extend;
    return node;
}

Outcomes ProgramOutcomes::of(const ProgramBox& box) {
    box_ = box;
    values_ = parameters_;
    Outcomes out;
    for (const Node& node : nodes_) {
        Value value = evaluate(node);
        const ValueId result = node.kind == Node::Kind::counter
                                   ? node.op->regions.front().blocks.front().arguments.front()
                                   : node.op->results.front();
        if (node.outcome) {
            char outcome = 'x';
            if (node.kind == Node::Kind::integers && value.range.known) {
                // Of a minimum or maximum: which of the two it is.
                const std::vector<int64_t>& shape = type(result).shape;
                const LaneRange less = compared({Predicate::less, false}, at(node.op->operands[0]).range,
                                                at(node.op->operands[1]).range, shape);
                if (less.low == less.high) outcome = less.low != 0 ? '1' : '0';
            } else if (value.range.known && value.range.low == value.range.high) {
                outcome = value.range.low != 0 ? '1' : '0';
            }
            out.each += outcome;
            out.one &= outcome != 'x';
        }
        at(result) = fitted(result, std::move(value));
    }
    out.one |= box.to[0] - box.from[0] == 1 && box.to[1] - box.from[1] == 1 && box.to[2] - box.from[2] == 1;
    return out;
}

/// What does not fit into the type wraps.
ProgramOutcomes::Value ProgramOutcomes::fitted(ValueId v, Value value) const {
    const Type& t = type(v);
    if (t.shape.size() > LaneRange::kRank) return {};
    if (t.kind != Type::Kind::scalar || value.is_real || !value.range.known) return value;
    const LaneRange all = LaneRange::of_type(t);
    if (value.range.exact())
        value.range = LaneRange::exactly(wrapped_number(value.range.low, t.elem));
    else if (all.known && (value.range.least(t.shape) < all.low || value.range.most(t.shape) > all.high))
        value.range = all;
    return value;
}

ProgramOutcomes::Value ProgramOutcomes::evaluate(const Node& node) {
    using Kind = Node::Kind;
    const Operation& op = *node.op;
    const auto operand = [&](size_t i) -> const Value& { return at(op.operands[i]); };
    const auto axis = static_cast<size_t>(node.number);
    Value out;
    switch (node.kind) {
        case Kind::constant: {
            const Type& t = type(op.results.front());
            const auto found = op.attributes.find("value");
            if (found == op.attributes.end() || t.kind != Type::Kind::scalar) return out;
            if (const auto* number = std::get_if<TypedInt>(&found->second.v)) {
                out.range = LaneRange::exactly(number->value);
            } else if (const auto* real = std::get_if<TypedFloat>(&found->second.v)) {
                out.is_real = is_real(t.elem);
                out.real = real_of(real->bits, t.elem);
            } else if (const auto* dense = std::get_if<Dense>(&found->second.v);
                       dense != nullptr && dense->bits.size() == 1) {
                out.is_real = is_real(t.elem);
                if (out.is_real)
                    out.real = real_of(dense->bits[0], t.elem);
                else if (LaneRange::of_type(t).known || t.elem == Scalar::i64)
                    out.range =
                        LaneRange::exactly(wrapped_number(static_cast<int64_t>(dense->bits[0]), t.elem));
            }
            return out;
        }
        case Kind::range:
            out.range = LaneRange::exactly(node.number);
            out.range.step[0] = 1;
            return out;
        case Kind::program_id:
            out.range = LaneRange::between(box_.from[axis], box_.to[axis] - 1);
            return out;
        case Kind::num_programs:
            out.range = LaneRange::exactly(grid_[axis]);
            return out;
        case Kind::copy: {
            out = operand(0);
            out.range.windowed = false;
            const Type& from = type(op.operands[0]);
            // Of a number that may be negative, what is left depends on its width.
            if (op.name == "arith.extui" && out.range.known && out.range.least(from.shape) < 0) return {};
            for (size_t d = 0; d < std::min(from.shape.size(), LaneRange::kRank); d++)
                if (from.shape[d] == 1) out.range.step[d] = 0;
            return out;
        }
        case Kind::extend:
            if (operand(0).range.known)
                out.range = LaneRange::between(-operand(0).range.high, -operand(0).range.low);
            return out;
        case Kind::expand:
            if (axis >= LaneRange::kRank) return out;
            out = operand(0);
            out.range.windowed = false;
            for (size_t d = LaneRange::kRank - 1; d > axis; d--) out.range.step[d] = out.range.step[d - 1];
            out.range.step[axis] = 0;
            return out;
        case Kind::add_pointer:
            out.argument = operand(0).argument;
            if (node.number > 0) out.range = plus(operand(0).range, times(operand(1).range, node.number));
            return out;
        case Kind::integers:
            return integers(node);
        case Kind::floats:
            return floats(node);
        case Kind::to_float:
            out.is_real = operand(0).range.exact() && is_real(type(op.results.front()).elem);
            out.real = static_cast<double>(operand(0).range.low);
            if (type(op.results.front()).elem == Scalar::f32) out.real = static_cast<float>(out.real);
            return out;
        case Kind::to_integer:
            if (operand(0).is_real && std::abs(operand(0).real) < 0x1p31)
                out.range = LaneRange::exactly(static_cast<int64_t>(operand(0).real));
            return out;
        case Kind::compare_integers:
            out.range =
                compared(node.comparison, operand(0).range, operand(1).range, type(op.operands[0]).shape);
            out.range.windowed = false;
            return out;
        case Kind::compare_floats:
            (void)compare_floats(node, out);
            return out;
        case Kind::select:
            if (operand(0).range.exact()) return operand(operand(0).range.low != 0 ? 1 : 2);
            if (operand(1).argument == operand(2).argument) {
                out.argument = operand(1).argument;
                out.range = either(operand(1).range, operand(2).range, type(op.results.front()).shape);
            }
            return out;
        case Kind::load:
            return load(node);
        case Kind::counter: {
            const LaneRange &lower = operand(0).range, &upper = operand(1).range;
            if (lower.known && upper.known)
                out.range = LaneRange::between(lower.low, std::max(lower.low, upper.high - 1));
            return out;
        }
        case Kind::other:
            break;
    }
    return out;
}

ProgramOutcomes::Value ProgramOutcomes::integers(const Node& node) {
    const LaneRange &a = at(node.op->operands[0]).range, &b = at(node.op->operands[1]).range;
    const Type& t = type(node.op->results.front());
    Value out;
    int64_t number = 0;
    if (a.exact() && b.exact() && exact(node.integer, a.low, b.low, bits_of(t.elem), number))
        out.range = LaneRange::exactly(number);
    else if (bits_of(t.elem) > 1)
        out.range = arithmetic(node.integer, a, b, t.shape);
    return out;
}

ProgramOutcomes::Value ProgramOutcomes::floats(const Node& node) {
    const Operation& op = *node.op;
    const Value &a = at(op.operands[0]), &b = at(op.operands[1]);
    Value out;
    out.is_real = a.is_real && b.is_real;
    if (!out.is_real) return out;
    out.real = op.name == "arith.addf"   ? a.real + b.real
               : op.name == "arith.subf" ? a.real - b.real
               : op.name == "arith.mulf" ? a.real * b.real
                                         : a.real / b.real;
    if (type(op.results.front()).elem == Scalar::f32) out.real = static_cast<float>(out.real);
    return out;
}

bool ProgramOutcomes::compare_floats(const Node& node, Value& out) {
    const Operation& op = *node.op;
    const Value &a = at(op.operands[0]), &b = at(op.operands[1]);
    out.range = LaneRange::between(0, 1);
    if (!a.is_real || !b.is_real || std::isnan(a.real) || std::isnan(b.real)) return false;
    const std::string predicate = keyword_of(op, "predicate");
    const std::string_view what = predicate.size() == 3 ? std::string_view(predicate).substr(1) : "";
    const bool truth = what == "eq"   ? a.real == b.real
                       : what == "ne" ? a.real != b.real
                       : what == "lt" ? a.real < b.real
                       : what == "le" ? a.real <= b.real
                       : what == "gt" ? a.real > b.real
                                      : a.real >= b.real;
    out.range = LaneRange::exactly(truth);
    return true;
}

/// A single number, of memory that is known.
ProgramOutcomes::Value ProgramOutcomes::load(const Node& node) {
    const Type& t = type(node.op->results.front());
    const Value& pointer = at(node.op->operands[0]);
    Value out;
    if (t.is_tensor() || t.kind != Type::Kind::scalar || pointer.argument < 0 || !pointer.range.exact())
        return out;
    const auto bits =
        memory_(static_cast<size_t>(pointer.argument), pointer.range.low, element_size(stored_scalar(t)));
    if (!bits) return out;
    if (is_real(t.elem)) {
        out.is_real = true;
        out.real = real_of(*bits, t.elem);
    } else if (LaneRange::of_type(t).known || t.elem == Scalar::i64) {
        out.range = LaneRange::exactly(wrapped_number(static_cast<int64_t>(*bits), t.elem));
    }
    return out;
}

}  // namespace tritonsmith::ttir
