#include "ttir/interp/lower/promise_use.h"

#include <algorithm>
#include <string_view>

#include "ttir/ir/type_text.h"

namespace tritonsmith::ttir {
namespace {

constexpr int64_t kVector = 16;             ///< bytes
constexpr int64_t kAll = int64_t{1} << 30;  ///< a quotient's low bits are high bits of the dividend

/// Bytes.
int64_t neighbour_distance(const Type& pointer) {
    if (!pointer.pointee) return 1;
    if (pointer.pointee->kind == Type::Kind::pointer) return 8;
    return std::max<int64_t>(bit_width(pointer.pointee->elem) / 8, 1);
}

bool divides(std::string_view name) {
    return name == "arith.divsi" || name == "arith.divui" || name == "arith.shrsi" || name == "arith.shrui" ||
           name == "arith.floordivsi" || name == "arith.ceildivsi" || name == "arith.ceildivui";
}

bool accesses(std::string_view name) {
    return name == "tt.load" || name == "tt.store" || name.starts_with("tt.atomic");
}

}  // namespace

PromiseUse::PromiseUse(const Function& function) : function_(function), needed_(function.values.size()) {
    // Amounts only grow, so this ends; loops need as many rounds as values take to travel around.
    do {
        changed_ = false;
        visit(function.body, nullptr);
    } while (changed_);
}

void PromiseUse::need(ValueId v, int64_t amount) {
    int64_t& now = needed_[static_cast<size_t>(v)];
    changed_ |= amount > now;
    now = std::max(now, amount);
}

int64_t PromiseUse::most(const std::vector<ValueId>& values) const {
    int64_t out = 0;
    for (ValueId v : values) out = std::max(out, of(v));
    return out;
}

/// What results and what its regions begin with need.
int64_t PromiseUse::behind(const Operation& op) const {
    int64_t out = most(op.results);
    for (const Region& region : op.regions)
        for (const Block& block : region.blocks) out = std::max(out, most(block.arguments));
    return out;
}

void PromiseUse::visit(const Region& region, const Operation* parent) {
    for (auto block = region.blocks.rbegin(); block != region.blocks.rend(); ++block)
        for (auto op = block->operations.rbegin(); op != block->operations.rend(); ++op) {
            for (const Region& nested : op->regions) visit(nested, &*op);
            visit(*op);
            for (const Successor& successor : op->successors) {
                if (successor.block < 0 || static_cast<size_t>(successor.block) >= region.blocks.size())
                    continue;
                const auto& arguments = region.blocks[static_cast<size_t>(successor.block)].arguments;
                for (size_t i = 0; i < std::min(arguments.size(), successor.arguments.size()); ++i)
                    need(successor.arguments[i], of(arguments[i]));
            }
            // A terminator's operands go on as the parent's results, or into its next round.
            if (parent && &*op == &block->operations.back())
                for (ValueId v : op->operands) need(v, behind(*parent));
        }
}

void PromiseUse::visit(const Operation& op) {
    const std::string_view name = op.name;
    if (op.operands.empty()) return;
    const auto type = [&](ValueId v) -> const Type& { return function_.values[static_cast<size_t>(v)]; };
    if (accesses(name)) {
        need(op.operands[0], kVector);
        for (size_t i = 1; i < op.operands.size(); ++i)
            if (type(op.operands[i]).elem == Scalar::i1)  // a mask
                need(op.operands[i], kVector / neighbour_distance(type(op.operands[0])));
        return;
    }
    if (name == "tt.addptr") {
        need(op.operands[0], of(op.results[0]));
        const int64_t unit = neighbour_distance(type(op.results[0]));
        need(op.operands[1], (of(op.results[0]) + unit - 1) / unit);
        return;
    }
    // What a callee, a descriptor or code of another language does with it is not looked at.
    const bool anything = name == "tt.call" || name == "tt.make_tensor_descriptor" || name == "tt.return" ||
                          name == "tt.elementwise_inline_asm" || name == "tt.extern_elementwise";
    int64_t amount = anything ? kVector : behind(op);
    if (divides(name) && amount > 0) amount = kAll;
    for (ValueId v : op.operands) need(v, amount);
}

}  // namespace tritonsmith::ttir
