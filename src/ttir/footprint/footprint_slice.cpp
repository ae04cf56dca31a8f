#include "ttir/footprint/footprint_slice.h"

#include <algorithm>
#include <map>

#include "ttir/analysis/effects.h"
#include "ttir/interp/lower/exec_layout.h"
#include "ttir/ir/type_text.h"

namespace tritonsmith::ttir {

namespace {

using Kind = SliceNode::Kind;

bool is_truth(const Type& type) {
    return type.kind == Type::Kind::scalar && type.elem == Scalar::i1;
}

struct MemoryUse {
    bool reads = false, writes = false, box = false;
};

/// What an operation does to the memory behind its first operand.
MemoryUse use_of(const Operation& op, bool result_used) {
    static const std::map<std::string, MemoryUse> all{{"tt.load", {true, false, false}},
                                                      {"tt.store", {false, true, false}},
                                                      {"tt.atomic_rmw", {true, true, false}},
                                                      {"tt.atomic_cas", {true, true, false}},
                                                      {"tt.descriptor_load", {true, false, true}},
                                                      {"tt.descriptor_gather", {true, false, true}},
                                                      {"tt.descriptor_store", {false, true, true}},
                                                      {"tt.descriptor_scatter", {false, true, true}},
                                                      {"tt.descriptor_reduce", {false, true, true}}};
    const auto found = all.find(op.name);
    if (found == all.end()) return {};
    MemoryUse use = found->second;
    // What an atomic leaves in memory is asked by whoever reads it; the program does not, if it drops the old
    // value. (A compare-and-swap may leave what it found.)
    if (op.name == "tt.atomic_rmw" && !result_used) use.reads = false;
    return use;
}

int64_t sign_extended(uint64_t bits, Scalar elem) {
    if (elem == Scalar::i1) return static_cast<int64_t>(bits & 1);
    const int shift = 64 - 8 * element_size(elem);
    return static_cast<int64_t>(bits << shift) >> shift;
}

LaneRange constant_of(const Operation& op, const Type& type) {
    if (type.kind != Type::Kind::scalar || !is_integer(type.elem)) return LaneRange::unknown();
    const auto found = op.attributes.find("value");
    if (found == op.attributes.end()) return LaneRange::unknown();
    if (const auto* number = std::get_if<TypedInt>(&found->second.v))
        return LaneRange::exactly(number->value);
    const auto* dense = std::get_if<Dense>(&found->second.v);
    if (dense == nullptr || dense->bits.empty()) return LaneRange::unknown();
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (uint64_t bits : dense->bits) {
        const int64_t v = sign_extended(bits, type.elem);
        low = std::min(low, v);
        high = std::max(high, v);
    }
    return LaneRange::between(low, high);
}

int64_t integer_attribute(const Operation& op, const std::string& name, int64_t otherwise) {
    const auto found = op.attributes.find(name);
    if (found == op.attributes.end()) return otherwise;
    const auto* number = std::get_if<TypedInt>(&found->second.v);
    return number != nullptr ? number->value : otherwise;
}

std::string keyword(const Operation& op, const std::string& name) {
    const auto found = op.attributes.find(name);
    const auto* word = found == op.attributes.end() ? nullptr : std::get_if<EnumAttribute>(&found->second.v);
    return word != nullptr ? word->value : "";
}

template <class F>
void each_operation(const Region& region, const F& f) {
    for (const Block& block : region.blocks)
        for (const Operation& op : block.operations) {
            f(op);
            for (const Region& nested : op.regions) each_operation(nested, f);
        }
}

}  // namespace

int64_t pointee_bytes(const Type& type) {
    if (type.pointee == nullptr || type.pointee->kind != Type::Kind::scalar) return 0;
    return element_size(stored_scalar(*type.pointee));
}

FootprintSlice::FootprintSlice(const Module& module, uint64_t parameters)
    : module_(module), function_(module.entry()), parameters_(parameters) {
    if (function_ == nullptr || function_->parameters.size() > 64) {
        followed_ = false;
        return;
    }
    const size_t values = function_->values.size();
    roots_.assign(values, 0);
    needed_.assign(values, false);
    used_.assign(values, false);
    each_operation(function_->body, [&](const Operation& op) {
        for (ValueId v : op.operands) used_[static_cast<size_t>(v)] = true;
        for (const Successor& s : op.successors)
            for (ValueId v : s.arguments) used_[static_cast<size_t>(v)] = true;
    });
    // Addresses that come from nowhere.
    for (const Function& f : module.functions)
        each_operation(f.body, [&](const Operation& op) {
            followed_ &= op.name != "tt.int_to_ptr" &&
                         !(op.name == "tt.load" &&
                           f.values[static_cast<size_t>(op.results[0])].kind == Type::Kind::pointer);
        });
    for (const Effect& effect : parameter_effects(module)) followed_ &= !effect.escapes;
    if (!followed_) return;
    find_roots();
    each_operation(function_->body, [&](const Operation& op) {
        several_blocks_ |= !op.successors.empty();
        const MemoryUse use = use_of(op, true);
        followed_ &= !(use.reads || use.writes) || roots(op.operands[0]) != 0;
    });
    if (!followed_) return;
    while (mark(function_->body)) {
    }
    nodes_ = build(function_->body);
}

void FootprintSlice::find_roots() {
    for (size_t i = 0; i < function_->parameters.size(); i++) {
        const auto v = static_cast<size_t>(function_->parameters[i]);
        if (points(function_->values[v])) roots_[v] = uint64_t{1} << i;
    }
    while (flow(function_->body)) {
    }
}

/// One round of where pointers go; true where something was new.
bool FootprintSlice::flow(const Region& region) {
    bool changed = false;
    const auto into = [&](uint64_t from, ValueId to) {
        const auto v = static_cast<size_t>(to);
        if (!points(function_->values[v]) || (from & ~roots_[v]) == 0) return;
        roots_[v] |= from;
        changed = true;
    };
    for (const Block& block : region.blocks)
        for (const Operation& op : block.operations) {
            uint64_t all = 0;
            for (ValueId v : op.operands) all |= roots(v);
            for (const Region& nested : op.regions)
                for (const Block& inner : nested.blocks)
                    if (!inner.operations.empty())
                        for (ValueId v : inner.operations.back().operands) all |= roots(v);
            for (ValueId v : op.results) into(all, v);
            for (const Region& nested : op.regions) {
                for (const Block& inner : nested.blocks)
                    for (ValueId v : inner.arguments) into(all, v);
                changed |= flow(nested);
            }
            for (const Successor& s : op.successors) {
                const auto& arguments = region.blocks[static_cast<size_t>(s.block)].arguments;
                for (size_t i = 0; i < std::min(arguments.size(), s.arguments.size()); i++)
                    into(roots(s.arguments[i]), arguments[i]);
            }
        }
    return changed;
}

/// Whether the operation itself touches memory of interest.
bool FootprintSlice::touches(const Operation& op) const {
    if (op.name == "tt.call")
        return std::any_of(op.operands.begin(), op.operands.end(),
                           [&](ValueId v) { return (roots(v) & parameters_) != 0; });
    const MemoryUse use = use_of(op, true);
    return (use.reads || use.writes) && (roots(op.operands[0]) & parameters_) != 0;
}

bool FootprintSlice::touches(const Region& region) const {
    bool any = false;
    each_operation(region, [&](const Operation& op) { any |= touches(op); });
    return any;
}

bool FootprintSlice::need(ValueId v) {
    if (needed_[static_cast<size_t>(v)]) return false;
    needed_[static_cast<size_t>(v)] = true;
    return true;
}

bool FootprintSlice::mark(const Region& region) {
    bool changed = false;
    for (size_t b = region.blocks.size(); b-- > 0;)
        for (size_t i = region.blocks[b].operations.size(); i-- > 0;)
            changed |= mark(region.blocks[b].operations[i]);
    return changed;
}

/// One round of what is needed, from uses to definitions.
bool FootprintSlice::mark(const Operation& op) {
    bool changed = false;
    const auto wanted = [&](ValueId v) { return needed_[static_cast<size_t>(v)]; };
    const bool result = std::any_of(op.results.begin(), op.results.end(), wanted);
    if (touches(op)) {
        // All but the values that are written: pointer, mask, coordinates.
        const bool value = use_of(op, true).writes;
        for (size_t i = 0; i < op.operands.size(); i++) {
            const Type& type = function_->values[static_cast<size_t>(op.operands[i])];
            if (points(type) ||
                (type.kind == Type::Kind::scalar && is_integer(type.elem) && !(value && i == 1)))
                changed |= need(op.operands[i]);
        }
    }
    if (op.name == "scf.for" || op.name == "scf.if") {
        const bool loop = op.name == "scf.for";
        bool inside = result;
        for (const Region& region : op.regions) inside |= touches(region);
        for (size_t r = 0; r < op.results.size(); r++) {
            const ValueId argument = loop ? op.regions[0].blocks[0].arguments[r + 1] : op.results[r];
            if (!wanted(op.results[r]) && !wanted(argument)) continue;
            inside = true;
            changed |= need(op.results[r]);
            if (loop) changed |= need(argument) | need(op.operands[r + 3]);
            for (const Region& region : op.regions)
                if (!region.blocks.empty()) changed |= need(region.blocks[0].operations.back().operands[r]);
        }
        // Bounds and conditions.
        for (size_t i = 0; inside && i < (loop ? 3U : 1U); i++) changed |= need(op.operands[i]);
    } else if (result && op.name != "tt.load" && op.regions.empty()) {
        for (ValueId v : op.operands) changed |= need(v);
    }
    for (const Region& region : op.regions) changed |= mark(region);
    return changed;
}

std::vector<SliceNode> FootprintSlice::build(const Region& region) {
    std::vector<SliceNode> nodes;
    for (const Block& block : region.blocks)
        for (const Operation& op : block.operations) {
            SliceNode node;
            node.op = &op;
            if (build(op, node)) nodes.push_back(std::move(node));
        }
    return nodes;
}

/// False where the operation does not matter.
bool FootprintSlice::build(const Operation& op, SliceNode& node) {
    const auto type = [&](ValueId v) -> const Type& { return function_->values[static_cast<size_t>(v)]; };
    const std::string& name = op.name;
    if (touches(op)) {
        const MemoryUse use = use_of(op, !op.results.empty() && used_[static_cast<size_t>(op.results[0])]);
        node.kind = name == "tt.call" ? Kind::call : use.box ? Kind::box_access : Kind::access;
        node.shape = &type(op.operands[0]).shape;
        node.number = pointee_bytes(type(op.operands[0]));
        node.reads = use.reads || name == "tt.call";
        node.writes = use.writes || name == "tt.call";
        node.accesses = true;
        return true;
    }
    for (const Region& region : op.regions) {
        node.regions.push_back(build(region));
        for (const SliceNode& inner : node.regions.back()) {
            node.accesses |= inner.accesses;
            node.size += inner.size;
        }
    }
    for (size_t r = 0; r < op.results.size(); r++)
        if (needed_[static_cast<size_t>(op.results[r])]) node.carried.push_back(r);
    if (node.carried.empty() && !node.accesses) return false;
    if (name == "scf.for") {
        node.kind = Kind::loop;
        const Block& body = op.regions[0].blocks[0];
        for (size_t r : node.carried) {
            const ValueId argument = body.arguments[r + 1], next = body.operations.back().operands[r];
            ValueId added = argument == next ? -2 : -1;
            for (const Operation& inner : body.operations) {
                if (inner.results.size() != 1 || inner.results[0] != next) continue;
                if ((inner.name == "tt.addptr" || inner.name == "arith.addi") &&
                    inner.operands[0] == argument)
                    added = inner.operands[1];
                else if (inner.name == "arith.addi" && inner.operands[1] == argument)
                    added = inner.operands[0];
            }
            node.added.push_back(added);
        }
        return true;
    }
    if (name == "scf.if") {
        node.kind = Kind::choice;
        return true;
    }
    if (!op.regions.empty() || op.results.size() != 1 || op.operands.empty()) {
        // Results that are not known, unless they are made of nothing.
        if (name == "arith.constant") {
            node.kind = Kind::value;
            node.constant = constant_of(op, type(op.results[0]));
        } else if (name == "tt.make_range") {
            node.kind = Kind::value;
            node.constant = LaneRange::exactly(integer_attribute(op, "start", 0));
            node.constant.step[0] = 1;
        } else if (name == "tt.get_program_id" || name == "tt.get_num_programs") {
            node.kind = name == "tt.get_program_id" ? Kind::program_id : Kind::num_programs;
            const std::string axis = keyword(op, "axis");
            node.number = axis == "y" ? 1 : axis == "z" ? 2 : 0;
        }
        return true;
    }
    const Type& result = type(op.results[0]);
    node.shape = &result.shape;
    node.kind = Kind::value;  // not known
    if (name == "tt.splat" || name == "tt.broadcast" || name == "arith.extui" || name == "arith.index_cast" ||
        name == "arith.index_castui" || name == "arith.extsi" || name == "arith.trunci" ||
        (name == "tt.bitcast" && points(result))) {
        const bool sign = name == "arith.extsi" || name == "arith.index_cast";
        node.kind = sign && is_truth(type(op.operands[0])) ? Kind::extend_sign_of_truth : Kind::copy;
        // Of a number that may be negative, what is left depends on its width.
        node.number = name == "arith.extui" || name == "arith.index_castui" ? 1 : 0;
    } else if (name == "tt.expand_dims") {
        node.kind = Kind::expand;
        node.number = integer_attribute(op, "axis", 0);
    } else if (name == "tt.trans") {
        node.kind = Kind::transpose;
    } else if (name == "tt.reshape") {
        node.kind = Kind::reshape;
    } else if (name == "tt.addptr") {
        node.kind = Kind::add_pointer;
        node.number = pointee_bytes(result);
    } else if (name == "arith.cmpi") {
        node.comparison = comparison(keyword(op, "predicate"));
        // The sign of a truth is its value.
        const bool order = node.comparison.predicate != Predicate::equal &&
                           node.comparison.predicate != Predicate::different;
        node.kind = order && is_truth(type(op.operands[0])) ? Kind::value : Kind::compare;
        node.shape = &type(op.operands[0]).shape;
    } else if (name == "arith.select") {
        node.kind = Kind::select;
    } else if (name == "tt.make_tensor_descriptor") {
        node.kind = Kind::make_descriptor;
        node.number = pointee_bytes(type(op.operands[0]));
    } else if (name == "arith.andi" && is_truth(result)) {
        node.kind = Kind::logical_and;
    } else if (node.integer = integer_op(name); node.integer != IntegerOp::other && !is_truth(result)) {
        node.kind = Kind::arithmetic;
    }
    return true;
}

}  // namespace tritonsmith::ttir
