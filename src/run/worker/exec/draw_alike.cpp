#include "run/worker/exec/draw_alike.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/where.h>

#include "run/worker/exec/draw_step.h"

namespace tritonsmith::run {

namespace {

/// Elements that are alike or not together.
int64_t line_length(const at::Tensor& values) {
    if (values.dim() < 2) return 1;
    const bool samples = values.dim() > 2 && values.size(0) > 2;
    return samples ? values.numel() / values.size(0) : values.size(-1);
}

/// So far from each other that narrow types tell them apart, too.
double nearly(const at::Tensor& values) {
    return values.element_size() < 4 ? 1 + 0x1p-5 : 1 + 0x1p-10;
}

/// Integers of the law that differ from `same` by one, or by a power of two that fewer bits do not hold; one
/// in eight is `own`. What would leave the law goes to the other side, or is the same.
at::Tensor beside(const at::Tensor& same, const at::Tensor& own, const at::Tensor& place,
                  const Distribution& law) {
    static constexpr int kPowers[] = {0, 0, 8, 16, 24, 32};
    const int64_t last = law.low + static_cast<int64_t>(law.count - 1);
    const at::Tensor which = place.remainder(8);
    at::Tensor out = at::where(which.eq(0), own, same);
    for (int64_t i = 0; i < 6; ++i) {
        const int64_t by = int64_t{1} << kPowers[i];
        if (static_cast<uint64_t>(by) >= law.count) continue;
        // In numbers that hold the sum, also of narrow integers.
        const at::Tensor wide = same.to(at::kLong);
        const at::Tensor up = at::where(wide.gt(last - by), wide, wide.add(by)),
                         down = at::where(wide.lt(law.low + by), wide, wide.sub(by));
        const at::Tensor first = i % 2 == 0 ? up : down, second = i % 2 == 0 ? down : up;
        const at::Tensor other = at::where(first.eq(wide), second, first);
        out = at::where(which.eq(i + 1), other.to(same.scalar_type()), out);
    }
    return out;
}

}  // namespace

void draw_alike(const plan::Tensor& drawn, const AlikeDraw& other, const DrawKey& key, Variant::Alike how,
                Memory& memory) {
    const at::Tensor values = memory.view(drawn);
    if (values.numel() == 0) return;
    at::Tensor source = at::empty(other.shape, values.options());
    if (source.numel() == 0) return;
    draw_into(source, {key, other.law});
    const at::Tensor place = at::arange(values.numel(), values.options().dtype(at::kLong));
    const at::Tensor same = source.view({-1}).index_select(0, place.remainder(source.numel()));
    if (how == Variant::Alike::all) {
        values.copy_(same.view(values.sizes()));
        return;
    }
    const at::Tensor own = values.reshape({-1});
    const at::Tensor near = values.is_floating_point() ? same.mul(nearly(values)).to(values.scalar_type())
                                                       : beside(same, own, place, other.law);
    // Which third comes first is not known beforehand.
    const at::Tensor which =
        place.floor_divide(line_length(values)).add(static_cast<int64_t>(key.seed % 3)).remainder(3);
    values.copy_(at::where(which.eq(0), own, at::where(which.eq(1), same, near)).view(values.sizes()));
}

}  // namespace tritonsmith::run
