// tt.atomic_rmw, tt.atomic_cas: lane after lane, under the page lock of the address.
#include "ttir/interp/ops/ops_atomic.h"

#include <cstring>

#include "ttir/interp/lower/exec_builder.h"
#include "ttir/interp/ops/memory_access.h"

namespace tritonsmith::ttir {
namespace {

template <class T>
T integer_update(AtomicKind kind, T old, T value) {
    using U = std::make_unsigned_t<T>;
    switch (kind) {
        case AtomicKind::and_:
            return static_cast<T>(old & value);
        case AtomicKind::or_:
            return static_cast<T>(old | value);
        case AtomicKind::xor_:
            return static_cast<T>(old ^ value);
        case AtomicKind::add:
            return static_cast<T>(static_cast<U>(old) + static_cast<U>(value));
        case AtomicKind::max:
            return old > value ? old : value;
        case AtomicKind::min:
            return old < value ? old : value;
        case AtomicKind::umax:
            return static_cast<U>(old) > static_cast<U>(value) ? old : value;
        case AtomicKind::umin:
            return static_cast<U>(old) < static_cast<U>(value) ? old : value;
        case AtomicKind::inc:
            return static_cast<U>(old) >= static_cast<U>(value) ? T(0)
                                                                : static_cast<T>(static_cast<U>(old) + 1);
        case AtomicKind::dec:
            return old == 0 || static_cast<U>(old) > static_cast<U>(value)
                       ? value
                       : static_cast<T>(static_cast<U>(old) - 1);
        default:
            return value;
    }
}

template <class T>
T float_update(AtomicKind kind, T old, T value) {
    switch (kind) {
        case AtomicKind::fadd:
            return old + value;
        case AtomicKind::max:
            return old > value || value != value ? old : value;
        case AtomicKind::min:
            return old < value || value != value ? old : value;
        default:
            return value;
    }
}

template <class T>
void apply_integer(AtomicKind kind, std::byte* memory, const std::byte* value) {
    T old, v;
    std::memcpy(&old, memory, sizeof(T));
    std::memcpy(&v, value, sizeof(T));
    const T next = integer_update(kind, old, v);
    std::memcpy(memory, &next, sizeof(T));
}

void apply_small_float(AtomicKind kind, Scalar elem, std::byte* memory, const std::byte* value) {
    float a = 0, b = 0;
    const std::byte* in[1] = {memory};
    const KernelFn widen = find_kernel("to_f32", elem);
    widen(reinterpret_cast<std::byte*>(&a), in, 1);
    in[0] = value;
    widen(reinterpret_cast<std::byte*>(&b), in, 1);
    const float next = float_update(kind, a, b);
    in[0] = reinterpret_cast<const std::byte*>(&next);
    find_kernel("from_f32", elem)(memory, in, 1);
}

}  // namespace

AtomicKind atomic_kind(const std::string& name) {
    if (name == "and") return AtomicKind::and_;
    if (name == "or") return AtomicKind::or_;
    if (name == "xor") return AtomicKind::xor_;
    if (name == "add") return AtomicKind::add;
    if (name == "fadd") return AtomicKind::fadd;
    if (name == "max") return AtomicKind::max;
    if (name == "min") return AtomicKind::min;
    if (name == "umax") return AtomicKind::umax;
    if (name == "umin") return AtomicKind::umin;
    if (name == "inc") return AtomicKind::inc;
    if (name == "dec") return AtomicKind::dec;
    return AtomicKind::exch;
}

void apply_atomic(AtomicKind kind, Scalar elem, std::byte* memory, const std::byte* value) {
    const int size = element_size(elem);
    if (kind == AtomicKind::exch) {
        std::memcpy(memory, value, static_cast<size_t>(size));
    } else if (elem == Scalar::f32) {
        float a, b;
        std::memcpy(&a, memory, 4);
        std::memcpy(&b, value, 4);
        a = float_update(kind, a, b);
        std::memcpy(memory, &a, 4);
    } else if (elem == Scalar::f64) {
        double a, b;
        std::memcpy(&a, memory, 8);
        std::memcpy(&b, value, 8);
        a = float_update(kind, a, b);
        std::memcpy(memory, &a, 8);
    } else if (is_float(elem)) {
        apply_small_float(kind, elem, memory, value);
    } else if (size == 1) {
        apply_integer<int8_t>(kind, memory, value);
    } else if (size == 2) {
        apply_integer<int16_t>(kind, memory, value);
    } else if (size == 4) {
        apply_integer<int32_t>(kind, memory, value);
    } else {
        apply_integer<int64_t>(kind, memory, value);
    }
}

bool atomic_lane(Context& ctx, const Access& access, uint64_t p, Order order, int64_t lane, std::byte* old,
                 const std::function<void(std::byte*)>& change) {
    int64_t offset = 0;
    LaunchBuffer* b = access.check(ctx, p, 1, lane, offset);
    if (b == nullptr) {
        std::memset(old, 0, static_cast<size_t>(access.size));
        return false;
    }
    const auto size = static_cast<size_t>(access.size);
    if (b->lazy) b->buffer->ensure(offset, access.size);
    PageGuard guard(ctx.launch->page_locks, pointer_buffer(p), offset);
    if (b->check_written) access.check_written(ctx, *b, offset, access.size, lane);
    note_atomic(ctx, access, *b, offset, access.size, order.acquire, order.release, lane);
    std::byte* memory = b->data + offset;
    std::memcpy(old, memory, size);
    change(memory);
    if (b->mark_written) std::memset(b->buffer->written() + offset, 1, size);
    if (std::memcmp(old, memory, size) != 0) {
        ctx.spin = 0;
        ctx.progress = true;
    }
    return true;
}

namespace {

struct AtomicStep : Step {
    Access access;
    std::string name;
    Operand pointer, value, compare, mask;
    Order order;
    AtomicKind kind = AtomicKind::exch;
    bool cas = false;
    Scalar elem = Scalar::i32;
    int64_t out = 0, count = 1;

