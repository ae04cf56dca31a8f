// What a program promises the compiler about values: tl.multiple_of, tl.max_contiguous, tl.max_constancy, as
// Triton's axis analysis reads them (lib/Analysis/AxisInfo.cpp: contiguity, divisibility, constancy of a
// dimension).
#include <algorithm>
#include <cstring>

#include "ttir/interp/lower/exec_builder.h"
#include "ttir/interp/lower/exec_launch.h"

namespace tritonsmith::ttir {
namespace {

/// What of a promise matters (PromiseUse): one about more is broken only where it is false about so much.
int64_t useful(int64_t promised, int64_t used) {
    return std::min(promised & -promised, std::max<int64_t>(used, 1));
}

/// Lanes that were given a value only so that they have one: those of tl.where(mask, i, 0), or outside of a
/// load's mask. Whoever reads by them has to throw away what comes.
struct Discarded {
    Operand mask;             ///< absent: no lane
    bool where_true = false;  ///< lanes where the mask is set, else those where it is not
    const uint8_t* get(Context& ctx) const { return mask ? mask.as<uint8_t>(ctx) : nullptr; }
    bool operator()(const uint8_t* lanes, int64_t i) const {
        return lanes != nullptr && (lanes[i] != 0) == where_true;
    }
};

struct PromiseStep : Step {
    Operand value;
    int64_t slot = 0;
    std::vector<int64_t> shape, divisibility, contiguity,
        constancy;     ///< by dimension, 1 where nothing is promised
    int64_t unit = 1;  ///< what contiguous elements differ by: bytes of the pointee for pointers
    int64_t used = 0;  ///< PromiseUse: of pointers bytes
    bool pointer = false, scalar = false, block = false;
    bool changeable = false;  ///< every element has memory of its own, and nobody else sees it
    Discarded discarded;

    int64_t at(Context& ctx, const std::byte* p, int64_t i) const {
        switch (element_size(value.elem)) {
            case 1:
                return reinterpret_cast<const int8_t*>(p)[i];
            case 2:
                return reinterpret_cast<const int16_t*>(p)[i];
            case 4:
                return reinterpret_cast<const int32_t*>(p)[i];
            default:
                break;
        }
        const uint64_t v = reinterpret_cast<const uint64_t*>(p)[i];
        if (!pointer) return static_cast<int64_t>(v);
        const int index = pointer_buffer(v);
        const bool known = index >= 0 && index < static_cast<int>(ctx.launch->buffers.size());
        const uint64_t base = known ? ctx.launch->buffers[static_cast<size_t>(index)].buffer->address() : 0;
        return static_cast<int64_t>(base + static_cast<uint64_t>(pointer_offset(v)));
    }

    void run(Context& ctx) const override {
        const bool keep = ctx.launch->options->keep_promises;
        if (!ctx.launch->options->checks && !keep) return;
        const std::byte* p = value.get(ctx);
        const uint8_t* off = discarded.get(ctx);
        int64_t count = 1;
        for (int64_t d : shape) count *= d;
        int64_t stride = 1;
        for (size_t d = shape.size(); d-- > 0; stride *= shape[d]) {
            const int64_t divisor = useful(divisibility[d], used);
            if (divisor > 1 && !divisible(ctx, p, off, d, stride, count, divisor)) return;
            const int64_t together = useful(contiguity[d], used / unit),
                          same = useful(constancy[d], used / unit);
            if (together > 1 &&
                !in_groups(ctx, p, stride, shape[d], count, together, unit, contiguity[d], keep))
                return;
            if (same > 1 && !in_groups(ctx, p, stride, shape[d], count, same, 0, constancy[d], keep)) return;
        }
        ctx.spend(count);
    }

    /// The first of each group of contiguous elements is a multiple. Of a tile, and of pointers, only
    /// dimensions that have such groups are looked at: a vector runs along one of these.
    bool divisible(Context& ctx, const std::byte* p, const uint8_t* off, size_t d, int64_t stride,
                   int64_t count, int64_t divisor) const {
        const int64_t together = useful(contiguity[d], used / unit);
        for (int64_t i = 0; i < count; ++i) {
            if (discarded(off, i)) continue;
            const int64_t k = i / stride % shape[d], v = at(ctx, p, i);
            if (v % divisor == 0) continue;
            if (together > 1 ? k % together != 0 : k != 0) {
                const int64_t before = at(ctx, p, i - stride);
                if (together > 1 || v - before == unit || v == before) continue;
            }
            const bool run = together > 1 || (k + 1 < shape[d] && at(ctx, p, i + stride) - v == unit);
            if (run || scalar || (!pointer && !block))
                return broken(ctx, i, v, "a multiple of ", divisibility[d]);
        }
        return true;
    }

