// Tensor descriptors: loads and stores of boxes, clipped at the tensor's edges.
#include <algorithm>
#include <array>
#include <cstring>

#include "ttir/interp/lower/exec_builder.h"
#include "ttir/interp/ops/memory_access.h"
#include "ttir/interp/ops/ops_atomic.h"

namespace tritonsmith::ttir {
namespace {

struct MakeDescriptorStep : Step {
    int64_t base = 0, out = 0;
    std::vector<int64_t> shape, stride;  ///< slots
    std::vector<int> shape_size, stride_size;
    std::vector<int64_t> block;
    bool nan_padding = false;
    void run(Context& ctx) const override {
        DescriptorValue v;
        v.base = ctx.ref<uint64_t>(base);
        v.rank = static_cast<int32_t>(shape.size());
        v.nan_padding = nan_padding ? 1 : 0;
        for (size_t d = 0; d < shape.size(); ++d) {
            v.shape[d] = shape_size[d] == 8 ? ctx.ref<int64_t>(shape[d]) : ctx.ref<int32_t>(shape[d]);
            v.stride[d] = stride_size[d] == 8 ? ctx.ref<int64_t>(stride[d]) : ctx.ref<int32_t>(stride[d]);
            v.block[d] = block[d];
        }
        std::memcpy(ctx.at(out), &v, sizeof v);
    }
};

/// Boxes [block] at an index; rows along the last dimension.
struct BoxStep : Step {
    enum class What : uint8_t { load, store, reduce } what = What::load;
    int64_t descriptor = 0, out = 0;
    Operand value;
    std::vector<int64_t> index;  ///< slots of i32 scalars
    std::vector<int64_t> block;
    Operand rows;           ///< gather, scatter: index along dimension 0, one for each row
    int64_t row_count = 0;  ///< 0: a box
    AtomicKind kind = AtomicKind::add;
    Access access;
    std::string name;
    Scalar elem = Scalar::f32;

