#include "ttir/analysis/effects.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "ttir/analysis/issue_order.h"
#include "ttir/ir/type_text.h"
#include "ttir/ptx/ptx.h"

namespace tritonsmith::ttir {

namespace {

using Roots = std::set<int>;  ///< parameter indices that a value may point into

/// Of functions that are called: each is looked at once, however many calls lead to it. (The checker refuses
/// recursion.)
using Known = std::map<const Function*, std::vector<Effect>>;

class Analysis {
  public:
    Analysis(const Module& module, const Function& function, Known& known)
        : module_(module),
          function_(function),
          known_(known),
          roots_(function.values.size()),
          effects_(function.parameters.size()) {}

    std::vector<Effect> run() {
        for (size_t i = 0; i < function_.parameters.size(); i++)
            if (points(type(function_.parameters[i])))
                roots(function_.parameters[i]).insert(static_cast<int>(i));
        // Sets only grow, so this ends; loops need as many rounds as provenance takes to travel around.
        do {
            changed_ = false;
            visit(function_.body);
        } while (changed_);
        count(function_.body, false, false);
        return effects_;
    }

    /// After run(): what each loop loads from and stores to.
    std::vector<LoopAccesses> loops() {
        std::vector<LoopAccesses> out;
        find_loops(function_.body, out);
        return out;
    }

  private:
    const Type& type(ValueId v) const { return function_.values[static_cast<size_t>(v)]; }
    Roots& roots(ValueId v) { return roots_[static_cast<size_t>(v)]; }

    void flow(const Roots& from, ValueId to) {
        if (!points(type(to))) return;
        for (int r : from) changed_ |= roots(to).insert(r).second;
    }

    void touch(ValueId pointer, bool read, bool write, bool escape = false) {
        for (int r : roots(pointer)) {
            Effect& e = effects_[static_cast<size_t>(r)];
            changed_ |= (read && !e.reads) || (write && !e.writes) || (escape && !e.escapes);
            e.reads |= read;
            e.writes |= write;
            e.escapes |= escape;
        }
    }

    void find_loops(const Region& region, std::vector<LoopAccesses>& out) {
        for (const Block& block : region.blocks)
            for (const Operation& op : block.operations) {
                for (const Region& nested : op.regions) find_loops(nested, out);
                if (op.name != "scf.for") continue;
                // What the effects of its body alone are.
                std::vector<Effect> all(effects_.size());
                all.swap(effects_);
                count(op.regions.front(), false, false);
                effects_.swap(all);
                LoopAccesses found;
                for (size_t i = 0; i < all.size(); i++) {
                    if (all[i].loads) found.loaded.insert(static_cast<int>(i));
                    if (all[i].sets || all[i].adds) found.stored.insert(static_cast<int>(i));
                }
                if (!found.loaded.empty() && !found.stored.empty()) out.push_back(std::move(found));
            }
    }

    /// Loads, stores and atomics, once provenance is known. @param waited griddepcontrol.wait has been met
    void count(const Region& region, bool loop, bool waited) {
        for (size_t b = 0; b < region.blocks.size(); b++)  // a cycle needs a step back
            for (const Operation& op : region.blocks[b].operations)
                for (const Successor& s : op.successors) loop |= s.block <= static_cast<int>(b);
        bool before = waited;  // the first block comes before all others
        for (const Block& block : region.blocks) {
            bool here = before;
            for (const Operation& op : block.operations) {
                here = here || waits_for_grid(op);
                count(op, loop, here);
                const bool repeats = loop || op.name == "scf.for" || op.name == "scf.while";
                for (const Region& nested : op.regions) count(nested, repeats, here);
            }
            if (&block == &region.blocks.front()) before = here;
        }
    }

    void count(const Operation& op, bool loop, bool waited) {
        const std::string_view name = op.name;
        if (op.operands.empty()) return;
        const auto add = [&](ValueId pointer, const Effect& did) {
            for (int r : roots(pointer)) {
                Effect& e = effects_[static_cast<size_t>(r)];
                e.loads |= did.loads;
                e.atomics |= did.atomics;
                e.adds |= did.adds;
                e.sets |= did.sets;
                e.stores = std::min(2, e.stores + did.stores * (loop ? 2 : 1));
                e.reads_early |= did.reads_early && !waited;
                e.writes_early |= did.writes_early && !waited;
            }
        };
        if (name == "tt.load" || name == "tt.descriptor_load" || name == "tt.descriptor_gather")
            add(op.operands[0], {.loads = true, .reads_early = true});
        else if (name == "tt.store" || name == "tt.descriptor_store" || name == "tt.descriptor_scatter")
            add(op.operands[0], {.sets = true, .writes_early = true, .stores = 1});
        else if (name.starts_with("tt.atomic") || name == "tt.descriptor_reduce")
            add(op.operands[0], {.atomics = true,
                                 .adds = adds_up(op),
                                 .sets = !adds_up(op),
                                 .reads_early = true,
                                 .writes_early = true});
        else if (const Function* function = name == "tt.call" ? callee(op) : nullptr; function != nullptr) {
            const std::vector<Effect>& inner = of(*function);
            for (size_t i = 0; i < std::min(inner.size(), op.operands.size()); i++)
                add(op.operands[i], inner[i]);
        }
    }

