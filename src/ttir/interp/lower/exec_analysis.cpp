#include <algorithm>

#include "ttir/interp/lower/exec_builder.h"
#include "ttir/interp/lower/exec_flow.h"

namespace tritonsmith::ttir {
namespace {

bool starts(std::string_view s, std::string_view prefix) {
    return s.substr(0, prefix.size()) == prefix;
}

/// Stored dimensions after a reshape that keeps the sequence of dimensions larger than 1; all ones where it
/// does not.
uint64_t reshape_mask(const Layout& from, const Layout& to) {
    if (from.stored == 0) return 0;
    std::vector<size_t> a, b;
    for (size_t d = 0; d < from.shape.size(); ++d)
        if (from.shape[d] > 1) a.push_back(d);
    for (size_t d = 0; d < to.shape.size(); ++d)
        if (to.shape[d] > 1) b.push_back(d);
    if (a.size() != b.size()) return to.full();
    uint64_t mask = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        if (from.shape[a[i]] != to.shape[b[i]]) return to.full();
        if ((from.stored >> a[i] & 1) != 0) mask |= uint64_t{1} << b[i];
    }
    return mask;
}

/// Grows stored dimensions until nothing changes: loops feed values back.
class LayoutPass {
  public:
    LayoutPass(const Function& function, std::vector<Layout>& layouts)
        : function_(function), layouts_(layouts) {
        layouts.resize(function.values.size());
        for (size_t v = 0; v < layouts.size(); ++v) {
            const Type& type = function.values[v];
            layouts[v].elem = stored_scalar(type);
            layouts[v].shape = type.shape;
            layouts[v].descriptor = type.kind == Type::Kind::descriptor;
        }
        for (ValueId p : function.parameters) at(p).stored = at(p).full();
        do {
            changed_ = false;
            region(function.body);
        } while (changed_);
    }

  private:
    Layout& at(ValueId v) { return layouts_[static_cast<size_t>(v)]; }
    void grow(ValueId v, uint64_t stored, bool lanes = false) {
        Layout& l = at(v);
        stored &= l.full();
        if ((l.stored | stored) != l.stored || (lanes && !l.lanes)) changed_ = true;
        l.stored |= stored;
        l.lanes |= lanes;
    }
    void flow(ValueId from, ValueId to) { grow(to, at(from).stored, at(from).lanes); }
    void flow(const std::vector<ValueId>& from, size_t skip, const std::vector<ValueId>& to,
              size_t to_skip = 0) {
        for (size_t i = skip; i < from.size() && i - skip + to_skip < to.size(); ++i)
            flow(from[i], to[i - skip + to_skip]);
    }

    void region(const Region& r) {
        for (const Block& block : r.blocks) {
            for (const Operation& op : block.operations) {
                operation(op);
                for (const Successor& s : op.successors)
                    if (static_cast<size_t>(s.block) < r.blocks.size())
                        flow(s.arguments, 0, r.blocks[static_cast<size_t>(s.block)].arguments);
            }
        }
    }
    static const std::vector<ValueId>* terminator(const Region& r) {
        return r.blocks.empty() || r.blocks.back().operations.empty()
                   ? nullptr
                   : &r.blocks.back().operations.back().operands;
    }
    /// Values that yields of any block of a region give to the results.
    void yields(const Region& r, const std::vector<ValueId>& results) {
        for (const Block& block : r.blocks)
            if (!block.operations.empty() && block.operations.back().name == "scf.yield")
                flow(block.operations.back().operands, 0, results);
    }

    void operation(const Operation& op) {
        const std::string& n = op.name;
        const Layout none;
        const Layout& in = op.operands.empty() ? none : at(op.operands[0]);
        if (n == "arith.constant") {
            const auto it = op.attributes.find("value");
            const Dense* dense = it == op.attributes.end() ? nullptr : std::get_if<Dense>(&it->second.v);
            if (dense != nullptr && dense->bits.size() > 1) grow(op.results[0], ~uint64_t{0});
        } else if (n == "tt.splat" || n == "tt.unsplat" || n == "ub.poison") {
        } else if (n == "tt.broadcast") {
            flow(op.operands[0], op.results[0]);
        } else if (n == "tt.expand_dims") {
            const auto axis = static_cast<uint64_t>(int_attribute(op, "axis"));
            const uint64_t low = in.stored & ((uint64_t{1} << axis) - 1);
            grow(op.results[0], low | ((in.stored ^ low) << 1));
        } else if (n == "tt.reshape") {
            grow(op.results[0], reshape_mask(in, at(op.results[0])));
        } else if (n == "tt.trans") {
            const auto order = array_attribute(op, "order");
            uint64_t mask = 0;
            for (size_t i = 0; i < order.size(); ++i) mask |= (in.stored >> order[i] & 1) << i;
            grow(op.results[0], mask);
        } else if (n == "tt.load" || is_elementwise(n)) {
            for (ValueId v : op.operands)
                for (ValueId r : op.results) grow(r, at(v).shape.empty() ? 0 : at(v).stored, at(v).lanes);
        } else if (n == "scf.for") {
            const Block& body = op.regions[0].blocks[0];
            grow(body.arguments[0], 0, in.lanes);
            flow(op.operands, 3, body.arguments, 1);
            region(op.regions[0]);
            flow(*terminator(op.regions[0]), 0, body.arguments, 1);
            for (size_t i = 0; i < op.results.size(); ++i) flow(body.arguments[i + 1], op.results[i]);
        } else if (n == "scf.while") {
            const Block& before = op.regions[0].blocks[0];
            const Block& after = op.regions[1].blocks[0];
            flow(op.operands, 0, before.arguments);
            region(op.regions[0]);
            flow(*terminator(op.regions[0]), 1, after.arguments);
            flow(*terminator(op.regions[0]), 1, op.results);
            region(op.regions[1]);
            flow(*terminator(op.regions[1]), 0, before.arguments);
        } else if (n == "scf.if" || n == "scf.execute_region" || n == "scf.index_switch") {
            for (const Region& r : op.regions) {
                region(r);
                yields(r, op.results);
            }
        } else {
            const bool combine = n == "tt.reduce" || n == "tt.scan" || n == "tt.map_elementwise";
            for (const Region& r : op.regions) {
                if (combine && !r.blocks.empty())
                    for (ValueId a : r.blocks[0].arguments) grow(a, 0, true);
                region(r);
            }
            for (ValueId r : op.results) grow(r, ~uint64_t{0}, starts(n, "tt.call") && any_lanes(op));
        }
    }
    bool any_lanes(const Operation& op) {
        return std::any_of(op.operands.begin(), op.operands.end(), [&](ValueId v) { return at(v).lanes; });
    }