    void run(Context& ctx) const override {
        DescriptorValue d;
        std::memcpy(&d, ctx.at(descriptor), sizeof d);
        Access a = access;
        a.step = this;
        a.name = &name;
        a.verb = what == What::load ? "descriptor load" : "descriptor store";
        if (ctx.launch->options->aligned_descriptors && !aligned(ctx, d, a)) return;
        const std::byte* in = value ? value.get(ctx) : nullptr;
        const auto* row_index = rows ? rows.as<int32_t>(ctx) : nullptr;
        std::byte* o = ctx.at(out);
        const size_t rank = block.size();
        const int64_t width = block[rank - 1];
        int64_t count = 1;
        for (size_t k = 0; k + 1 < rank; ++k) count *= block[k];
        if (row_count != 0) count = row_count;
        std::array<int64_t, 5> at{};
        const int64_t first = ctx.ref<int32_t>(index.back());
        for (int64_t r = 0; r < count && !ctx.stop; ++r) {
            bool inside = true;
            int64_t offset = 0;  // in elements
            if (row_index != nullptr) {
                at[0] = row_index[r];
                inside = at[0] >= 0 && at[0] < d.shape[0];
                offset = at[0] * d.stride[0];
            } else {
                int64_t rest = r;
                for (size_t k = rank - 1; k-- > 0;) {
                    at[k] = ctx.ref<int32_t>(index[k]) + rest % block[k];
                    rest /= block[k];
                    inside = inside && at[k] >= 0 && at[k] < d.shape[k];
                    offset += at[k] * d.stride[k];
                }
            }
            const int64_t begin = inside ? std::clamp<int64_t>(-first, 0, width) : width;
            const int64_t end = inside ? std::clamp<int64_t>(d.shape[rank - 1] - first, begin, width) : width;
            const int64_t lane = r * width;
            if (what == What::load) {
                pad(d, o + lane * a.size, begin);
                pad(d, o + (lane + end) * a.size, width - end);
            }
            if (begin >= end) continue;
            const int64_t step = d.stride[rank - 1];
            const uint64_t p = advance(d.base, offset + (first + begin) * step, a.size);
            if (what == What::load) {
                if (step == 1)
                    a.read(ctx, p, end - begin, o + (lane + begin) * a.size, lane + begin);
                else
                    for (int64_t i = begin; i < end; ++i)
                        a.read(ctx, advance(p, (i - begin) * step, a.size), 1, o + (lane + i) * a.size,
                               lane + i);
                ctx.bytes_read += (end - begin) * a.size;
            } else if (what == What::store) {
                if (step == 1)
                    a.write(ctx, p, end - begin, in + (lane + begin) * a.size, lane + begin);
                else
                    for (int64_t i = begin; i < end; ++i)
                        a.write(ctx, advance(p, (i - begin) * step, a.size), 1, in + (lane + i) * a.size,
                                lane + i);
                ctx.bytes_written += (end - begin) * a.size;
            } else {
                std::byte old[8];
                for (int64_t i = begin; i < end && !ctx.stop; ++i)
                    atomic_lane(ctx, a, advance(p, (i - begin) * step, a.size), {false, false}, lane + i, old,
                                [&](std::byte* memory) {
                                    apply_atomic(kind, elem, memory, in + (lane + i) * a.size);
                                });
                ctx.bytes_read += (end - begin) * a.size;
                ctx.bytes_written += (end - begin) * a.size;
            }
        }
        ctx.spend(count * width);
    }
    /// The hardware's rule. The stride of a dimension of one element is never used.
    bool aligned(Context& ctx, const DescriptorValue& d, const Access& a) const {
        constexpr int64_t unit = 16;
        const auto rank = static_cast<size_t>(d.rank);
        std::string wrong;
        Json evidence = Json::object();
        for (size_t k = 0; k < rank && wrong.empty(); ++k) {
            const bool last = k + 1 == rank;
            const int64_t bytes = d.stride[k] * a.size;
            if (d.shape[k] <= 1 || (last ? d.stride[k] == 1 : bytes % unit == 0)) continue;
            wrong = "whose dimension " + std::to_string(k) + " has a stride of " + std::to_string(bytes) +
                    " bytes: " +
                    (last ? "the hardware wants the last dimension to be contiguous"
                          : "the hardware wants multiples of 16");
            evidence = {{"dimension", k}, {"stride_bytes", bytes}};
        }
        const uint64_t address = ctx.launch->address(d.base);
        if (wrong.empty() && address % unit != 0) {
            wrong = "whose base lies " + std::to_string(address % unit) +
                    " bytes behind a multiple of 16, which the hardware does not take";
            evidence = {{"base_bytes", address % unit}};
        }
        if (wrong.empty()) return true;
        ctx.find(*this, "misaligned_access", a.text(nullptr) + ": a tensor descriptor " + wrong,
                 std::move(evidence), true);
        return false;
    }
    static uint64_t advance(uint64_t p, int64_t elements, int size) {
        const std::byte* in[2] = {reinterpret_cast<const std::byte*>(&p),
                                  reinterpret_cast<const std::byte*>(&elements)};
        static const KernelFn by[4] = {
            find_kernel("addptr.1", Scalar::i64), find_kernel("addptr.2", Scalar::i64),
            find_kernel("addptr.4", Scalar::i64), find_kernel("addptr.8", Scalar::i64)};
        uint64_t out_ = 0;
        by[size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3](reinterpret_cast<std::byte*>(&out_), in, 1);
        return out_;
    }
    void pad(const DescriptorValue& d, std::byte* out_, int64_t count) const {
        if (count <= 0) return;
        std::memset(out_, 0, static_cast<size_t>(count * access.size));
        if (d.nan_padding == 0 || !is_float(elem)) return;
        uint64_t bits = 0;
        if (elem == Scalar::f64)
            bits = 0x7FF8000000000000ull;
        else if (elem == Scalar::f32)
            bits = 0x7FC00000u;
        else if (elem == Scalar::bf16)
            bits = 0x7FC0u;
        else if (elem == Scalar::f16)
            bits = 0x7E00u;
        else
            bits = 0x7F;
        for (int64_t i = 0; i < count; ++i)
            std::memcpy(out_ + i * access.size, &bits, static_cast<size_t>(access.size));
    }
};

void emit_make(Builder& b, const Operation& op) {
    MakeDescriptorStep step;
    const auto rank = static_cast<size_t>(op.segments[1]);
    if (rank == 0 || rank > 5) return b.emit_unsupported(op, "a descriptor of this rank");
    step.base = b.slot(op.operands[0]);
    for (size_t d = 0; d < rank; ++d) {
        step.shape.push_back(b.slot(op.operands[1 + d]));
        step.shape_size.push_back(element_size(b.layout(op.operands[1 + d]).elem));
        step.stride.push_back(b.slot(op.operands[1 + rank + d]));
        step.stride_size.push_back(element_size(b.layout(op.operands[1 + rank + d]).elem));
    }
    step.block = b.type(op.results[0]).pointee->shape;
    step.nan_padding = enum_attribute(op, "padding") == "nan";
    step.out = b.slot(op.results[0]);
    b.emit(op, std::move(step));
}

void start(Builder& b, const Operation& op, BoxStep& step) {
    const Type& block = *b.type(op.operands[0]).pointee;
    step.descriptor = b.slot(op.operands[0]);
    step.name = b.name(op.operands[0]);
    step.block = block.shape;
    step.elem = block.elem;
    step.access.size = element_size(block.elem);
    step.access.shape = b.lane_shape(block.shape, ~uint64_t{0});
    step.access.issued = b.issued(op);
}

void emit_box(Builder& b, const Operation& op) {
    BoxStep step;
    start(b, op, step);
    size_t first = 1;
    if (op.name != "tt.descriptor_load") {
        step.what = op.name == "tt.descriptor_store" ? BoxStep::What::store : BoxStep::What::reduce;
        step.value = b.full_operand(op.operands[1]);
        step.kind = atomic_kind(enum_attribute(op, "kind"));
        if (step.kind == AtomicKind::add && is_float(step.elem)) step.kind = AtomicKind::fadd;
        const bool is_unsigned = b.type(op.operands[0]).pointee->unsigned_int;
        if (step.kind == AtomicKind::max && is_unsigned) step.kind = AtomicKind::umax;
        if (step.kind == AtomicKind::min && is_unsigned) step.kind = AtomicKind::umin;
        first = 2;
    } else {
        step.out = b.slot(op.results[0]);
    }
    for (size_t i = first; i < op.operands.size(); ++i) step.index.push_back(b.slot(op.operands[i]));
    if (step.index.size() != step.block.size() || step.block.empty() || step.block.size() > 5)
        return b.emit_unsupported(op, "a descriptor of this rank");
    b.emit(op, std::move(step));
}

void emit_rows(Builder& b, const Operation& op) {
    BoxStep step;
    start(b, op, step);
    if (step.block.size() != 2) return b.emit_unsupported(op, "a gather through a descriptor of this rank");
    step.rows = b.full_operand(op.operands[1]);
    if (b.layout(op.operands[1]).elem != Scalar::i32)
        return b.emit_unsupported(op, "row indices that are not i32");
    step.row_count = b.type(op.operands[1]).count();
    step.index.push_back(b.slot(op.operands[2]));
    if (op.name == "tt.descriptor_gather") {
        step.out = b.slot(op.results[0]);
    } else {
        step.what = BoxStep::What::store;
        step.value = b.full_operand(op.operands[3]);
    }
    b.emit(op, std::move(step));
}

}  // namespace

void add_descriptor_emitters(Emitters& t) {
    t["tt.make_tensor_descriptor"] = emit_make;
    t["tt.descriptor_load"] = emit_box;
    t["tt.descriptor_store"] = emit_box;
    t["tt.descriptor_reduce"] = emit_box;
    t["tt.descriptor_gather"] = emit_rows;
    t["tt.descriptor_scatter"] = emit_rows;
}

}  // namespace tritonsmith::ttir
