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
                                                       : at::where(place.remainder(8).eq(0), own, same);
    // Which third comes first is not known beforehand.
    const at::Tensor which =
        place.floor_divide(line_length(values)).add(static_cast<int64_t>(key.seed % 3)).remainder(3);
    values.copy_(at::where(which.eq(0), own, at::where(which.eq(1), same, near)).view(values.sizes()));
}

}  // namespace tritonsmith::run
