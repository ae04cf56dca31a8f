#include "run/worker/exec/redraw.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/exp2.h>
#include <ATen/ops/where.h>

#include <memory>
#include <tuple>
#include <vector>

#include "plan/ir/json.h"
#include "plan/values/input_use.h"
#include "plan/values/met_weights.h"
#include "plan/weights/link.h"
#include "plan/weights/redrawn.h"
#include "run/worker/exec/draw_step.h"
#include "run/worker/exec/long_memory.h"
#include "run/worker/exec/other_values.h"

namespace tritonsmith::run {
namespace {

constexpr Distribution kOnes{Law::uniform, 0.5, 1.5}, kZeros{Law::normal, 0, 0.1},
    kAround{Law::uniform, 0.7, 1.3};
/// Powers of two: of numbers that are to be large, to be small, and to have the other sign alone; of rows.
constexpr Distribution kTimesLarge{Law::uniform, 3, 7}, kTimesSmall{Law::uniform, -7, -4},
    kTimesSome{Law::uniform, 1, 2.5}, kTimesNear{Law::uniform, -2, 2}, kTimesRows{Law::uniform, 3, 6};
constexpr uint32_t kFarStream = 21;  ///< ordinal: four times the weight's index, and which of these laws
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
    const at::Tensor near = drawn_like(tensor, kZeros, key).mul(size > 0 ? std::min(size, 1.0) : 1.0);
    tensor.copy_(at::where(values.eq(0), near.to(at::kDouble), values.mul(factor)));
}

/// 2^u of each element, u of the law.
at::Tensor powers(const at::Tensor& tensor, const Distribution& law, DrawKey key, uint32_t which) {
    key.stream = kFarStream;
    key.ordinal = 4 * key.ordinal + which;
    return at::exp2(drawn_like(tensor, law, key));
}

/// Factors: one in four each is large and negative, large, small, or negative.
at::Tensor far_factors(const at::Tensor& tensor, const Variant& variant, bool signs, const DrawKey& key) {
    // Vectors that belong together (a gain, a bias) do not have them at the same places.
    const int64_t begin =
        variant.turn +
        (tensor.numel() > Variant::kTurns ? static_cast<int64_t>((key.seed >> 8) % 4 + key.ordinal) : 0);
    const at::Tensor place = at::arange(begin, begin + tensor.numel(), tensor.options().dtype(at::kLong))
                                 .remainder(4)
                                 .view(tensor.sizes());
    // The exponential of a number alone stays so small that what bounds it can be seen.
    const bool alone = tensor.numel() <= Variant::kTurns && variant.turn == 1;
    at::Tensor out = powers(tensor, alone ? kTimesSome : kTimesLarge, key, 0);
    out = at::where(place.eq(2), powers(tensor, kTimesSmall, key, 1), out);
    out = at::where(place.eq(3), powers(tensor, kTimesNear, key, 2), out);
    if (variant.weights == Variant::Weights::far && signs)
        out = at::where(place.remainder(3).eq(0), out.neg(), out);
    return out;
}

/// Of a random draw: rows (elements, where there is one dimension) are larger and smaller.
void scale_rows(const at::Tensor& tensor, const DrawKey& key) {
    const int64_t rows = tensor.dim() == 0 ? 1 : tensor.size(0);
    const at::Tensor place = at::arange(rows, tensor.options().dtype(at::kLong)).remainder(8);
    const at::Tensor factor = powers(place, kTimesRows, key, 3);
    std::vector<int64_t> along(static_cast<size_t>(tensor.dim()), 1);
    if (tensor.dim() > 0) along[0] = rows;
    tensor.mul_(at::where(place.eq(0), factor, at::where(place.eq(4), factor.reciprocal(), 1)).view(along));
}

bool rises(const at::Tensor& tensor) {
    return tensor.dim() > 0 && tensor.slice(-1, 1).ge(tensor.slice(-1, 0, -1)).all().item<bool>();
}

void draw_numbers(const at::Tensor& tensor, const plan::Weight& weight, plan::Redrawn how,
                  const Variant& variant, const DrawKey& key) {
    const bool far = variant.weights != Variant::Weights::near;
    if (how == plan::Redrawn::around)
        draw_around(tensor, key);
    else if (far)
        tensor.fill_(how == plan::Redrawn::ones ? 1 : kZeros.b);
    else
        draw_into(tensor, {key, how == plan::Redrawn::ones ? kOnes : kZeros});
    // Training moves parameters across zero; a scale or a variance that is a buffer stays what it is.
    const bool signs = weight.parameter || how == plan::Redrawn::zeros;
    if (far) tensor.mul_(far_factors(tensor, variant, signs, key));
}

/// The next ones of whole numbers. @return whether it holds such
bool take_next(const at::Tensor& tensor) {
    const at::Tensor whole = tensor.is_floating_point()
                                 ? tensor.eq(tensor.floor()).logical_and(tensor.isfinite())
                                 : tensor.eq(tensor);
    if (!whole.all().item<bool>()) return false;
    tensor.add_(1);
    return true;
}

void draw_other(const at::Tensor& tensor, bool index, const DrawKey& key) {
    Other how{key.seed, kFirstWeight + key.ordinal};
    how.index = index;
    const at::Tensor other = other_values(tensor, how);
    if (other.defined()) tensor.copy_(other);
}

}  // namespace