    static bool adds_up(const Operation& op) {
        const auto kind = op.attributes.find(op.name == "tt.descriptor_reduce" ? "kind" : "atomic_rmw_op");
        const auto* name =
            kind == op.attributes.end() ? nullptr : std::get_if<EnumAttribute>(&kind->second.v);
        return name != nullptr && (name->value == "add" || name->value == "fadd");
    }

    static bool waits_for_grid(const Operation& op) {
        if (op.name != "tt.elementwise_inline_asm") return false;
        const auto text = op.attributes.find("asm_string");
        const std::string* code =
            text == op.attributes.end() ? nullptr : std::get_if<std::string>(&text->second.v);
        return code != nullptr &&
               PtxCode(*code, static_cast<int>(op.results.size()), static_cast<int>(op.operands.size()))
                   .waits_for_grid();
    }

    void visit(const Region& region) {
        for (const Block& block : region.blocks)
            for (const Operation& op : block.operations) {
                visit(op);
                for (const Successor& s : op.successors) {
                    if (s.block < 0 || static_cast<size_t>(s.block) >= region.blocks.size()) continue;
                    const auto& arguments = region.blocks[static_cast<size_t>(s.block)].arguments;
                    for (size_t i = 0; i < std::min(arguments.size(), s.arguments.size()); i++)
                        flow(Roots(roots(s.arguments[i])), arguments[i]);
                }
            }
    }

    void visit(const Operation& op) {
        std::string_view name = op.name;
        auto first = [&](bool read, bool write) {
            if (!op.operands.empty()) touch(op.operands[0], read, write);
        };
        if (name == "tt.load" || name == "tt.descriptor_load" || name == "tt.descriptor_gather")
            first(true, false);
        else if (name == "tt.store" || name == "tt.descriptor_store" || name == "tt.descriptor_scatter")
            first(false, true);
        else if (name.starts_with("tt.atomic") || name == "tt.descriptor_reduce")
            first(true, true);
        else if (name == "tt.call")
            call(op);
        else if (name == "tt.ptr_to_int" || name == "tt.elementwise_inline_asm" ||
                 name == "tt.extern_elementwise")
            for (ValueId v : op.operands) touch(v, true, true, true);

        Roots all;
        for (ValueId v : op.operands) all.insert(roots(v).begin(), roots(v).end());
        for (const Region& region : op.regions)
            for (const Block& block : region.blocks)
                if (!block.operations.empty())
                    for (ValueId v : block.operations.back().operands)
                        all.insert(roots(v).begin(), roots(v).end());
        if (!all.empty()) {
            for (ValueId v : op.results) flow(all, v);
            for (const Region& region : op.regions)
                for (const Block& block : region.blocks)
                    for (ValueId v : block.arguments) flow(all, v);
        }
        for (const Region& region : op.regions) visit(region);
    }

    const Function* callee(const Operation& op) const {
        const auto found = op.attributes.find("callee");
        const std::string* name =
            found == op.attributes.end() ? nullptr : std::get_if<std::string>(&found->second.v);
        return name ? module_.find(*name) : nullptr;
    }

    const std::vector<Effect>& of(const Function& function) {
        const auto it = known_.find(&function);
        if (it != known_.end()) return it->second;
        return known_[&function] = Analysis(module_, function, known_).run();
    }

    void call(const Operation& op) {
        const Function* function = callee(op);
        if (!function) {
            for (ValueId v : op.operands) touch(v, true, true, true);
            return;
        }
        const std::vector<Effect>& inner = of(*function);
        for (size_t i = 0; i < std::min(inner.size(), op.operands.size()); i++)
            touch(op.operands[i], inner[i].reads, inner[i].writes, inner[i].escapes);
    }

    const Module& module_;
    const Function& function_;
    Known& known_;
    std::vector<Roots> roots_;
    std::vector<Effect> effects_;
    bool changed_ = false;
};

}  // namespace

std::vector<Effect> parameter_effects(const Module& module) {
    const Function* entry = module.entry();
    Known known;
    return entry ? Analysis(module, *entry, known).run() : std::vector<Effect>{};
}

std::vector<LoopAccesses> loop_accesses(const Module& module) {
    const Function* entry = module.entry();
    if (!entry) return {};
    Known known;
    Analysis analysis(module, *entry, known);
    analysis.run();
    return analysis.loops();
}

}  // namespace tritonsmith::ttir
