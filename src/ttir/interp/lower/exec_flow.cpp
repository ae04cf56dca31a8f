#include "ttir/interp/lower/exec_flow.h"

#include <functional>
#include <set>

#include "ttir/interp/lower/exec_builder.h"

namespace tritonsmith::ttir {
namespace {

/// Calls f(from, to) where control flow gives one value to another: carried by loops, yielded, passed to
/// blocks.
template <class F>
void passed_values(const Region& r, const Operation& op, F&& f) {
    const auto all = [&](const std::vector<ValueId>& from, size_t skip, const std::vector<ValueId>& to,
                         size_t to_skip = 0) {
        for (size_t i = skip; i < from.size() && i - skip + to_skip < to.size(); ++i)
            f(from[i], to[i - skip + to_skip]);
    };
    for (const Successor& s : op.successors)
        if (static_cast<size_t>(s.block) < r.blocks.size())
            all(s.arguments, 0, r.blocks[static_cast<size_t>(s.block)].arguments);
    if (op.name == "scf.for") {
        const Block& body = op.regions[0].blocks[0];
        all(op.operands, 3, body.arguments, 1);
        all(body.operations.back().operands, 0, body.arguments, 1);
        all(op.operands, 3, op.results);
        all(body.operations.back().operands, 0, op.results);
    } else if (op.name == "scf.while") {
        const Block &before = op.regions[0].blocks[0], &after = op.regions[1].blocks[0];
        all(op.operands, 0, before.arguments);
        all(after.operations.back().operands, 0, before.arguments);
        all(before.operations.back().operands, 1, after.arguments);
        all(before.operations.back().operands, 1, op.results);
    } else if (op.name == "scf.if" || op.name == "scf.execute_region" || op.name == "scf.index_switch") {
        for (const Region& region : op.regions)
            for (const Block& block : region.blocks)
                if (!block.operations.empty() && block.operations.back().name == "scf.yield")
                    all(block.operations.back().operands, 0, op.results);
    }
}

/// Operations in the order of the text, each with the region that holds it.
void visit_with_regions(const Region& r, const std::function<void(const Region&, const Operation&)>& f) {
    for (const Block& block : r.blocks)
        for (const Operation& op : block.operations) {
            f(r, op);
            for (const Region& nested : op.regions) visit_with_regions(nested, f);
        }
}

/// All that reaches the values in `work` through operations that `through` allows, and through control flow.
template <class F>
std::vector<bool> backward(const Function& function, const std::vector<ValueId>& root,
                           std::vector<ValueId> work, F&& through) {
    std::vector<const Operation*> maker(function.values.size(), nullptr);
    std::vector<std::vector<ValueId>> passed(function.values.size());
    visit_with_regions(function.body, [&](const Region& r, const Operation& op) {
        for (ValueId v : op.results) maker[static_cast<size_t>(v)] = &op;
        passed_values(r, op,
                      [&](ValueId from, ValueId to) { passed[static_cast<size_t>(to)].push_back(from); });
    });
    std::vector<bool> reached(function.values.size(), false);
    while (!work.empty()) {
        const auto v = static_cast<size_t>(root[static_cast<size_t>(work.back())]);
        work.pop_back();
        if (reached[v]) continue;
        const Operation* op = maker[v];
        if (!passed[v].empty()) {
            reached[v] = true;
            work.insert(work.end(), passed[v].begin(), passed[v].end());
        } else if (op != nullptr) {
            const bool goes_on = through(*op, reached, v);
            if (goes_on) work.insert(work.end(), op->operands.begin(), op->operands.end());
        }
    }
    return reached;
}

}  // namespace

std::vector<bool> address_values(const Function& function, const std::vector<ValueId>& root) {
    static const std::set<std::string_view> kept = {"arith.addi", "arith.subi", "arith.muli", "arith.extsi",
                                                    "tt.addptr"};
    std::vector<ValueId> offsets;
    visit_with_regions(function.body, [&](const Region&, const Operation& op) {
        if (op.name == "tt.addptr") offsets.insert(offsets.end(), {op.operands[1], op.results[0]});
    });
    return backward(function, root, std::move(offsets),
                    [&](const Operation& op, std::vector<bool>& reached, size_t v) {
                        const bool goes_on = kept.count(op.name) != 0;
                        reached[v] = goes_on;
                        return goes_on;
                    });
}

std::vector<bool> unmasked_values(const Function& function, const std::vector<ValueId>& root) {
    static const std::set<std::string_view> shape = {"tt.reshape", "tt.trans", "tt.expand_dims",
                                                     "tt.broadcast"};
    static const std::set<std::string_view> takes_out = {"arith.select", "arith.muli", "arith.mulf",
                                                         "arith.andi"};
    std::vector<ValueId> ends;
    visit_with_regions(function.body, [&](const Region&, const Operation& op) {
        const bool all = op.name == "tt.reduce" || op.name == "tt.scan" || op.name == "tt.dot";
        if (all) ends.insert(ends.end(), op.operands.begin(), op.operands.end());
        if (op.name == "tt.store" && op.segments[2] == 0) ends.push_back(op.operands[1]);
    });
    return backward(
        function, root, std::move(ends), [&](const Operation& op, std::vector<bool>& reached, size_t v) {
            reached[v] = true;
            return shape.count(op.name) != 0 || (is_elementwise(op.name) && takes_out.count(op.name) == 0);
        });
}

}  // namespace tritonsmith::ttir