    /// Elements of a group are `step` apart. Where they are not, the promise is kept for them, or warned of.
    bool in_groups(Context& ctx, const std::byte* p, int64_t stride, int64_t extent, int64_t count,
                   int64_t group, int64_t step, int64_t promised, bool keep) const {
        for (int64_t i = 0; i < count; ++i) {
            const int64_t k = i / stride % extent;
            if (k % group == 0 || at(ctx, p, i) - at(ctx, p, i - stride) == step) continue;
            const std::string what = step == 0 ? "constant in groups of " : "contiguous in groups of ";
            if (!changeable) return broken(ctx, i, at(ctx, p, i), what, promised);
            if (!keep) {
                warn(ctx, i, at(ctx, p, i), what, promised);
                return false;
            }
            const int size = element_size(value.elem);
            std::byte* mine = ctx.at(slot) + i * size;
            int64_t before = 0;
            std::memcpy(&before, mine - stride * size, static_cast<size_t>(size));  // little endian
            before += step;
            std::memcpy(mine, &before, static_cast<size_t>(size));
        }
        return true;
    }

    Json evidence(int64_t lane, int64_t v, int64_t n) const {
        return {{"lane", lane}, {"value", v}, {"promised", n}};
    }
    static std::string text(int64_t lane, int64_t v, const std::string& what, int64_t n) {
        return "a value promised to be " + what + std::to_string(n) + " is " + std::to_string(v) +
               " in lane " + std::to_string(lane);
    }
    bool broken(Context& ctx, int64_t lane, int64_t v, const std::string& what, int64_t n) const {
        ctx.find(*this, "false_promise", text(lane, v, what, n), evidence(lane, v, n));
        return false;
    }
    void warn(Context& ctx, int64_t lane, int64_t v, const std::string& what, int64_t n) const {
        ctx.warn(*this, "broken_promise", text(lane, v, what, n), evidence(lane, v, n));
    }
};

std::vector<int64_t> promise(const Operation& op, const char* name, size_t rank) {
    std::vector<int64_t> out(std::max<size_t>(rank, 1), 1);
    const auto it = op.attributes.find(name);
    if (it == op.attributes.end()) return out;
    if (const auto* one = std::get_if<TypedInt>(&it->second.v)) {
        std::fill(out.begin(), out.end(), one->value);
    } else if (const auto* dense = std::get_if<Dense>(&it->second.v)) {
        for (size_t d = 0; d < out.size(); ++d)
            if (dense->bits.size() == 1 || d < dense->bits.size())
                out[d] = static_cast<int32_t>(dense->bits[dense->bits.size() == 1 ? 0 : d]);
    }
    for (int64_t& v : out) v = std::max<int64_t>(v, 1);
    return out;
}

/// A block of which all elements are one scalar, or one constant.
bool splat(Builder& b, ValueId v) {
    return b.type(v).is_tensor() && b.layout(v).stored == 0;
}

Discarded discarded_lanes(Builder& b, const Operation& op) {
    Discarded out;
    if (op.name == "arith.select" && b.type(op.operands[0]).is_tensor()) {
        out.where_true = splat(b, op.operands[1]);
        // A result of one byte may lie where the mask was.
        if (out.where_true != splat(b, op.operands[2]) && element_size(b.layout(op.results[0]).elem) > 1)
            out.mask = b.full_operand(op.operands[0]);
    } else if (op.name == "tt.load" && op.segments.size() > 1 && op.segments[1] > 0) {
        out.mask = b.full_operand(op.operands[1]);
    }
    return out;
}

}  // namespace

void emit_promises(Builder& b, const Operation& op) {
    if (op.results.empty() || b.layout(op.results[0]).lanes || b.layout(op.results[0]).descriptor) return;
    const bool any = op.attributes.count("tt.divisibility") + op.attributes.count("tt.contiguity") +
                         op.attributes.count("tt.constancy") !=
                     0;
    if (!any || is_float(b.layout(op.results[0]).elem)) return;
    const Type& type = b.type(op.results[0]);
    PromiseStep step;
    step.used = b.promise_use(op.results[0]);
    if (step.used == 0) return;
    step.value = b.full_operand(op.results[0]);
    step.slot = b.slot(op.results[0]);
    step.scalar = !type.is_tensor();
    step.block = type.shape.size() > 1;
    step.shape = type.shape.empty() ? std::vector<int64_t>{1} : type.shape;
    step.divisibility = promise(op, "tt.divisibility", type.shape.size());
    step.contiguity = promise(op, "tt.contiguity", type.shape.size());
    step.constancy = promise(op, "tt.constancy", type.shape.size());
    step.pointer = type.kind == Type::Kind::pointer;
    if (step.pointer)
        step.unit =
            type.pointee->kind == Type::Kind::pointer ? 8 : element_size(stored_scalar(*type.pointee));
    step.changeable = type.is_tensor() && step.value.expand.identity && b.owns_memory(op.results[0]);
    step.discarded = discarded_lanes(b, op);
    b.emit(op, std::move(step));
}

}  // namespace tritonsmith::ttir