    const Function& function_;
    std::vector<Layout>& layouts_;
    bool changed_ = false;
};

/// Numbers operations and finds where each root's memory is last needed.
class LifetimePass {
  public:
    LifetimePass(const Function& function, FunctionAnalysis& out)
        : out_(out), home_(function.values.size(), nullptr) {
        number(function.body);
        out.last_use.assign(function.values.size(), 0);
        for (ValueId p : function.parameters) pin(p);
        region(function.body);
    }

  private:
    void number(const Region& r) {
        for (const Block& block : r.blocks) {
            for (const Operation& op : block.operations) {
                for (const Region& nested : op.regions) number(nested);
                out_.position[&op] = ++next_;
            }
        }
    }
    ValueId root(ValueId v) const { return out_.root[static_cast<size_t>(v)]; }
    void pin(ValueId v) { out_.last_use[static_cast<size_t>(root(v))] = FunctionAnalysis::kPinned; }
    void define(ValueId v, const Block* block, int position) {
        home_[static_cast<size_t>(v)] = block;
        int& last = out_.last_use[static_cast<size_t>(root(v))];
        if (root(v) == v) last = std::max(last, position);
    }
    void use(ValueId v) {
        const ValueId r = root(v);
        int& last = out_.last_use[static_cast<size_t>(r)];
        // The operation at the level of the root's own block that contains this use.
        for (size_t i = chain_.size(); i-- > 0;) {
            if (chain_[i].first != home_[static_cast<size_t>(r)]) continue;
            last = std::max(last, out_.position[chain_[i].second]);
            return;
        }
        last = FunctionAnalysis::kPinned;  // another block of a region with branches
    }
    void region(const Region& r) {
        for (const Block& block : r.blocks) {
            for (ValueId a : block.arguments) {
                define(a, &block, 0);
                if (r.blocks.size() > 1) pin(a);
            }
            for (const Operation& op : block.operations) {
                chain_.emplace_back(&block, &op);
                for (ValueId v : op.operands) use(v);
                for (const Successor& s : op.successors)
                    for (ValueId v : s.arguments) use(v);
                for (const Region& nested : op.regions) region(nested);
                chain_.pop_back();
                for (ValueId v : op.results) define(v, &block, out_.position[&op]);
            }
        }
    }

    FunctionAnalysis& out_;
    std::vector<const Block*> home_;
    std::vector<std::pair<const Block*, const Operation*>> chain_;
    int next_ = 0;
};

}  // namespace

bool is_view(const Operation& op, const Layout& from, const Layout& to) {
    const std::string& n = op.name;
    if (n == "tt.splat" || n == "tt.unsplat" || n == "tt.broadcast" || n == "tt.expand_dims") return true;
    if (n == "tt.bitcast" || n == "arith.bitcast") return element_size(from.elem) == element_size(to.elem);
    if (n == "tt.reshape") {
        uint64_t all = from.full();
        return from.stored == 0 || from.stored == all || reshape_mask(from, to) != to.full() ||
               to.full() == 0;
    }
    if (n == "tt.trans") {
        int64_t last = -1;
        const auto order = array_attribute(op, "order");
        for (size_t i = 0; i < order.size(); ++i) {
            if ((from.stored >> order[i] & 1) == 0) continue;
            if (order[i] < last) return false;
            last = order[i];
        }
        return true;
    }
    return false;
}

FunctionAnalysis::FunctionAnalysis(const Function& function) {
    LayoutPass(function, layouts);
    root.resize(function.values.size());
    for (size_t v = 0; v < root.size(); ++v) root[v] = static_cast<ValueId>(v);
    std::function<void(const Region&)> visit = [&](const Region& r) {
        for (const Block& block : r.blocks)
            for (const Operation& op : block.operations) {
                if (op.operands.size() == 1 && op.results.size() == 1 &&
                    is_view(op, layouts[static_cast<size_t>(op.operands[0])],
                            layouts[static_cast<size_t>(op.results[0])]))
                    root[static_cast<size_t>(op.results[0])] = root[static_cast<size_t>(op.operands[0])];
                for (const Region& nested : op.regions) visit(nested);
            }
    };
    visit(function.body);
    address = address_values(function, root);
    unmasked = unmasked_values(function, root);
    LifetimePass(function, *this);
}

}  // namespace tritonsmith::ttir
