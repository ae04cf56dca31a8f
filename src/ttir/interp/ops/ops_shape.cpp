// Constants, ranges and data movement between shapes. Views (splat, broadcast, most reshapes) emit nothing.
#include <cstring>
#include <numeric>

#include "ttir/interp/lower/exec_builder.h"

namespace tritonsmith::ttir {
namespace {

/// Copies a block in another order: transposition, reshape of a compactly stored value.
struct RearrangeStep : Step {
    int64_t from = 0, to = 0;
    int size = 4;
    Expand order;
    void run(Context& ctx) const override {
        order.copy(ctx.at(to), ctx.at(from), size, 0, order.total);
        ctx.spend(order.total);
    }
};

struct JoinStep : Step {
    Operand left, right;
    int64_t out = 0, count = 1;
    int size = 4;
    void run(Context& ctx) const override {
        const std::byte* a = left.get(ctx);
        const std::byte* b = right.get(ctx);
        std::byte* o = ctx.at(out);
        for (int64_t i = 0; i < count; ++i) {
            std::memcpy(o + 2 * i * size, a + i * size, static_cast<size_t>(size));
            std::memcpy(o + (2 * i + 1) * size, b + i * size, static_cast<size_t>(size));
        }
        ctx.spend(count);
    }
};
struct SplitStep : Step {
    Operand in;
    int64_t first = 0, second = 0, count = 1;
    int size = 4;
    void run(Context& ctx) const override {
        const std::byte* p = in.get(ctx);
        for (int64_t i = 0; i < count; ++i) {
            std::memcpy(ctx.at(first) + i * size, p + 2 * i * size, static_cast<size_t>(size));
            std::memcpy(ctx.at(second) + i * size, p + (2 * i + 1) * size, static_cast<size_t>(size));
        }
        ctx.spend(count);
    }
};
/// Elements of both in turn: tt.cat promises no order, only the same one for blocks of one shape.
struct CatStep : Step {
    Operand left, right;
    int64_t out = 0, count = 0;  ///< count: elements of each operand
    size_t size = 4;
    void run(Context& ctx) const override {
        const std::byte *l = left.get(ctx), *r = right.get(ctx);
        std::byte* o = ctx.at(out);
        for (int64_t i = 0; i < count; ++i) {
            std::memcpy(o, l, size);
            std::memcpy(o + size, r, size);
            o += 2 * size;
            l += size;
            r += size;
        }
        ctx.spend(2 * count);
    }
};

/// out[..., i, ...] = source[..., index[..., i, ...], ...] along one axis.
struct GatherStep : Step {
    Operand source, index;
    int64_t out = 0, outer = 1, axis = 1, from = 1, inner = 1;
    int size = 4, index_size = 4;
    void run(Context& ctx) const override {
        const std::byte* s = source.get(ctx);
        const std::byte* ix = index.get(ctx);
        std::byte* o = ctx.at(out);
        int64_t lane = 0;
        for (int64_t a = 0; a < outer; ++a)
            for (int64_t i = 0; i < axis; ++i)
                for (int64_t c = 0; c < inner; ++c, ++lane) {
                    int64_t k = 0;
                    if (index_size == 8)
                        k = reinterpret_cast<const int64_t*>(ix)[lane];
                    else if (index_size == 4)
                        k = reinterpret_cast<const int32_t*>(ix)[lane];
                    else if (index_size == 2)
                        k = reinterpret_cast<const int16_t*>(ix)[lane];
                    else
                        k = reinterpret_cast<const int8_t*>(ix)[lane];
                    if (k < 0 || k >= from) {
                        ctx.find(
                            *this, "out_of_bounds",
                            "gather index " + std::to_string(k) + " outside 0.." + std::to_string(from - 1),
                            {{"lane", lane}, {"index", k}, {"extent", from}}, true);
                        return;
                    }
                    std::memcpy(o + lane * size, s + ((a * from + k) * inner + c) * size,
                                static_cast<size_t>(size));
                }
        ctx.spend(lane);
    }
};

struct HistogramStep : Step {
    Operand source, mask;
    int64_t out = 0, count = 1, bins = 1;
    int size = 4, out_size = 4;
    void run(Context& ctx) const override {
        const std::byte* s = source.get(ctx);
        const auto* m = mask ? mask.as<uint8_t>(ctx) : nullptr;
        std::memset(ctx.at(out), 0, static_cast<size_t>(bins * out_size));
        for (int64_t i = 0; i < count; ++i) {
            if (m != nullptr && m[i] == 0) continue;
            int64_t k = 0;
            if (size == 8)
                k = reinterpret_cast<const int64_t*>(s)[i];
            else if (size == 4)
                k = reinterpret_cast<const int32_t*>(s)[i];
            else if (size == 2)
                k = reinterpret_cast<const int16_t*>(s)[i];
            else
                k = reinterpret_cast<const int8_t*>(s)[i];
            if (k < 0 || k >= bins) continue;  // undefined by Triton: counted nowhere
            if (out_size == 8)
                ++reinterpret_cast<int64_t*>(ctx.at(out))[k];
            else if (out_size == 4)
                ++reinterpret_cast<int32_t*>(ctx.at(out))[k];
        }
        ctx.spend(count);
    }
};

void emit_constant(Builder& b, const Operation& op) {
    const Layout& l = b.layout(op.results[0]);
    const int size = element_size(l.elem);
    const auto it = op.attributes.find("value");
    std::vector<std::byte> data(static_cast<size_t>(l.count() * size));
    if (it == op.attributes.end()) return b.emit_unsupported(op, "a constant without a value");
    const Attribute& value = it->second;
    if (const auto* i = std::get_if<TypedInt>(&value.v)) {
        std::memcpy(data.data(), &i->value, static_cast<size_t>(size));
    } else if (const auto* f = std::get_if<TypedFloat>(&value.v)) {
        std::memcpy(data.data(), &f->bits, static_cast<size_t>(size));
    } else if (const auto* d = std::get_if<Dense>(&value.v)) {
        for (int64_t k = 0; k < l.count(); ++k)
            std::memcpy(data.data() + k * size, &d->bits[d->bits.size() == 1 ? 0 : static_cast<size_t>(k)],
                        static_cast<size_t>(size));
    } else {
        return b.emit_unsupported(op, "a constant of this kind");
    }
    b.place_constant(op.results[0], data);
}

void emit_range(Builder& b, const Operation& op) {
    const int64_t start = int_attribute(op, "start"), n = b.layout(op.results[0]).count();
    std::vector<int32_t> values(static_cast<size_t>(n));
    std::iota(values.begin(), values.end(), static_cast<int32_t>(start));
    std::vector<std::byte> data(values.size() * 4);
    std::memcpy(data.data(), values.data(), data.size());
    b.place_constant(op.results[0], data);
}

/// Any value will do: zeros.
void emit_poison(Builder& b, const Operation& op) {
    b.place_constant(op.results[0], std::vector<std::byte>(static_cast<size_t>(b.bytes(op.results[0]))));
}

void emit_trans(Builder& b, const Operation& op) {
    const Layout& from = b.layout(op.operands[0]);
    const Layout& to = b.layout(op.results[0]);
    const auto order = array_attribute(op, "order");
    std::vector<int64_t> strides(from.shape.size(), 0);
    int64_t stride = 1;
    for (size_t d = from.shape.size(); d-- > 0;)
        if ((from.stored >> d & 1) != 0) {
            strides[d] = stride;
            stride *= from.shape[d];
        }
    std::vector<Expand::Level> levels;
    for (size_t i = 0; i < order.size(); ++i)
        if ((to.stored >> i & 1) != 0)
            levels.push_back({to.shape[i], strides[static_cast<size_t>(order[i])]});
    RearrangeStep step;
    step.order = Expand(std::move(levels));
    step.size = element_size(from.elem);
    step.from = b.slot(op.operands[0]);
    step.to = b.slot(op.results[0]);
    b.emit(op, std::move(step));
}

void emit_reshape(Builder& b, const Operation& op) {
    const Layout& from = b.layout(op.operands[0]);
    RearrangeStep step;
    step.order = Expand(from.shape, from.stored, from.full());
    step.size = element_size(from.elem);
    step.from = b.slot(op.operands[0]);
    step.to = b.slot(op.results[0]);
    b.emit(op, std::move(step));
}

void emit_join(Builder& b, const Operation& op) {
    JoinStep step;
    step.left = b.full_operand(op.operands[0]);
    step.right = b.full_operand(op.operands[1]);
    step.size = element_size(b.layout(op.operands[0]).elem);
    step.count = b.layout(op.results[0]).count() / 2;
    step.out = b.slot(op.results[0]);
    b.emit(op, std::move(step));
}

void emit_split(Builder& b, const Operation& op) {
    SplitStep step;
    step.in = b.full_operand(op.operands[0]);
    step.size = element_size(b.layout(op.operands[0]).elem);
    step.first = b.slot(op.results[0]);
    step.second = b.slot(op.results[1]);
    step.count = b.layout(op.results[0]).count();
    b.emit(op, std::move(step));
}

void emit_cat(Builder& b, const Operation& op) {
    CatStep step;
    step.left = b.full_operand(op.operands[0]);
    step.right = b.full_operand(op.operands[1]);
    if (b.type(op.operands[0]).count() != b.type(op.operands[1]).count())
        return b.emit_unsupported(op, "a concatenation of blocks of different sizes");
    step.size = static_cast<size_t>(element_size(b.layout(op.operands[0]).elem));
    step.count = b.type(op.operands[0]).count();
    step.out = b.slot(op.results[0]);
    b.emit(op, std::move(step));
}

void emit_gather(Builder& b, const Operation& op) {
    const Type& source = b.type(op.operands[0]);
    const Type& index = b.type(op.operands[1]);
    const auto axis = static_cast<size_t>(int_attribute(op, "axis"));
    GatherStep step;
    step.source = b.full_operand(op.operands[0]);
    step.index = b.full_operand(op.operands[1]);
    step.size = element_size(b.layout(op.operands[0]).elem);
    step.index_size = element_size(b.layout(op.operands[1]).elem);
    for (size_t d = 0; d < axis; ++d) step.outer *= index.shape[d];
    for (size_t d = axis + 1; d < index.shape.size(); ++d) step.inner *= index.shape[d];
    for (size_t d = 0; d < index.shape.size(); ++d)
        if (d != axis && index.shape[d] != source.shape[d])
            return b.emit_unsupported(op, "a gather of this shape");
    step.axis = index.shape[axis];
    step.from = source.shape[axis];
    step.out = b.slot(op.results[0]);
    b.emit(op, std::move(step));
}

void emit_histogram(Builder& b, const Operation& op) {
    HistogramStep step;
    const uint64_t full = b.layout(op.operands[0]).full();
    step.source = b.operand(op.operands[0], full);
    step.mask = b.optional_operand(op, 1, full);
    step.size = element_size(b.layout(op.operands[0]).elem);
    step.count = b.type(op.operands[0]).count();
    step.bins = b.type(op.results[0]).count();
    step.out = b.slot(op.results[0]);
    step.out_size = element_size(b.layout(op.results[0]).elem);
    b.emit(op, std::move(step));
}

}  // namespace

void add_shape_emitters(Emitters& t) {
    t["arith.constant"] = emit_constant;
    t["tt.make_range"] = emit_range;
    t["ub.poison"] = emit_poison;
    t["tt.trans"] = emit_trans;
    t["tt.reshape"] = emit_reshape;
    t["tt.join"] = emit_join;
    t["tt.split"] = emit_split;
    t["tt.cat"] = emit_cat;
    t["tt.gather"] = emit_gather;
    t["tt.histogram"] = emit_histogram;
}

}  // namespace tritonsmith::ttir
