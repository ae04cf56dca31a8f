// tt.dot: products of blocks in the stated precision, accumulated in float32 (float64, int32).
#include <cstring>

#include "ttir/interp/lower/exec_builder.h"
#include "ttir/interp/lower/exec_launch.h"

namespace tritonsmith::ttir {
namespace {

enum class Precision : uint8_t { exact, tf32, tf32x3, bf16x3, bf16x6 };

/// Memory: a and b converted to the type that is multiplied in, pieces for the split precisions.
struct DotStep : Step {
    Operand a, b, c;
    int64_t out = 0, batch = 1, m = 1, n = 1, k = 1;
    Scalar multiply = Scalar::f32;  ///< f32, f64 or i32
    Precision precision = Precision::exact;
    bool float_operands = false;  ///< float32 operands: TF32 loses something
    KernelFn widen_a = nullptr, widen_b = nullptr, narrow = nullptr, widen_c = nullptr;
    int64_t wide_a = 0, wide_b = 0, wide_c = 0;  ///< temporaries; 0 where not needed
    int64_t pieces = 0;  ///< temporaries of the split precisions: 2·3 blocks, a's then b's
    int64_t term = 0;

    void run(Context& ctx) const override {
        const int64_t na = batch * m * k, nb = batch * k * n, nc = batch * m * n;
        const std::byte* pa = convert(ctx, a, widen_a, wide_a, na);
        const std::byte* pb = convert(ctx, b, widen_b, wide_b, nb);
        const std::byte* pc = c.get(ctx);
        std::byte* result = ctx.at(out);
        if (widen_c != nullptr) {
            const std::byte* in[1] = {pc};
            widen_c(ctx.at(wide_c), in, nc);
            result = ctx.at(wide_c);
        } else if (pc != result) {
            std::memmove(result, pc, static_cast<size_t>(nc * (multiply == Scalar::f64 ? 8 : 4)));
        }
        if (precision == Precision::exact) {
            product(result, pa, pb);
        } else {
            split(ctx, result, reinterpret_cast<const float*>(pa), reinterpret_cast<const float*>(pb), na,
                  nb);
            if (precision == Precision::tf32 && float_operands)
                ctx.launch->tf32.store(true, std::memory_order_relaxed);
        }
        if (narrow != nullptr) {
            const std::byte* in[1] = {result};
            narrow(ctx.at(out), in, nc);
        }
        if (multiply != Scalar::i32) ctx.flops += 2 * batch * m * n * k;
        ctx.spend(batch * m * n * k / 16 + na + nb);
    }

