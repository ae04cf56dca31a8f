#include "ttir/footprint/outcome_tree.h"

#include <algorithm>
#include <map>

#include "ttir/footprint/footprint_slice.h"
#include "ttir/interp/lower/exec_layout.h"

namespace tritonsmith::ttir {

namespace {

constexpr int kDeepestCall = 8;
constexpr int kMostPasses = 16;  ///< until what loops carry is known to all of their body

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

OutcomeValue known_constant(const Operation& op, const Type& type) {
    const auto found = op.attributes.find("value");
    if (found == op.attributes.end() || type.kind != Type::Kind::scalar) return {};
    if (const auto* number = std::get_if<TypedInt>(&found->second.v))
        return OutcomeValue::of(LaneRange::exactly(number->value));
    uint64_t bits = 0;
    if (const auto* real = std::get_if<TypedFloat>(&found->second.v))
        bits = real->bits;
    else if (const auto* dense = std::get_if<Dense>(&found->second.v);
             dense != nullptr && dense->bits.size() == 1)
        bits = dense->bits.front();
    else
        return {};
    if (is_followed_real(type.elem))
        return OutcomeValue::reals(real_of(bits, type.elem), real_of(bits, type.elem));
    if (!LaneRange::of_type(type).known && type.elem != Scalar::i64) return {};
    return OutcomeValue::of(LaneRange::exactly(wrapped_number(static_cast<int64_t>(bits), type.elem)));
}

OutcomeKind kind_of(const Operation& op) {
    static const std::map<std::string, OutcomeKind> kinds{{"arith.constant", OutcomeKind::constant},
                                                          {"tt.make_range", OutcomeKind::range},
                                                          {"tt.get_program_id", OutcomeKind::program_id},
                                                          {"tt.get_num_programs", OutcomeKind::num_programs},
                                                          {"tt.splat", OutcomeKind::copy},
                                                          {"tt.broadcast", OutcomeKind::copy},
                                                          {"arith.extsi", OutcomeKind::copy},
                                                          {"arith.extui", OutcomeKind::extend_unsigned},
                                                          {"arith.trunci", OutcomeKind::copy},
                                                          {"arith.index_cast", OutcomeKind::copy},
                                                          {"tt.expand_dims", OutcomeKind::expand},
                                                          {"tt.addptr", OutcomeKind::add_pointer},
                                                          {"arith.sitofp", OutcomeKind::to_real},
                                                          {"arith.uitofp", OutcomeKind::to_real},
                                                          {"arith.fptosi", OutcomeKind::to_integer},
                                                          {"math.absi", OutcomeKind::absolute},
                                                          {"arith.cmpi", OutcomeKind::compare_integers},
                                                          {"arith.cmpf", OutcomeKind::compare_reals},
                                                          {"arith.select", OutcomeKind::select},
                                                          {"tt.load", OutcomeKind::load},
                                                          {"tt.store", OutcomeKind::store},
                                                          {"tt.call", OutcomeKind::call},
                                                          {"scf.for", OutcomeKind::loop},
                                                          {"scf.while", OutcomeKind::while_loop},
                                                          {"scf.if", OutcomeKind::choice}};
    if (integer_op(op.name) != IntegerOp::other) return OutcomeKind::integers;
    if (real_op(op.name) != RealOp::other) return OutcomeKind::reals;
    const auto found = kinds.find(op.name);
    return found == kinds.end() ? OutcomeKind::other : found->second;
}

Distinguishes distinguished_by(const OutcomeNode& node) {
    using Op = IntegerOp;
    if (node.kind == OutcomeKind::compare_integers || node.kind == OutcomeKind::compare_reals)
        return Distinguishes::truth;
    if (node.kind == OutcomeKind::reals && (node.real == RealOp::least || node.real == RealOp::most))
        return Distinguishes::which;
    if (node.kind != OutcomeKind::integers) return Distinguishes::none;
    switch (node.integer) {
        case Op::least:
        case Op::most:
        case Op::least_unsigned:
        case Op::most_unsigned:
            return Distinguishes::which;
        case Op::divide:
        case Op::divide_unsigned:
        case Op::remainder:
        case Op::remainder_unsigned:
        case Op::shift_right:
        case Op::shift_right_unsigned:
        case Op::bits_and:
        case Op::bits_or:
        case Op::bits_xor:
            if (node.type().elem == Scalar::i1) return Distinguishes::truth;
            return node.type().is_tensor() ? Distinguishes::none : Distinguishes::zero;
        default:
            return Distinguishes::none;
    }
}

class OutcomeBuilder {
  public:
    OutcomeBuilder(const Module& module, OutcomeTree& tree) : module_(module), tree_(tree) {}