Redraw::Redraw(const plan::Plan& plan, Memory& memory, uint64_t seed, bool state, const Variant& variant) {
    const std::vector<plan::WeightOrigin> origins = plan::weight_origins(plan);
    const std::vector<plan::Redrawn> redrawn = plan::redrawn_weights(plan, origins, state);
    std::vector<plan::Tensor> weights;
    for (const plan::Weight& weight : plan.weights) weights.push_back(weight.tensor);
    const std::vector<plan::Use> uses = plan::uses(plan, weights);
    const std::vector<bool> met = plan::met_weights(plan);
    const bool far = variant.weights != Variant::Weights::near;
    for (size_t i = 0; i < plan.weights.size(); ++i) {
        const plan::Weight& weight = plan.weights[i];
        if (redrawn[i] == plan::Redrawn::no) continue;
        std::function<void()> write = [&memory, &weight, variant, how = redrawn[i], use = uses[i],
                                       next = met[i],
                                       key = DrawKey{seed, kRedrawStream, static_cast<uint32_t>(i)}] {
            const at::Tensor tensor = memory.view(weight.tensor);
            if (tensor.numel() == 0 || (next && take_next(tensor))) return;
            const bool rising = use.boundaries && rises(tensor);
            if (how == plan::Redrawn::other)
                draw_other(tensor, use.index_only(), key);
            else
                draw_numbers(tensor, weight, how, variant, key);
            if (rising) tensor.copy_(std::get<0>(tensor.sort(-1)));
        };
        // What it becomes from its own values: once they are all there.
        const bool own = redrawn[i] == plan::Redrawn::around || redrawn[i] == plan::Redrawn::other || met[i];
        if (own && origins[i].last >= 0) {
            after_.emplace(origins[i].last, write);
        } else {
            if (origins[i].writes.empty()) write();
            for (int step : origins[i].writes) after_.emplace(step, write);
        }
    }
    if (!far) return;
    auto lasting = std::make_shared<const LongMemory>(plan);
    for (size_t i = 0; i < plan.weights.size(); ++i)
        if (!origins[i].writes.empty())
            after_.emplace(origins[i].writes.back(), [&memory, &weight = plan.weights[i], lasting] {
                lasting->apply(weight.tensor, memory);
            });
    for (const size_t i : plan::scalable_weights(plan, origins))
        after_.emplace(origins[i].writes.back(), [&memory, &weight = plan.weights[i], seed, i] {
            const at::Tensor tensor = memory.view(weight.tensor);
            if (tensor.numel() > 0) scale_rows(tensor, {seed, kRedrawStream, static_cast<uint32_t>(i)});
        });
}

void Redraw::after(int step) {
    auto [first, last] = after_.equal_range(step);
    for (auto it = first; it != last; ++it) it->second();
}

}  // namespace tritonsmith::run
