#include "run/worker/exec/redraw.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/where.h>

#include "plan/analysis/input_use.h"
#include "plan/ir/json.h"
#include "plan/weights/link.h"
#include "plan/weights/redrawn.h"
#include "run/worker/exec/draw_step.h"
#include "run/worker/exec/other_values.h"

namespace tritonsmith::run {
namespace {

constexpr Distribution kOnes{Law::uniform, 0.5, 1.5}, kZeros{Law::normal, 0, 0.1},
    kAround{Law::uniform, 0.7, 1.3};
constexpr uint32_t kFirstWeight = 1U << 16;  ///< of other_values: behind the inputs
constexpr uint32_t kRedrawZerosStream = 18;  ///< of what takes the place of a pattern's zeros

at::Tensor drawn_like(const at::Tensor& tensor, const Distribution& law, const DrawKey& key) {
    at::Tensor out = at::empty(tensor.sizes(), tensor.options().dtype(at::kFloat));
    draw_into(out, {key, law});
    return out;
}

/// Around the values it has, signs kept. Zeros of a pattern (an identity) become small numbers, so that its
/// structure cannot be counted on either.
void draw_around(const at::Tensor& tensor, DrawKey key) {
    const at::Tensor values = tensor.to(at::kDouble);
    const at::Tensor factor = drawn_like(tensor, kAround, key);
    key.stream = kRedrawZerosStream;
    const at::Tensor finite = values.isfinite();
    const double size = at::where(finite, values.abs(), 0).max().item<double>();
    const at::Tensor near = drawn_like(tensor, kZeros, key).mul(std::min(size, 1.0));
    tensor.copy_(at::where(values.eq(0), near.to(at::kDouble), values.mul(factor)));
}

void draw_other(const at::Tensor& tensor, bool index, const DrawKey& key) {
    Other how{key.seed, kFirstWeight + key.ordinal};
    how.index = index;
    const at::Tensor other = other_values(tensor, how);
    if (other.defined()) tensor.copy_(other);
}

}  // namespace

Redraw::Redraw(const plan::Plan& plan, Memory& memory, uint64_t seed, bool state) {
    const std::vector<plan::WeightOrigin> origins = plan::weight_origins(plan);
    const std::vector<plan::Redrawn> redrawn = plan::redrawn_weights(plan, origins, state);
    for (size_t i = 0; i < plan.weights.size(); ++i) {
        const plan::Weight& weight = plan.weights[i];
        if (redrawn[i] == plan::Redrawn::no) continue;
        std::function<void()> write = [&plan, &memory, &weight, how = redrawn[i],
                                       key = DrawKey{seed, kRedrawStream, static_cast<uint32_t>(i)}] {
            const at::Tensor tensor = memory.view(weight.tensor);
            if (tensor.numel() == 0) return;
            if (how == plan::Redrawn::around)
                draw_around(tensor, key);
            else if (how == plan::Redrawn::other)
                draw_other(tensor, plan::uses(plan, {weight.tensor})[0].index_only(), key);
            else
                draw_into(tensor, {key, how == plan::Redrawn::ones ? kOnes : kZeros});
        };
        // What it becomes from its own values: once they are all there.
        const bool own = redrawn[i] == plan::Redrawn::around || redrawn[i] == plan::Redrawn::other;
        if (own && origins[i].last >= 0) {
            after_.emplace(origins[i].last, write);
        } else {
            if (origins[i].writes.empty()) write();
            for (int step : origins[i].writes) after_.emplace(step, write);
        }
    }
}

void Redraw::after(int step) {
    auto [first, last] = after_.equal_range(step);
    for (auto it = first; it != last; ++it) it->second();
}

}  // namespace tritonsmith::run