    /// The function's body, with slots of its own. @return its first slot
    size_t function(const Function& function, OutcomeNode::Body& body, int depth) {
        const size_t first = tree_.slots;
        tree_.slots += function.values.size();
        for (ValueId v : function.parameters) body.arguments.push_back(first + static_cast<size_t>(v));
        region(function.body, function, first, body, depth);
        return first;
    }

  private:
    void region(const Region& from, const Function& function, size_t first, OutcomeNode::Body& body,
                int depth) {
        const bool one = from.blocks.size() == 1;
        for (const Block& block : from.blocks)
            for (const Operation& op : block.operations)
                body.nodes.push_back(node(op, function, first, depth));
        if (from.blocks.empty()) return;
        if (one && body.arguments.empty())
            for (ValueId v : from.blocks.front().arguments)
                body.arguments.push_back(first + static_cast<size_t>(v));
        // Of several blocks it is not known which one ends.
        if (one && !from.blocks.back().operations.empty())
            for (ValueId v : from.blocks.back().operations.back().operands)
                body.yields.push_back(first + static_cast<size_t>(v));
    }

    OutcomeNode node(const Operation& op, const Function& function, size_t first, int depth) {
        OutcomeNode node;
        node.op = &op;
        node.function = &function;
        node.kind = kind_of(op);
        for (ValueId v : op.operands) node.operands.push_back(first + static_cast<size_t>(v));
        for (ValueId v : op.results) node.results.push_back(first + static_cast<size_t>(v));
        node.integer = integer_op(op.name);
        node.real = real_op(op.name);
        if (node.kind == OutcomeKind::program_id || node.kind == OutcomeKind::num_programs) {
            const std::string axis = keyword_of(op, "axis");
            node.number = axis == "y" ? 1 : axis == "z" ? 2 : 0;
        }
        if (node.kind == OutcomeKind::range) node.number = number_attribute(op, "start");
        if (node.kind == OutcomeKind::expand) node.number = number_attribute(op, "axis");
        if (node.kind == OutcomeKind::store) node.number = pointee_bytes(node.operand_type(0));
        if (node.kind == OutcomeKind::add_pointer) node.number = pointee_bytes(node.type());
        if (node.kind == OutcomeKind::constant) node.constant = known_constant(op, node.type());
        node.keyword = keyword_of(op, "predicate");
        if (node.kind == OutcomeKind::compare_integers) node.comparison = comparison(node.keyword);
        if (op.name == "arith.extsi" && bits_of(node.operand_type(0).elem) == 1)
            node.kind = OutcomeKind::extend_truth;
        for (const Region& inner : op.regions)
            region(inner, function, first, node.bodies.emplace_back(), depth);
        if (node.kind == OutcomeKind::call) call(op, node, depth);
        for (const OutcomeNode::Body& body : node.bodies)
            for (const OutcomeNode& inner : body.nodes) node.size += inner.size;
        return node;
    }

    void call(const Operation& op, OutcomeNode& node, int depth) {
        const auto callee = op.attributes.find("callee");
        const auto* name =
            callee == op.attributes.end() ? nullptr : std::get_if<std::string>(&callee->second.v);
        const Function* function = name != nullptr ? module_.find(*name) : nullptr;
        if (function == nullptr || depth >= kDeepestCall ||
            function->parameters.size() != node.operands.size()) {
            node.kind = OutcomeKind::other;
            return;
        }
        OutcomeNode::Body& body = node.bodies.emplace_back();
        this->function(*function, body, depth + 1);
    }

