#include "ttir/verify/checker.h"

#include <algorithm>
#include <unordered_map>

#include "ttir/ir/dominance.h"
#include "ttir/ir/type_text.h"
#include "ttir/verify/op_specs.h"

namespace tritonsmith::ttir {
namespace {

bool ends_function(const std::string& name) {
    return name == "tt.return";
}
bool branches(const std::string& name) {
    return name == "cf.br" || name == "cf.cond_br" || name == "cf.switch";
}

/// May `name` end a block of a region of `parent` (empty: the function itself)?
bool may_end(const std::string& parent, size_t region, const std::string& name) {
    if (parent.empty()) return ends_function(name) || branches(name);
    if (parent == "scf.execute_region") return name == "scf.yield" || branches(name);
    if (parent == "tt.map_elementwise") return name == "tt.map_elementwise.return" || branches(name);
    if (parent == "scf.while" && region == 0) return name == "scf.condition";
    if (parent.starts_with("scf.")) return name == "scf.yield";
    if (parent == "tt.reduce" || parent == "tt.scan") return name == parent + ".return";
    return true;  // an operation that TTIR does not have
}

/// Walks a function once along the dominator trees of its regions: a value is visible from its definition to
/// the end of the dominated blocks of its region.
class Walk {
  public:
    explicit Walk(const Function& function) : function_(function), visible_(function.values.size(), 0) {}

    void region(const Region& region, const std::string& parent, size_t index, bool reachable) {
        Dominators tree(region);
        for (size_t b : tree.unreachable) {
            size_t mark = defined_.size();
            block(region, region.blocks[b], parent, index, false);
            leave(mark);
        }
        // Depth first with an explicit stack: a region may be a chain of thousands of blocks.
        std::vector<std::pair<size_t, size_t>> stack;  // block, or (npos, mark) to leave
        constexpr size_t kLeave = static_cast<size_t>(-1);
        if (!region.blocks.empty()) stack.emplace_back(0, 0);
        while (!stack.empty()) {
            auto [at, mark] = stack.back();
            stack.pop_back();
            if (at == kLeave) {
                leave(mark);
                continue;
            }
            stack.emplace_back(kLeave, defined_.size());
            block(region, region.blocks[at], parent, index, reachable);
            for (size_t child : tree.children[at]) stack.emplace_back(child, 0);
        }
    }

  private:
    void define(ValueId id) {
        if (visible_.at(id)) throw CheckError("a value is defined twice");
        visible_[id] = 1;
        defined_.push_back(id);
    }
    void leave(size_t mark) {
        for (; defined_.size() > mark; defined_.pop_back()) visible_[defined_.back()] = 0;
    }
    void use(ValueId id, const Operation& op, bool reachable) {
        if (reachable && !visible_.at(id)) {
            throw CheckError("%" + function_.value_names.at(id) + " is used by " + op.name +
                             " where it is not defined");
        }
    }

    void block(const Region& region, const Block& block, const std::string& parent, size_t index,
               bool reachable) {
        for (ValueId id : block.arguments) define(id);
        if (block.operations.empty()) throw CheckError("a block without a terminator");
        for (size_t i = 0; i < block.operations.size(); ++i) {
            const Operation& op = block.operations[i];
            bool last = i + 1 == block.operations.size();
            for (ValueId id : op.operands) use(id, op, reachable);
            if (is_terminator(op.name) != last && (last || find_spec(op.name))) place(op, last, parent);
            if (last && !may_end(parent, index, op.name)) {
                throw CheckError(op.name + " cannot end " +
                                 (parent.empty() ? "a function's block" : "a block of " + parent));
            }
            successors(region, op, last, reachable);
            if (ends_function(op.name)) returns(op);
            for (size_t r = 0; r < op.regions.size(); ++r) {
                size_t mark = defined_.size();
                this->region(op.regions[r], op.name, r, reachable);
                leave(mark);
            }
            for (ValueId id : op.results) define(id);
        }
    }

    [[noreturn]] static void place(const Operation& op, bool last, const std::string& parent) {
        if (last)
            throw CheckError("a block" + (parent.empty() ? "" : " of " + parent) + " ends in " + op.name +
                             ", which is no terminator");
        throw CheckError(op.name + " is not the last operation of its block");
    }

    void successors(const Region& region, const Operation& op, bool last, bool reachable) {
        if (!op.successors.empty() && !last)
            throw CheckError(op.name + " is not the last operation of its block");
        for (const Successor& next : op.successors) {
            const Block& target = region.blocks.at(next.block);
            if (next.block == 0) throw CheckError("no branch may lead to the entry block");
            if (target.arguments.size() != next.arguments.size())
                throw CheckError(op.name + " passes a wrong number of block arguments");
            for (size_t i = 0; i < next.arguments.size(); ++i) {
                use(next.arguments[i], op, reachable);
                if (function_.values.at(next.arguments[i]) != function_.values.at(target.arguments[i])) {
                    throw CheckError(op.name + " passes a block argument of another type");
                }
            }
        }
    }

