#include "ttir/interp/lower/exec_builder.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace tritonsmith::ttir {
namespace {

constexpr int64_t kAlign = 64;

int64_t aligned(int64_t n) {
    return (n + kAlign - 1) / kAlign * kAlign;
}

int64_t bytes_of(const Layout& layout) {
    if (layout.descriptor) return static_cast<int64_t>(sizeof(DescriptorValue));
    return layout.lanes ? kLaneChunk * element_size(layout.elem) : layout.bytes();
}

struct UnsupportedStep : Step {
    std::string what;
    void run(Context& ctx) const override { ctx.unsupported(*this, what); }
};

struct TransferStep : Step {
    struct Poison {
        int64_t from = -1, to = -1;  ///< Builder::poison_key
        Expand expand;
    };
    std::vector<Move> moves;
    std::vector<int64_t> staging;  ///< scratch places; empty: the moves do not disturb each other
    std::vector<Poison> poisons;

    void move_poison(Context& ctx) const {
        std::vector<std::vector<uint8_t>> found(poisons.size());
        for (size_t i = 0; i < poisons.size(); ++i) {
            const auto it = ctx.poison.find(poisons[i].from);
            if (it == ctx.poison.end()) continue;
            const Expand& expand = poisons[i].expand;
            found[i].resize(static_cast<size_t>(expand.total));
            expand.copy(reinterpret_cast<std::byte*>(found[i].data()),
                        reinterpret_cast<const std::byte*>(it->second.data()), 1, 0, expand.total);
        }
        for (size_t i = 0; i < poisons.size(); ++i) {
            if (found[i].empty())
                ctx.poison.erase(poisons[i].to);
            else
                ctx.poison[poisons[i].to] = std::move(found[i]);
        }
    }
    void run(Context& ctx) const override {
        if (ctx.overflowed && !poisons.empty()) move_poison(ctx);
        if (staging.empty()) {
            for (const Move& m : moves) m.apply(ctx);
            return;
        }
        for (size_t i = 0; i < moves.size(); ++i) moves[i].apply(ctx, ctx.scratch + staging[i]);
        for (size_t i = 0; i < moves.size(); ++i) {
            const int64_t count = moves[i].lanes ? ctx.lanes : moves[i].expand.total;
            std::memcpy(ctx.at(moves[i].to), ctx.scratch + staging[i],
                        static_cast<size_t>(count * moves[i].size));
        }
    }
};

struct SyncStep : Step {
    void run(Context& ctx) const override { ctx.synchronise(); }
};

}  // namespace

namespace {

/// The scf.for operations that memory operations are in, outermost first.
void find_loops(const Region& region, std::vector<const Operation*>& inside,
                std::map<const Operation*, std::vector<const Operation*>>& loops) {
    for (const Block& block : region.blocks)
        for (const Operation& op : block.operations) {
            loops[&op] = inside;
            if (op.name == "scf.for") inside.push_back(&op);
            for (const Region& nested : op.regions) find_loops(nested, inside, loops);
            if (op.name == "scf.for") inside.pop_back();
        }
}

}  // namespace

Builder::Builder(const Module& module, Code& code, const IssueOrder& issued) : module_(module), code_(code) {
    if (issued.empty() || module.entry() == nullptr) return;
    std::vector<const Operation*> inside;
    std::map<const Operation*, std::vector<const Operation*>> loops;
    find_loops(module.entry()->body, inside, loops);
    const std::vector<const Operation*> operations = memory_operations(module);
    std::map<int, std::vector<std::vector<const Operation*>>> nests;  // by compiled loop
    for (const auto& [number, issue] : issued) {
        if (number < 0 || static_cast<size_t>(number) >= operations.size()) continue;
        const Operation* op = operations[static_cast<size_t>(number)];
        issued_[op] = issue;
        nests[issue.loop].push_back(loops[op]);
    }
    for (const auto& [loop, around] : nests) {
        // The innermost loop that all of its operations are in, and the deepest ones that they are in.
        size_t common = around.front().size(), deepest = 0;
        for (const auto& nest : around) {
            deepest = std::max(deepest, nest.size());
            const auto [end, other] =
                std::mismatch(nest.begin(), nest.end(), around.front().begin(), around.front().end());
            common = std::min(common, static_cast<size_t>(end - nest.begin()));
        }
        if (common == 0) continue;
        compiled_loops_[around.front()[common - 1]].begun.push_back(loop);
        std::set<const Operation*> counting;
        for (const auto& nest : around)
            if (nest.size() == deepest) counting.insert(nest.back());
        for (const Operation* one : counting) compiled_loops_[one].counted.push_back(loop);
    }
}

