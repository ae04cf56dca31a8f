#include "ttir/analysis/issue_order.h"

#include <string_view>
#include <utility>

namespace tritonsmith::ttir {
namespace {

bool touches_memory(std::string_view name) {
    return name == "tt.load" || name == "tt.store" || name.starts_with("tt.atomic") ||
           name == "tt.descriptor_load" || name == "tt.descriptor_gather" || name == "tt.descriptor_store" ||
           name == "tt.descriptor_scatter" || name == "tt.descriptor_reduce";
}

/// Calls f for each operation, nested ones included. @param blocks std::vector<Block>, perhaps const
template <class Blocks, class F>
void walk(Blocks& blocks, const F& f) {
    for (auto& block : blocks)
        for (auto& op : block.operations) {
            f(op);
            for (auto& region : op.regions) walk(region.blocks, f);
        }
}

}  // namespace

std::vector<const Operation*> memory_operations(const Module& module) {
    std::vector<const Operation*> out;
    if (const Function* entry = module.entry())
        walk(entry->body.blocks, [&](const Operation& op) {
            if (touches_memory(op.name)) out.push_back(&op);
        });
    return out;
}

Module with_numbered_locations(const Module& module) {
    Module out = module;
    out.locations.clear();
    for (Function& function : out.functions) {
        function.location = -1;
        walk(function.body.blocks, [&](Operation& op) {
            op.location = -1;
            if (&function != out.entry() || !touches_memory(op.name)) return;
            op.location = static_cast<int>(out.locations.size());
            Location number;
            number.file = "operation";
            number.line = op.location + 1;
            number.column = 1;
            out.locations.push_back(std::move(number));
        });
    }
    return out;
}

void IssueLog::stored(const Issue& issue, uint64_t address, const uint8_t* old, int64_t bytes) {
    Rounds& rounds = rounds_[issue.loop];
    for (int64_t i = 0; i < bytes; ++i)
        rounds.changes[address + static_cast<uint64_t>(i)].push_back({rounds.round, issue, old[i]});
}

int64_t IssueLog::missed(const Issue& issue, uint64_t address, const uint8_t* now, int64_t bytes) const {
    const auto rounds = rounds_.find(issue.loop);
    if (rounds == rounds_.end()) return -1;
    const int64_t mine = rounds->second.round, step = mine - issue.ahead;
    for (int64_t i = 0; i < bytes; ++i) {
        const auto changes = rounds->second.changes.find(address + static_cast<uint64_t>(i));
        if (changes == rounds->second.changes.end()) continue;
        for (const Change& change : changes->second) {
            const int64_t then = change.round - change.issue.ahead;
            if (then < step || (then == step && change.issue.place < issue.place)) continue;
            // The first store that comes after the load: before it memory held the old value.
            if (change.old != now[i]) return mine - change.round;
            break;
        }
    }
    return -1;
}

}  // namespace tritonsmith::ttir
