#include "ttir/effects.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace tritonsmith::ttir {

namespace {

using Roots = std::set<int>;  ///< parameter indices that a value may point into

bool points(const Type& type) {
    return type.kind == Type::Kind::pointer || type.kind == Type::Kind::descriptor;
}

class Analysis {
  public:
    Analysis(const Module& module, const Function& function, int depth)
        : module_(module),
          function_(function),
          depth_(depth),
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
        return effects_;
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

    void call(const Operation& op) {
        const auto found = op.attributes.find("callee");
        const std::string* callee =
            found == op.attributes.end() ? nullptr : std::get_if<std::string>(&found->second.v);
        const Function* function = callee ? module_.find(*callee) : nullptr;
        if (!function || depth_ > 32) {
            for (ValueId v : op.operands) touch(v, true, true, true);
            return;
        }
        std::vector<Effect> inner = Analysis(module_, *function, depth_ + 1).run();
        for (size_t i = 0; i < std::min(inner.size(), op.operands.size()); i++)
            touch(op.operands[i], inner[i].reads, inner[i].writes, inner[i].escapes);
    }

    const Module& module_;
    const Function& function_;
    int depth_;
    std::vector<Roots> roots_;
    std::vector<Effect> effects_;
    bool changed_ = false;
};

}  // namespace

std::vector<Effect> parameter_effects(const Module& module) {
    const Function* entry = module.entry();
    return entry ? Analysis(module, *entry, 0).run() : std::vector<Effect>{};
}

}  // namespace tritonsmith::ttir