Issued Builder::issued(const Operation& op) const {
    const auto it = issued_.find(&op);
    if (it == issued_.end()) return {};
    return {it->second,
            op.name != "tt.load" && op.name != "tt.descriptor_load" && op.name != "tt.descriptor_gather"};
}

std::string Builder::name(ValueId v) const {
    const auto& names = function_->value_names;
    return static_cast<size_t>(v) < names.size() ? names[static_cast<size_t>(v)] : "";
}

int64_t Builder::poison_key(ValueId v) const {
    const ValueId root = analysis_->root[static_cast<size_t>(v)];
    return analysis_->address[static_cast<size_t>(root)] ? (function_number_ << 32) + root : -1;
}

bool Builder::unmasked(ValueId v) const {
    return analysis_->unmasked[static_cast<size_t>(analysis_->root[static_cast<size_t>(v)])];
}

int64_t Builder::promise_use(ValueId v) {
    if (!promise_use_) promise_use_ = std::make_unique<PromiseUse>(*function_);
    return promise_use_->of(v);
}

int Builder::lane_shape(const std::vector<int64_t>& shape, uint64_t stored) {
    if (shape.empty()) return kScalarShape;
    const int next = std::min(static_cast<int>(lane_shapes_.size()) + 1, kMostShapes);
    return lane_shapes_.emplace(std::pair{shape, stored}, next).first->second;
}

int64_t Builder::allocate(int64_t bytes, int64_t hint) {
    bytes = aligned(std::max<int64_t>(bytes, 1));
    if (hint >= 0) {
        const auto it = free_.find(hint);
        if (it != free_.end() && it->second >= bytes) {
            free_.erase(it);
            return hint;
        }
    }
    auto best = free_.end();
    for (auto it = free_.begin(); it != free_.end(); ++it)
        if (it->second >= bytes && it->second <= 4 * bytes &&
            (best == free_.end() || it->second < best->second))
            best = it;
    if (best != free_.end()) {
        const int64_t slot = best->first;
        free_.erase(best);
        return slot;
    }
    const int64_t slot = code_.arena_bytes;
    code_.arena_bytes += bytes;
    sizes_[slot] = bytes;
    created_.push_back(slot);
    return slot;
}

void Builder::release(int64_t slot) {
    free_[slot] = sizes_[slot];
}

int64_t Builder::slot(ValueId v) {
    const auto r = static_cast<size_t>(analysis_->root[static_cast<size_t>(v)]);
    if (slots_[r] >= 0) return slots_[r];
    int64_t hint = -1;
    const auto it = preferred_.find(static_cast<ValueId>(r));
    if (it != preferred_.end())
        hint = slots_[static_cast<size_t>(analysis_->root[static_cast<size_t>(it->second)])];
    slots_[r] = allocate(bytes_of(analysis_->layouts[r]), hint);
    owns_[r] = true;
    const int last = analysis_->last_use[r];
    if (last < FunctionAnalysis::kPinned) releases_[last].push_back(static_cast<ValueId>(r));
    return slots_[r];
}

int64_t Builder::slot_in_place(ValueId result, const std::vector<ValueId>& operands) {
    const auto r = static_cast<size_t>(analysis_->root[static_cast<size_t>(result)]);
    if (slots_[r] >= 0) return slots_[r];
    const auto preferred = preferred_.find(static_cast<ValueId>(r));
    if (preferred != preferred_.end()) {
        const int64_t place =
            slots_[static_cast<size_t>(analysis_->root[static_cast<size_t>(preferred->second)])];
        if (place >= 0 && free_.count(place) != 0) return slot(result);
    }
    const Layout& mine = analysis_->layouts[r];
    for (ValueId v : operands) {
        const auto o = static_cast<size_t>(analysis_->root[static_cast<size_t>(v)]);
        const Layout& theirs = layout(v);
        if (!owns_[o] || slots_[o] < 0 || analysis_->last_use[o] != position_ || theirs.lanes != mine.lanes ||
            theirs.descriptor || theirs.count() != mine.count() ||
            element_size(theirs.elem) != element_size(mine.elem))
            continue;
        if (!mine.lanes && !Expand(layout(result).shape, theirs.stored, layout(result).stored).identity)
            continue;
        slots_[r] = slots_[o];
        owns_[o] = false;
        owns_[r] = true;
        const int last = analysis_->last_use[r];
        if (last < FunctionAnalysis::kPinned) releases_[last].push_back(static_cast<ValueId>(r));
        return slots_[r];
    }
    return slot(result);
}