    const Module& module_;
    OutcomeTree& tree_;
};

bool stores(const OutcomeNode& node) {
    return node.kind == OutcomeKind::store ||
           std::any_of(node.bodies.begin(), node.bodies.end(), [](const OutcomeNode::Body& body) {
               return std::any_of(body.nodes.begin(), body.nodes.end(), stores);
           });
}

/// What derives from program_id, or from counters of loops that store, and what outcomes are made of it.
class OutcomeMarker {
  public:
    explicit OutcomeMarker(OutcomeTree& tree)
        : tree_(tree), of_program_(tree.slots), depends_(tree.slots), needed_(tree.slots) {}

    void run() {
        for (int pass = 0; pass < kMostPasses && depend(of_program_, tree_.nodes, false); pass++) {
        }
        depends_ = of_program_;
        begin_with_counters(tree_.nodes);
        for (int pass = 0; pass < kMostPasses && depend(depends_, tree_.nodes, false); pass++) {
        }
        number(tree_.nodes, false);
        for (int pass = 0; pass < kMostPasses && need(tree_.nodes); pass++) {
        }
        prune(tree_.nodes);
    }

  private:
    bool add(std::vector<bool>& set, size_t slot) {
        if (set[slot]) return false;
        set[slot] = true;
        return true;
    }
    /// Values of one list are handed to those of another.
    bool flow(std::vector<bool>& set, const std::vector<size_t>& from, size_t skip,
              const std::vector<size_t>& to, size_t skip_to, bool backwards) {
        bool changed = false;
        for (size_t i = 0; i + skip < from.size() && i + skip_to < to.size(); i++) {
            const size_t a = from[i + skip], b = to[i + skip_to];
            if (!backwards && set[a]) changed |= add(set, b);
            if (backwards && set[b]) changed |= add(set, a);
        }
        return changed;
    }
    /// All ways of a node's values into its bodies, between them and out of them.
    bool flows(std::vector<bool>& set, const OutcomeNode& node, bool backwards) {
        bool changed = false;
        const auto pass = [&](const auto& from, size_t skip, const auto& to, size_t skip_to) {
            changed |= flow(set, from, skip, to, skip_to, backwards);
        };
        const auto& bodies = node.bodies;
        if (node.kind == OutcomeKind::loop) {
            pass(node.operands, 3, bodies[0].arguments, 1);
            pass(bodies[0].yields, 0, bodies[0].arguments, 1);
            pass(bodies[0].yields, 0, node.results, 0);
            pass(node.operands, 3, node.results, 0);
        } else if (node.kind == OutcomeKind::while_loop && bodies.size() == 2) {
            pass(node.operands, 0, bodies[0].arguments, 0);
            pass(bodies[0].yields, 1, bodies[1].arguments, 0);
            pass(bodies[1].yields, 0, bodies[0].arguments, 0);
            pass(bodies[0].yields, 1, node.results, 0);
        } else if (node.kind == OutcomeKind::call) {
            pass(node.operands, 0, bodies[0].arguments, 0);
            pass(bodies[0].yields, 0, node.results, 0);
        } else {
            for (const auto& body : bodies) pass(body.yields, 0, node.results, 0);
        }
        return changed;
    }

    void begin_with_counters(const std::vector<OutcomeNode>& nodes) {
        for (const OutcomeNode& node : nodes) {
            if (!stores(node)) continue;
            if (node.kind == OutcomeKind::loop) depends_[node.bodies.front().arguments.front()] = true;
            if (node.kind == OutcomeKind::while_loop)
                for (size_t i = 0; i < node.bodies.front().arguments.size(); i++)
                    if (!node.operand_type(i).is_tensor()) depends_[node.bodies.front().arguments[i]] = true;
            for (const OutcomeNode::Body& body : node.bodies) begin_with_counters(body.nodes);
        }
    }

    bool depend(std::vector<bool>& set, const std::vector<OutcomeNode>& nodes, bool chosen) {
        bool changed = false;
        for (const OutcomeNode& node : nodes) {
            bool depends = node.kind == OutcomeKind::program_id, inner = chosen;
            const bool bodies = !node.bodies.empty();
            for (size_t slot : node.operands) depends |= set[slot];
            if (node.kind == OutcomeKind::choice) inner |= set[node.operands.front()];
            // Blocks of numbers that are loaded are not known.
            if (node.kind == OutcomeKind::load && node.type().is_tensor()) depends = false;
            if (node.kind == OutcomeKind::loop && (set[node.operands[0]] || set[node.operands[1]]))
                changed |= add(set, node.bodies[0].arguments.front());
            changed |= flows(set, node, false);
            for (const OutcomeNode::Body& body : node.bodies) changed |= depend(set, body.nodes, inner);
            if ((!bodies && depends) || (node.kind == OutcomeKind::choice && inner))
                for (size_t slot : node.results) changed |= add(set, slot);
        }
        return changed;
    }

