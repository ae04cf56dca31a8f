// tt.load, tt.store: blocks of pointers.
#include <cstring>

#include "ttir/interp/lower/exec_builder.h"
#include "ttir/interp/lower/exec_launch.h"
#include "ttir/interp/ops/memory_access.h"

namespace tritonsmith::ttir {
namespace {

struct MemoryStep : Step {
    Access access;
    std::string name;
    Operand pointer, mask, value;
    int64_t count = 1;
    int64_t repeat = 1;     ///< lanes that each stored lane stands for
    bool pointers = false;  ///< the elements are pointers: addresses in memory, with their buffer in values

    bool allowed(Context& ctx) const {
        if (!pointers || ctx.launch->options->allow_int_to_ptr) return true;
        ctx.find(*this, "int_to_ptr", std::string(access.verb) + " of pointers: addresses lie in memory",
                 Json::object(), true);
        return false;
    }
};

struct LoadStep : MemoryStep {
    int64_t out = 0;
    bool volatile_ = false;
    bool unmasked = false;  ///< no `other`, and lanes that were masked off count later
    void run(Context& ctx) const override {
        if (!allowed(ctx)) return;
        Access a = access;
        a.step = this;
        a.name = &name;
        a.atomic_like = volatile_;
        a.lenient = ctx.launch->options->keep_promises;
        const auto* p = pointer.as<uint64_t>(ctx);
        const auto* m = mask ? mask.as<uint8_t>(ctx) : nullptr;
        const std::byte* other = value ? value.get(ctx) : nullptr;
        if (ctx.overflowed) a.check_overflow(ctx, m, count);
        if (unmasked && m != nullptr && !ctx.warned_masked && ctx.launch->options->checks)
            warn_masked(ctx, m);
        if (count == 1)
            run_scalar(ctx, a, *p, m == nullptr || *m != 0, other);
        else
            a.load(ctx, p, m, other, ctx.at(out), count);
        if (pointers) resolve(ctx, m);
        if (count > 1) ctx.spend(count);
    }
    void warn_masked(Context& ctx, const uint8_t* m) const {
        const void* off = std::memchr(m, 0, static_cast<size_t>(count));
        if (off == nullptr) return;
        ctx.warned_masked = true;
        const int64_t lane = static_cast<const uint8_t*>(off) - m;
        ctx.warn(
            *this, "masked_load",
            "load" + (name.empty() ? "" : " through " + name) +
                ": lanes that the mask leaves out are undefined without `other` (zero on NVIDIA), and are "
                "reduced, multiplied or stored later",
            {{"lane", lane}});
    }
    void resolve(Context& ctx, const uint8_t* m) const {
        auto* o = reinterpret_cast<uint64_t*>(ctx.at(out));
        for (int64_t i = 0; i < count; ++i)
            if (m == nullptr || m[i] != 0) o[i] = ctx.launch->resolve(o[i]);
    }
    void run_scalar(Context& ctx, const Access& a, uint64_t p, bool active, const std::byte* other) const {
        std::byte* o = ctx.at(out);
        ctx.spend(1);
        if (!active) {
            if (other != nullptr)
                std::memcpy(o, other, static_cast<size_t>(a.size));
            else
                std::memset(o, 0, static_cast<size_t>(a.size));
            return;
        }
        a.read(ctx, p, 1, o, 0);
        ctx.bytes_read += a.size;
        a.look_again(ctx, p, o);
    }
};

struct StoreStep : MemoryStep {
    void run(Context& ctx) const override {
        if (!allowed(ctx)) return;
        Access a = access;
        a.step = this;
        a.name = &name;
        const auto* p = pointer.as<uint64_t>(ctx);
        const auto* m = mask ? mask.as<uint8_t>(ctx) : nullptr;
        if (ctx.overflowed) a.check_overflow(ctx, m, count);
        if (pointers) {
            const auto* v = value.as<uint64_t>(ctx);
            std::vector<uint64_t> addresses(static_cast<size_t>(count));
            for (size_t i = 0; i < addresses.size(); ++i) addresses[i] = ctx.launch->address(v[i]);
            a.store(ctx, p, m, reinterpret_cast<const std::byte*>(addresses.data()), count);
        } else {
            a.store(ctx, p, m, value.get(ctx), count);
        }
        ctx.spend(count);
    }
};

int pointee_size(const Type& pointer) {
    const Type& pointee = *pointer.pointee;
    return pointee.kind == Type::Kind::pointer ? 8 : element_size(stored_scalar(pointee));
}

bool block_pointer(const Type& type) {
    return type.pointee != nullptr && type.pointee->is_tensor();
}

int64_t stored_count(const Layout& layout, uint64_t stored) {
    int64_t n = 1;
    for (size_t d = 0; d < layout.shape.size(); ++d)
        if ((stored >> d & 1) != 0) n *= layout.shape[d];
    return n;
}

void emit_load(Builder& b, const Operation& op) {
    const Type& type = b.type(op.operands[0]);
    if (block_pointer(type))
        return b.emit_unsupported(op, "loads through block pointers (tt.make_tensor_ptr)");
    const uint64_t stored = b.layout(op.results[0]).stored;
    LoadStep step;
    step.pointers = type.pointee->kind == Type::Kind::pointer;
    step.access.size = pointee_size(type);
    step.name = b.name(op.operands[0]);
    step.pointer = b.operand(op.operands[0], stored);
    step.access.poison = b.poison_key(op.operands[0]);
    step.access.poison_expand = step.pointer.expand;
    step.mask = b.optional_operand(op, 1, stored);
    step.value = b.optional_operand(op, 2, stored);
    step.count = b.layout(op.results[0]).count();
    step.access.shape = b.lane_shape(b.layout(op.results[0]).shape, stored);
    step.access.issued = b.issued(op);
    step.volatile_ = bool_attribute(op, "isVolatile") || enum_attribute(op, "cache") == "cv";
    step.unmasked = step.mask && !step.value && b.unmasked(op.results[0]);
    step.out = b.slot(op.results[0]);
    b.emit(op, std::move(step));
}

void emit_store(Builder& b, const Operation& op) {
    const Type& type = b.type(op.operands[0]);
    if (block_pointer(type))
        return b.emit_unsupported(op, "stores through block pointers (tt.make_tensor_ptr)");
    uint64_t stored = 0;
    for (ValueId v : op.operands) stored |= b.layout(v).stored;
    StoreStep step;
    step.pointers = type.pointee->kind == Type::Kind::pointer;
    step.access.verb = "store";
    step.access.size = pointee_size(type);
    step.name = b.name(op.operands[0]);
    step.pointer = b.operand(op.operands[0], stored);
    step.access.poison = b.poison_key(op.operands[0]);
    step.access.poison_expand = step.pointer.expand;
    step.value = b.operand(op.operands[1], stored);
    step.mask = b.optional_operand(op, 2, stored);
    step.count = stored_count(b.layout(op.operands[0]), stored);
    step.access.shape = b.lane_shape(b.layout(op.operands[0]).shape, stored);
    step.access.issued = b.issued(op);
    b.emit(op, std::move(step));
}

}  // namespace

void add_memory_emitters(Emitters& t) {
    t["tt.load"] = emit_load;
    t["tt.store"] = emit_store;
}

}  // namespace tritonsmith::ttir