bool Builder::owns_memory(ValueId v) const {
    return analysis_->root[static_cast<size_t>(v)] == v && owns_[static_cast<size_t>(v)];
}

void Builder::prefer(ValueId value, ValueId place) {
    preferred_[analysis_->root[static_cast<size_t>(value)]] = place;
}

void Builder::share(ValueId value, ValueId place) {
    this->place(value, slot(place));
}

void Builder::place(ValueId value, int64_t slot) {
    const auto r = static_cast<size_t>(analysis_->root[static_cast<size_t>(value)]);
    slots_[r] = slot;
    owns_[r] = true;
    const int last = analysis_->last_use[r];
    if (last < FunctionAnalysis::kPinned) releases_[last].push_back(static_cast<ValueId>(r));
}

int64_t Builder::bytes(ValueId value) const {
    return bytes_of(layout(value));
}

void Builder::emit_copy(const Operation& op, int64_t from, ValueId to, const Layout& source) {
    Move m;
    m.from = from;
    m.to = slot(to);
    m.size = source.descriptor ? 1 : element_size(source.elem);
    m.lanes = layout(to).lanes;
    if (source.descriptor)
        m.expand = Expand(std::vector<Expand::Level>{{static_cast<int64_t>(sizeof(DescriptorValue)), 1}});
    else if (!m.lanes)
        m.expand = Expand(source.shape, source.stored, layout(to).stored);
    TransferStep step;
    step.moves.push_back(std::move(m));
    emit(op, std::move(step));
}

int64_t Builder::temporary(int64_t bytes) {
    const int64_t slot = allocate(bytes);
    temporaries_.push_back(slot);
    return slot;
}

int64_t Builder::scratch(int64_t bytes) {
    const int64_t at = scratch_used_;
    scratch_used_ += aligned(bytes);
    code_.scratch_bytes = std::max(code_.scratch_bytes, scratch_used_);
    return at;
}

void Builder::place_constant(ValueId value, const std::vector<std::byte>& data) {
    const int64_t slot = code_.arena_bytes;
    const int64_t bytes = aligned(std::max<int64_t>(static_cast<int64_t>(data.size()), 1));
    code_.arena_bytes += bytes;
    sizes_[slot] = bytes;
    slots_[static_cast<size_t>(analysis_->root[static_cast<size_t>(value)])] = slot;
    code_.constants.emplace_back(slot, data);
}

Operand Builder::operand(ValueId v, uint64_t stored) {
    const Layout& l = layout(v);
    Operand o;
    o.slot = slot(v);
    o.elem = l.elem;
    if (l.lanes) return o;
    o.expand = Expand(l.shape, l.stored, stored);
    if (!o.expand.identity) o.scratch = scratch(o.expand.total * element_size(l.elem));
    return o;
}

Operand Builder::optional_operand(const Operation& op, size_t segment, uint64_t stored) {
    int index = 0;
    for (size_t i = 0; i < segment; ++i) index += op.segments[i];
    return op.segments[segment] == 0 ? Operand{} : operand(op.operands[static_cast<size_t>(index)], stored);
}

Move Builder::move(ValueId from, int64_t to, const Layout& target) {
    const Layout& l = layout(from);
    Move m;
    m.from = slot(from);
    m.to = to;
    if (l.descriptor) {
        m.size = 1;
        m.expand = Expand(std::vector<Expand::Level>{{static_cast<int64_t>(sizeof(DescriptorValue)), 1}});
        return m;
    }
    m.size = element_size(l.elem);
    m.lanes = target.lanes;
    if (target.lanes) {
        m.expand.scalar = !l.lanes;
    } else {
        m.expand = Expand(l.shape, l.stored, target.stored);
    }
    return m;
}