    void number(std::vector<OutcomeNode>& nodes, bool in_loop) {
        for (OutcomeNode& node : nodes) {
            const bool loops = node.kind == OutcomeKind::loop || node.kind == OutcomeKind::while_loop;
            for (OutcomeNode::Body& body : node.bodies) number(body.nodes, in_loop || loops);
            if (node.results.size() != 1 || !depends_[node.results.front()]) continue;
            node.distinguishes = distinguished_by(node);
            if (node.distinguishes == Distinguishes::none) continue;
            node.number_of_outcome = tree_.outcomes++;
            tree_.of_program.push_back(of_program_[node.results.front()]);
            tree_.of_rounds |= !tree_.of_program.back();
            tree_.elaborate |=
                tree_.of_program.back() && (in_loop || node.distinguishes == Distinguishes::zero ||
                                            node.kind == OutcomeKind::compare_reals);
        }
    }

    bool need(const std::vector<OutcomeNode>& nodes) {
        bool changed = false;
        for (size_t i = nodes.size(); i-- > 0;) {
            const OutcomeNode& node = nodes[i];
            bool wanted = node.distinguishes != Distinguishes::none || node.kind == OutcomeKind::store,
                 inside = false;
            for (const OutcomeNode::Body& body : node.bodies) {
                changed |= need(body.nodes);
                inside |= any_wanted(body.nodes);
                for (size_t slot : body.arguments) inside |= needed_[slot];
            }
            changed |= flows(needed_, node, true);
            for (size_t slot : node.results) wanted |= needed_[slot];
            if (!wanted && !inside) continue;
            size_t count = node.operands.size();
            if (node.kind == OutcomeKind::loop) count = 3;
            if (node.kind == OutcomeKind::choice || node.kind == OutcomeKind::store) count = 1;
            if (node.kind == OutcomeKind::call || node.kind == OutcomeKind::while_loop ||
                node.kind == OutcomeKind::other)
                count = 0;
            for (size_t k = 0; k < std::min(count, node.operands.size()); k++)
                changed |= add(needed_, node.operands[k]);
            if (node.kind == OutcomeKind::while_loop && node.bodies.size() == 2 &&
                !node.bodies[0].yields.empty())
                changed |= add(needed_, node.bodies[0].yields.front());  // the condition
        }
        return changed;
    }

    bool wanted(const OutcomeNode& node) const {
        return node.distinguishes != Distinguishes::none || node.kind == OutcomeKind::store ||
               std::any_of(node.results.begin(), node.results.end(), [&](size_t s) { return needed_[s]; }) ||
               std::any_of(node.bodies.begin(), node.bodies.end(),
                           [&](const OutcomeNode::Body& body) { return any_wanted(body.nodes); });
    }
    bool any_wanted(const std::vector<OutcomeNode>& nodes) const {
        return std::any_of(nodes.begin(), nodes.end(), [&](const OutcomeNode& node) { return wanted(node); });
    }

    void prune(std::vector<OutcomeNode>& nodes) {
        std::erase_if(nodes, [&](const OutcomeNode& node) { return !wanted(node); });
        for (OutcomeNode& node : nodes) {
            node.size = 1;
            for (OutcomeNode::Body& body : node.bodies) {
                prune(body.nodes);
                for (const OutcomeNode& inner : body.nodes) node.size += inner.size;
            }
        }
    }

    OutcomeTree& tree_;
    std::vector<bool> of_program_;  ///< by slot: derives from program_id
    std::vector<bool> depends_, needed_;
};

}  // namespace

OutcomeTree::OutcomeTree(const Module& module) {
    const Function* entry = module.entry();
    if (entry == nullptr) return;
    OutcomeNode::Body body;
    OutcomeBuilder(module, *this).function(*entry, body, 0);
    nodes = std::move(body.nodes);
    OutcomeMarker(*this).run();
}

}  // namespace tritonsmith::ttir
