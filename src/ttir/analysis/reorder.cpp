#include "ttir/analysis/reorder.h"

#include <functional>
#include <set>

namespace tritonsmith::ttir {
namespace {

/// Values that something other than a reduction uses.
std::set<ValueId> used_in_order(const Function& function) {
    std::set<ValueId> out;
    visit(function.body, [&](const Operation& op) {
        if (op.name != "tt.reduce") out.insert(op.operands.begin(), op.operands.end());
        for (const Successor& next : op.successors) out.insert(next.arguments.begin(), next.arguments.end());
    });
    return out;
}

class Reorder {
  public:
    explicit Reorder(Function& function) : function_(function), ordered_(used_in_order(function)) {}

    /// True for a reshape whose order may show.
    bool concerns(const Operation& op) const {
        if (op.name != "tt.reshape" || !op.attributes.contains("allow_reorder")) return false;
        const ValueId result = op.results.front();
        const Type& type = function_.values[static_cast<size_t>(result)];
        return type.count() >= 4 && type.count() % 2 == 0 &&
               (type.shape.size() != 1 || ordered_.contains(result));
    }

    void rewrite(Region& region) {
        for (Block& block : region.blocks) {
            std::vector<Operation> out;
            for (Operation& op : block.operations) {
                for (Region& inner : op.regions) rewrite(inner);
                if (concerns(op))
                    in_turn(std::move(op), out);
                else
                    out.push_back(std::move(op));
            }
            block.operations = std::move(out);
        }
    }

  private:
    /// reshape to [2, n / 2], transposition, reshape to the shape that is asked for.
    void in_turn(Operation op, std::vector<Operation>& out) {
        op.attributes.erase("allow_reorder");
        op.attributes.erase("efficient_layout");
        const Type from = function_.values[static_cast<size_t>(op.operands.front())];
        const int64_t half = from.count() / 2;
        Operation halves = op, turned = op;
        halves.results = {value(from, {2, half})};
        turned.name = "tt.trans";
        turned.operands = halves.results;
        turned.attributes["order"] = {std::vector<int64_t>{1, 0}};
        turned.results = {value(from, {half, 2})};
        op.operands = turned.results;
        out.push_back(std::move(halves));
        out.push_back(std::move(turned));
        out.push_back(std::move(op));
    }

    ValueId value(Type type, std::vector<int64_t> shape) {
        type.shape = std::move(shape);
        function_.values.push_back(std::move(type));
        if (!function_.value_names.empty()) function_.value_names.emplace_back();
        return static_cast<ValueId>(function_.values.size() - 1);
    }

    Function& function_;
    std::set<ValueId> ordered_;
};

}  // namespace

int first_reordered(const Module& module) {
    for (Function function : module.functions) {
        const Reorder reorder(function);
        std::optional<int> found;
        visit(function.body, [&](const Operation& op) {
            if (!found && reorder.concerns(op)) found = op.location;
        });
        if (found) return *found;
    }
    return -1;
}

std::optional<Module> reordered(const Module& module) {
    Module out = module;
    bool any = false;
    for (Function& function : out.functions) {
        Reorder reorder(function);
        const size_t before = function.values.size();
        reorder.rewrite(function.body);
        any = any || function.values.size() != before;
    }
    return any ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace tritonsmith::ttir