void Builder::emit_transfers(const Operation& op, const std::vector<Transfer>& transfers) {
    TransferStep step;
    bool conflict = false;
    for (const Transfer& t : transfers) {
        for (ValueId to : t.values)
            if (poison_key(to) >= 0 && !layout(to).lanes)
                step.poisons.push_back(
                    {poison_key(t.from), poison_key(to),
                     Expand(layout(t.from).shape, layout(t.from).stored, layout(to).stored)});
        Move m = move(t.from, t.to, *t.layout);
        if (m.from == m.to && (m.lanes ? !m.expand.scalar : m.expand.identity)) continue;
        step.moves.push_back(std::move(m));
    }
    for (size_t i = 0; i < step.moves.size(); ++i)
        for (size_t j = 0; j < step.moves.size(); ++j) {
            const Move& read = step.moves[i];
            const Move& write = step.moves[j];
            const auto bytes = [&](int64_t slot) { return sizes_.count(slot) != 0 ? sizes_[slot] : kAlign; };
            if (i != j || !read.expand.identity)
                conflict = conflict || (read.from < write.to + bytes(write.to) &&
                                        write.to < read.from + bytes(read.from));
        }
    if (step.moves.empty() && step.poisons.empty()) return;
    if (conflict)
        for (const Move& m : step.moves)
            step.staging.push_back(scratch((m.lanes ? kLaneChunk : m.expand.total) * m.size));
    emit(op, std::move(step));
}

void Builder::emit_unsupported(const Operation& op, std::string what) {
    UnsupportedStep step;
    step.what = std::move(what);
    emit(op, std::move(step));
    for (ValueId r : op.results) slot(r);
}

void Builder::emit_operation(const Operation& op) {
    position_ = analysis_->position[&op];
    scratch_used_ = 0;
    std::vector<int64_t> outer;
    outer.swap(temporaries_);
    bool used = false;
    for (ValueId r : op.results)
        used = used ||
               analysis_->last_use[static_cast<size_t>(analysis_->root[static_cast<size_t>(r)])] > position_;
    const Sync sync = synchronises(op, used, op.results.empty() || !type(op.results[0]).is_tensor());
    if (sync == Sync::around) emit(op, SyncStep{});
    bool view = op.operands.size() == 1 && op.results.size() == 1 &&
                analysis_->root[static_cast<size_t>(op.results[0])] ==
                    analysis_->root[static_cast<size_t>(op.operands[0])];
    if (!view) {
        const auto it = emitters().find(op.name);
        if (it == emitters().end())
            emit_unsupported(op, "the interpreter does not have the operation " + op.name);
        else
            it->second(*this, op);
        for (ValueId r : op.results) slot(r);
    }
    if (sync != Sync::none) emit(op, SyncStep{});
    emit_promises(*this, op);
    for (int64_t t : temporaries_) release(t);
    temporaries_.swap(outer);
    const auto it = releases_.find(analysis_->position[&op]);
    if (it == releases_.end()) return;
    for (ValueId v : it->second)
        if (owns_[static_cast<size_t>(v)]) release(slots_[static_cast<size_t>(v)]);
    releases_.erase(it);
}

void Builder::emit_block(const Block& block) {
    for (const Operation& op : block.operations) emit_operation(op);
}

void Builder::emit_region(const Region& region, const Finish& finish) {
    const auto snapshot = free_;
    std::vector<int64_t> created;
    created.swap(created_);
    const Finish* outer_finish = finish_;
    Targets* outer_targets = targets_;
    Targets here{&region, std::vector<int>(region.blocks.size()), {}};
    finish_ = &finish;
    targets_ = &here;
    for (const Block& block : region.blocks)
        for (ValueId a : block.arguments)
            if (region.blocks.size() > 1) slot(a);
    for (size_t b = 0; b < region.blocks.size(); ++b) {
        here.starts[b] = pc();
        emit_block(region.blocks[b]);
    }
    for (auto [place, block] : here.waiting) *place = here.starts[static_cast<size_t>(block)];
    finish_ = outer_finish;
    targets_ = outer_targets;
    // What lived inside is gone; memory that outer values lent to inner ones is theirs again.
    free_ = snapshot;
    for (int64_t slot : created_) release(slot);
    created.insert(created.end(), created_.begin(), created_.end());
    created_ = std::move(created);
}