    const std::byte* convert(Context& ctx, const Operand& o, KernelFn widen, int64_t place,
                             int64_t count) const {
        const std::byte* p = o.get(ctx);
        if (widen == nullptr) return p;
        const std::byte* in[1] = {p};
        widen(ctx.at(place), in, count);
        return ctx.at(place);
    }
    void product(std::byte* result, const std::byte* pa, const std::byte* pb) const {
        const int size = multiply == Scalar::f64 ? 8 : 4;
        for (int64_t i = 0; i < batch; ++i) {
            std::byte* r = result + i * m * n * size;
            const std::byte* x = pa + i * m * k * size;
            const std::byte* y = pb + i * k * n * size;
            if (multiply == Scalar::f32)
                kernels().dot_f32(reinterpret_cast<float*>(r), reinterpret_cast<const float*>(x),
                                  reinterpret_cast<const float*>(y), m, n, k);
            else if (multiply == Scalar::f64)
                kernels().dot_f64(reinterpret_cast<double*>(r), reinterpret_cast<const double*>(x),
                                  reinterpret_cast<const double*>(y), m, n, k);
            else
                kernels().dot_i32(reinterpret_cast<int32_t*>(r), reinterpret_cast<const int32_t*>(x),
                                  reinterpret_cast<const int32_t*>(y), m, n, k);
        }
    }
    /// Operands as sums of numbers of fewer bits; the products of the leading pieces, small ones first.
    void split(Context& ctx, std::byte* result, const float* pa, const float* pb, int64_t na,
               int64_t nb) const {
        const bool tf32 = precision == Precision::tf32 || precision == Precision::tf32x3;
        const int terms = precision == Precision::tf32 ? 1 : precision == Precision::bf16x6 ? 3 : 2;
        static const KernelFn round_tf32 = find_kernel("round_tf32", Scalar::f32),
                              round_bf16 = find_kernel("round_bf16", Scalar::f32);
        const KernelFn round = tf32 ? round_tf32 : round_bf16;
        float *x[3], *y[3];
        for (int t = 0; t < terms; ++t) {
            x[t] = reinterpret_cast<float*>(ctx.at(pieces + t * term));
            y[t] = reinterpret_cast<float*>(ctx.at(pieces + (terms + t) * term));
        }
        const auto pieces_of = [&](const float* source, float** out_, int64_t count) {
            const std::byte* in[1] = {reinterpret_cast<const std::byte*>(source)};
            round(reinterpret_cast<std::byte*>(out_[0]), in, count);
            for (int t = 1; t < terms; ++t) {
                for (int64_t i = 0; i < count; ++i) {
                    float rest = source[i];
                    for (int s = 0; s < t; ++s) rest -= out_[s][i];
                    out_[t][i] = rest == rest ? rest : 0;  // infinities have no rest
                }
                in[0] = reinterpret_cast<const std::byte*>(out_[t]);
                round(reinterpret_cast<std::byte*>(out_[t]), in, count);
            }
        };
        pieces_of(pa, x, na);
        pieces_of(pb, y, nb);
        for (int order = terms - 1; order >= 0; --order)
            for (int i = 0; i <= order; ++i)
                product(result, reinterpret_cast<const std::byte*>(x[i]),
                        reinterpret_cast<const std::byte*>(y[order - i]));
    }
};

Precision precision_of(const std::string& name) {
    if (name == "tf32") return Precision::tf32;
    if (name == "tf32x3") return Precision::tf32x3;
    if (name == "bf16x3") return Precision::bf16x3;
    if (name == "bf16x6") return Precision::bf16x6;
    return Precision::exact;
}

void emit_dot(Builder& b, const Operation& op) {
    const Type& ta = b.type(op.operands[0]);
    const Type& tb = b.type(op.operands[1]);
    const Type& tc = b.type(op.operands[2]);
    const size_t rank = ta.shape.size();
    DotStep step;
    if (rank == 3) step.batch = ta.shape[0];
    step.m = ta.shape[rank - 2];
    step.k = ta.shape[rank - 1];
    step.n = tb.shape[rank - 1];
    step.multiply = is_float(tc.elem) ? (tc.elem == Scalar::f64 ? Scalar::f64 : Scalar::f32) : Scalar::i32;
    step.a = b.full_operand(op.operands[0]);
    step.b = b.full_operand(op.operands[1]);
    step.c = b.full_operand(op.operands[2]);
    const auto widen = [&](Scalar from) -> KernelFn {
        if (from == step.multiply) return nullptr;
        if (step.multiply == Scalar::i32) return find_kernel("extsi.i32", from);
        if (step.multiply == Scalar::f64) return find_kernel("float.f64", from);
        return find_kernel("to_f32", from);
    };
    step.widen_a = widen(ta.elem);
    step.widen_b = widen(tb.elem);
    if ((step.widen_a == nullptr && ta.elem != step.multiply) ||
        (step.widen_b == nullptr && tb.elem != step.multiply))
        return b.emit_unsupported(op, "tt.dot on these element types");
    const int wide = element_size(step.multiply);
    const int64_t na = step.batch * step.m * step.k, nb = step.batch * step.k * step.n,
                  nc = step.batch * step.m * step.n;
    if (step.widen_a != nullptr) step.wide_a = b.temporary(na * wide);
    if (step.widen_b != nullptr) step.wide_b = b.temporary(nb * wide);
    if (is_small_float(tc.elem)) {
        step.widen_c = find_kernel("to_f32", tc.elem);
        step.narrow = find_kernel("from_f32", tc.elem);
        step.wide_c = b.temporary(nc * 4);
    } else if (tc.elem != step.multiply) {
        return b.emit_unsupported(op, "tt.dot with this accumulator");
    }
    if (ta.elem == Scalar::f32 && tb.elem == Scalar::f32) {
        step.float_operands = true;
        step.precision = precision_of(enum_attribute(op, "inputPrecision", "ieee"));
    }
    if (step.precision != Precision::exact) {
        const int terms = step.precision == Precision::tf32 ? 1 : step.precision == Precision::bf16x6 ? 3 : 2;
        step.term = (std::max(na, nb) * 4 + 63) / 64 * 64;
        step.pieces = b.temporary(2 * terms * step.term);
    }
    step.out = b.slot_in_place(op.results[0], {op.operands[2]});
    b.emit(op, std::move(step));
}

}  // namespace

void add_dot_emitters(Emitters& t) {
    t["tt.dot"] = emit_dot;
}

}  // namespace tritonsmith::ttir