    void run(Context& ctx) const override {
        Access a = access;
        a.step = this;
        a.name = &name;
        a.verb = "atomic access";
        const auto* p = pointer.as<uint64_t>(ctx);
        const std::byte* v = value.get(ctx);
        const std::byte* c = cas ? compare.get(ctx) : nullptr;
        const auto* m = mask ? mask.as<uint8_t>(ctx) : nullptr;
        std::byte* o = ctx.at(out);
        const auto size = static_cast<size_t>(a.size);
        std::byte old[8];
        for (int64_t i = 0; i < count && !ctx.stop; ++i) {
            if (m != nullptr && m[i] == 0) {
                // Of a block, what a lane outside of the mask gets is undefined: NaN, -1.
                std::memset(o + i * a.size, count > 1 ? 0xFF : 0, size);
                continue;
            }
            const std::byte* mine = v + i * a.size;
            atomic_lane(ctx, a, p[i], order, i, old, [&](std::byte* memory) {
                if (!cas)
                    apply_atomic(kind, elem, memory, mine);
                else if (std::memcmp(memory, c + i * a.size, size) == 0)
                    std::memcpy(memory, mine, size);
            });
            std::memcpy(o + i * a.size, old, size);
            ctx.bytes_read += a.size;
            ctx.bytes_written += a.size;
            if (is_float(elem) && !cas && kind != AtomicKind::exch) ++ctx.flops;
        }
        ctx.spend(count * 4);
        if (count == 1) access.look_again(ctx, p[0], o);
    }
};

Order order_of(const Operation& op) {
    const std::string sem = enum_attribute(op, "sem", "acq_rel");
    return {sem == "acquire" || sem == "acq_rel", sem == "release" || sem == "acq_rel"};
}

void emit_atomic(Builder& b, const Operation& op) {
    AtomicStep step;
    const uint64_t full = b.layout(op.operands[0]).full();
    step.cas = op.name == "tt.atomic_cas";
    step.elem = b.layout(op.results[0]).elem;
    step.access.size = element_size(step.elem);
    step.name = b.name(op.operands[0]);
    step.pointer = b.operand(op.operands[0], full);
    if (step.cas) {
        step.compare = b.operand(op.operands[1], full);
        step.value = b.operand(op.operands[2], full);
    } else {
        step.value = b.operand(op.operands[1], full);
        step.mask = b.optional_operand(op, 2, full);
        step.kind = atomic_kind(enum_attribute(op, "atomic_rmw_op"));
    }
    step.access.shape = b.lane_shape(b.layout(op.operands[0]).shape, full);
    step.access.issued = b.issued(op);
    step.order = order_of(op);
    step.count = b.layout(op.results[0]).count();
    step.out = b.slot(op.results[0]);
    b.emit(op, std::move(step));
}

}  // namespace

void add_atomic_emitters(Emitters& t) {
    t["tt.atomic_rmw"] = emit_atomic;
    t["tt.atomic_cas"] = emit_atomic;
}

}  // namespace tritonsmith::ttir