void Builder::emit_function(const Function& function) {
    function_ = &function;
    promise_use_.reset();
    ++function_number_;
    analysis_ = std::make_unique<FunctionAnalysis>(function);
    slots_.assign(function.values.size(), -1);
    owns_.assign(function.values.size(), false);
    releases_.clear();
    preferred_.clear();
    free_.clear();
    created_.clear();
    Frame& f = frames_[function.name];
    f.entry = pc();
    for (ValueId p : function.parameters) {
        f.parameters.push_back(slot(p));
        f.parameter_layouts.push_back(layout(p));
    }
    for (const Type& t : function.results) {
        Layout l;
        l.elem = stored_scalar(t);
        l.shape = t.shape;
        l.descriptor = t.kind == Type::Kind::descriptor;
        l.stored = l.full();
        f.result_layouts.push_back(l);
        f.results.push_back(allocate(bytes_of(l)));
    }
    emit_region(function.body, [](const Operation&) {});
}

void Builder::build() {
    // Callees first, so that their frames are known where they are called.
    std::vector<const Function*> order;
    std::map<const Function*, int> state;
    std::function<void(const Function&)> visit = [&](const Function& f) {
        if (state[&f]++ != 0) return;
        std::function<void(const Region&)> calls = [&](const Region& region) {
            for (const Block& block : region.blocks)
                for (const Operation& op : block.operations) {
                    if (op.name == "tt.call")
                        if (const Function* callee = module_.find(string_attribute(op, "callee")))
                            visit(*callee);
                    for (const Region& nested : op.regions) calls(nested);
                }
        };
        calls(f.body);
        order.push_back(&f);
    };
    visit(*module_.entry());
    for (const Function* f : order) emit_function(*f);
    code_.entry = frames_[module_.entry()->name].entry;
}

const Emitters& emitters() {
    static const Emitters table = [] {
        Emitters t;
        add_elementwise_emitters(t);
        add_shape_emitters(t);
        add_control_emitters(t);
        add_memory_emitters(t);
        add_atomic_emitters(t);
        add_dot_emitters(t);
        add_dot_scaled_emitters(t);
        add_reduce_emitters(t);
        add_inline_asm_emitters(t);
        add_misc_emitters(t);
        add_descriptor_emitters(t);
        return t;
    }();
    return table;
}

int64_t int_attribute(const Operation& op, const std::string& name, int64_t fallback) {
    const auto it = op.attributes.find(name);
    if (it == op.attributes.end()) return fallback;
    const auto* v = std::get_if<TypedInt>(&it->second.v);
    return v == nullptr ? fallback : v->value;
}

bool bool_attribute(const Operation& op, const std::string& name) {
    const auto it = op.attributes.find(name);
    if (it == op.attributes.end()) return false;
    if (const auto* v = std::get_if<bool>(&it->second.v)) return *v;
    if (const auto* v = std::get_if<TypedInt>(&it->second.v)) return v->value != 0;
    return std::holds_alternative<Unit>(it->second.v);
}

std::string enum_attribute(const Operation& op, const std::string& name, const std::string& fallback) {
    const auto it = op.attributes.find(name);
    if (it == op.attributes.end()) return fallback;
    const auto* v = std::get_if<EnumAttribute>(&it->second.v);
    return v == nullptr ? fallback : v->value;
}

std::string string_attribute(const Operation& op, const std::string& name) {
    const auto it = op.attributes.find(name);
    if (it == op.attributes.end()) return "";
    const auto* v = std::get_if<std::string>(&it->second.v);
    return v == nullptr ? "" : *v;
}

std::vector<int64_t> array_attribute(const Operation& op, const std::string& name) {
    const auto it = op.attributes.find(name);
    if (it == op.attributes.end()) return {};
    const auto* v = std::get_if<std::vector<int64_t>>(&it->second.v);
    return v == nullptr ? std::vector<int64_t>{} : *v;
}

}  // namespace tritonsmith::ttir