    void returns(const Operation& op) {
        std::vector<Type> types;
        for (ValueId id : op.operands) types.push_back(function_.values.at(id));
        if (types != function_.results) throw CheckError("tt.return does not give the function's results");
    }

    const Function& function_;
    std::vector<char> visible_;
    std::vector<ValueId> defined_;
};

using Calls = std::unordered_map<std::string, size_t>;

void check_call(const Module& module, const Function& caller, const Operation& op, const Calls& index,
                std::vector<size_t>& callees) {
    const std::string& name = std::get<std::string>(op.attributes.at("callee").v);
    auto found = index.find(name);
    if (found == index.end()) throw CheckError("tt.call of an unknown function @" + name);
    const Function& callee = module.functions[found->second];
    if (callee.body.blocks.empty()) throw CheckError("tt.call of @" + name + ", which has no body");
    bool fits = op.operands.size() == callee.parameters.size() && op.results.size() == callee.results.size();
    for (size_t i = 0; fits && i < op.operands.size(); ++i) {
        fits = caller.values.at(op.operands[i]) == callee.values.at(callee.parameters[i]);
    }
    for (size_t i = 0; fits && i < op.results.size(); ++i)
        fits = caller.values.at(op.results[i]) == callee.results[i];
    if (!fits) throw CheckError("tt.call of @" + name + " does not fit its type");
    callees.push_back(found->second);
}

void collect_calls(const Module& module, const Function& caller, const Region& region, const Calls& index,
                   std::vector<size_t>& callees) {
    for (const Block& block : region.blocks) {
        for (const Operation& op : block.operations) {
            if (op.name == "tt.call") check_call(module, caller, op, index, callees);
            for (const Region& inner : op.regions) collect_calls(module, caller, inner, index, callees);
        }
    }
}

}  // namespace

void check_operation(const Function& function, const Operation& op) {
    const OpSpec* spec = find_spec(op.name);
    if (!spec) return;
    spec->rule(function, op, *spec);
    bool has_regions = op.name.starts_with("scf.") || op.name == "tt.reduce" || op.name == "tt.scan" ||
                       op.name == "tt.map_elementwise";
    if (!op.regions.empty() && !has_regions) throw CheckError("it takes no regions");
    if (!op.successors.empty() && !branches(op.name)) throw CheckError("it takes no successors");
}

void check_function(const Function& function) {
    if (function.parameter_attributes.size() != function.parameters.size())
        throw CheckError("parameters and their attributes differ");
    if (function.body.blocks.empty()) return;
    Walk(function).region(function.body, "", 0, true);
}

void check_calls(const Module& module) {
    Calls index;
    for (size_t i = 0; i < module.functions.size(); ++i) {
        if (!index.emplace(module.functions[i].name, i).second)
            throw CheckError("two functions named @" + module.functions[i].name);
    }
    auto with_body = [](const Function& f) { return f.is_public && !f.body.blocks.empty(); };
    if (std::count_if(module.functions.begin(), module.functions.end(), with_body) != 1) {
        throw CheckError("a module has exactly one public function");
    }
    std::vector<std::vector<size_t>> callees(module.functions.size());
    for (size_t i = 0; i < module.functions.size(); ++i) {
        collect_calls(module, module.functions[i], module.functions[i].body, index, callees[i]);
        std::sort(callees[i].begin(), callees[i].end());
        callees[i].erase(std::unique(callees[i].begin(), callees[i].end()), callees[i].end());
    }
    // Rounds of removing functions whose callees are all done: what is left after kMaxCallDepth rounds is
    // recursive or too deep.
    std::vector<char> done(module.functions.size(), 0);
    for (int round = 0; round < kMaxCallDepth; ++round) {
        std::vector<size_t> finished;
        for (size_t i = 0; i < callees.size(); ++i) {
            if (!done[i] &&
                std::all_of(callees[i].begin(), callees[i].end(), [&](size_t c) { return done[c]; }))
                finished.push_back(i);
        }
        if (finished.empty()) break;
        for (size_t i : finished) done[i] = 1;
    }
    for (size_t i = 0; i < done.size(); ++i) {
        if (!done[i])
            throw CheckError("@" + module.functions[i].name +
                             " is recursive or its calls are nested too deeply");
    }
}

}  // namespace tritonsmith::ttir
