// tt.dot_scaled: products of microscaled blocks (OCP MX): operands of 4, 8 or 16 bits, each run of them along
// k with a scale of its own. Operands and scales are exact in float32; sums are float32 in order of k, as in
// tt.dot.

#include "ttir/interp/lower/exec_builder.h"
#include "ttir/interp/lower/exec_launch.h"

namespace tritonsmith::ttir {
namespace {

/// e2m1: a sign, two bits of exponent, one of mantissa.
constexpr float kE2m1[16] = {0.0f,  0.5f,  1.0f,  1.5f,  2.0f,  3.0f,  4.0f,  6.0f,
                             -0.0f, -0.5f, -1.0f, -1.5f, -2.0f, -3.0f, -4.0f, -6.0f};

/// One operand as `rows` lines; k runs along them for a, across them for b.
struct Side {
    Operand value, scale;
    KernelFn widen = nullptr, widen_scale = nullptr;  ///< null: e2m1; a scale of i8 (e8m0)
    int64_t rows = 1, columns = 1;                    ///< unpacked
    bool packed = false, pack_columns = false;        ///< two e2m1 in a byte, low one first
    bool k_columns = false;
    int64_t blocks = 0;                ///< scales along k; 0: none
    int64_t wide = 0, wide_scale = 0;  ///< temporaries

    int64_t stored() const { return rows * columns / (packed ? 2 : 1); }

    void unpack(const std::byte* in, float* out) const {
        const auto* bytes = reinterpret_cast<const uint8_t*>(in);
        for (int64_t r = 0; r < rows; ++r)
            for (int64_t c = 0; c < columns; ++c) {
                const int64_t at = pack_columns ? r * (columns / 2) + c / 2 : r / 2 * columns + c;
                const bool high = ((pack_columns ? c : r) & 1) != 0;
                out[r * columns + c] = kE2m1[high ? bytes[at] >> 4 : bytes[at] & 15];
            }
    }
    /// Scales lie as [line that is not k][block of k].
    void apply(const float* scales, float* out) const {
        const int64_t run = (k_columns ? columns : rows) / blocks;
        for (int64_t r = 0; r < rows; ++r)
            for (int64_t c = 0; c < columns; ++c) {
                const int64_t line = k_columns ? r : c, k = k_columns ? c : r;
                out[r * columns + c] *= scales[line * blocks + k / run];
            }
    }
};

struct DotScaledStep : Step {
    Side a, b;
    Operand c;
    KernelFn widen_c = nullptr, narrow = nullptr;
    int64_t out = 0, wide_c = 0, batch = 1, m = 1, n = 1, k = 1;

    const float* prepare(Context& ctx, const Side& side) const {
        auto* values = reinterpret_cast<float*>(ctx.at(side.wide));
        const int64_t count = side.rows * side.columns, scales = side.blocks * count / k;
        const std::byte* raw[1] = {side.value.get(ctx)};
        if (!side.packed) side.widen(ctx.at(side.wide), raw, batch * count);
        for (int64_t i = 0; side.packed && i < batch; ++i)
            side.unpack(raw[0] + i * side.stored(), values + i * count);
        if (!side.scale) return values;
        raw[0] = side.scale.get(ctx);
        side.widen_scale(ctx.at(side.wide_scale), raw, batch * scales);
        const auto* factors = reinterpret_cast<const float*>(ctx.at(side.wide_scale));
        for (int64_t i = 0; i < batch; ++i) side.apply(factors + i * scales, values + i * count);
        return values;
    }
    void run(Context& ctx) const override {
        const float* pa = prepare(ctx, a);
        const float* pb = prepare(ctx, b);
        const std::byte* raw[1] = {c.get(ctx)};
        auto* sums = reinterpret_cast<float*>(ctx.at(wide_c));
        widen_c(ctx.at(wide_c), raw, batch * m * n);
        for (int64_t i = 0; i < batch; ++i)
            kernels().dot_f32(sums + i * m * n, pa + i * m * k, pb + i * k * n, m, n, k);
        raw[0] = ctx.at(wide_c);
        narrow(ctx.at(out), raw, batch * m * n);
        ctx.flops += 2 * batch * m * n * k;
        ctx.spend(batch * (m * n * k / 16 + m * k + k * n));
    }
};

/// Null where operands of this element type are not known.
KernelFn widener(const std::string& kind) {
    if (kind == "e4m3") return find_kernel("to_f32", Scalar::f8e4m3fn);
    if (kind == "e5m2") return find_kernel("to_f32", Scalar::f8e5m2);
    if (kind == "bf16") return find_kernel("to_f32", Scalar::bf16);
    if (kind == "fp16") return find_kernel("to_f32", Scalar::f16);
    return nullptr;
}

bool prepare(Builder& b, const Operation& op, size_t operand, Side& side, int64_t batch) {
    const bool left = operand == 0;
    const ValueId value = op.operands[operand];
    const Type& type = b.type(value);
    const std::string kind = enum_attribute(op, left ? "a_elem_type" : "b_elem_type");
    const bool along_k = bool_attribute(op, left ? "lhs_k_pack" : "rhs_k_pack");
    side.packed = kind == "e2m1";
    side.widen = widener(kind);
    if (!side.packed && side.widen == nullptr) return false;
    side.k_columns = left;
    side.pack_columns = left == along_k;
    side.rows = type.shape[type.shape.size() - 2] * (side.packed && !side.pack_columns ? 2 : 1);
    side.columns = type.shape.back() * (side.packed && side.pack_columns ? 2 : 1);
    side.value = b.full_operand(value);
    side.wide = b.temporary(batch * side.rows * side.columns * 4);
    if (op.segments[3 + operand] == 0) return true;
    const ValueId scale = op.operands[left ? 3 : 3 + static_cast<size_t>(op.segments[3])];
    const Type& scale_type = b.type(scale);
    side.scale = b.full_operand(scale);
    side.blocks = scale_type.shape.back();
    side.widen_scale =
        find_kernel("to_f32", scale_type.elem == Scalar::i8 ? Scalar::f8e8m0fnu : scale_type.elem);
    side.wide_scale = b.temporary(scale_type.count() * 4);
    return side.widen_scale != nullptr;
}

void emit_dot_scaled(Builder& b, const Operation& op) {
    const Type& tc = b.type(op.operands[2]);
    const size_t rank = tc.shape.size();
    DotScaledStep step;
    if (rank == 3) step.batch = tc.shape[0];
    step.m = tc.shape[rank - 2];
    step.n = tc.shape[rank - 1];
    if (!prepare(b, op, 0, step.a, step.batch) || !prepare(b, op, 1, step.b, step.batch))
        return b.emit_unsupported(op, "tt.dot_scaled on these element types");
    step.k = step.a.columns;
    step.c = b.full_operand(op.operands[2]);
    const bool small = is_small_float(tc.elem);
    if (!small && tc.elem != Scalar::f32)
        return b.emit_unsupported(op, "tt.dot_scaled with this accumulator");
    step.widen_c = small ? find_kernel("to_f32", tc.elem) : find_kernel("copy", Scalar::f32);
    step.narrow = small ? find_kernel("from_f32", tc.elem) : find_kernel("copy", Scalar::f32);
    step.wide_c = b.temporary(step.batch * step.m * step.n * 4);
    step.out = b.slot(op.results[0]);
    b.emit(op, std::move(step));
}

}  // namespace

void add_dot_scaled_emitters(Emitters& t) {
    t["tt.dot_scaled"] = emit_dot_scaled;
}

}  // namespace tritonsmith::ttir
