#include "run/worker/exec/device_draw.h"

#include <ATen/Context.h>
#include <ATen/core/Generator.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randperm.h>

#include <limits>

#include "run/worker/exec/device_pattern.h"
#include "run/worker/step_error.h"

namespace tritonsmith::run {
namespace {

/// SplitMix64's finaliser (Steele, Lea, Flood, OOPSLA 2014).
uint64_t mixed(uint64_t z) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

at::Generator generator(const DrawKey& key, at::Device device) {
    at::Generator made = at::globalContext().defaultGenerator(device).clone();
    made.set_current_seed(mixed(mixed(key.seed) ^ (uint64_t{key.stream} << 32 | key.ordinal)));
    return made;
}

void draw_integers(const at::Tensor& tensor, const Distribution& law, const at::Generator& random) {
    if (law.law == Law::permutation) {
        const auto count = static_cast<int64_t>(law.count);
        at::Tensor order = at::randperm(count, random, tensor.options().dtype(at::kLong));
        if (tensor.numel() != count)
            throw StepError("unsupported_operation", "a permutation of another number of elements");
        tensor.copy_(order.view(tensor.sizes()));
        return;
    }
    // Drawn as int64, whatever they are stored in.
    at::Tensor values = tensor.scalar_type() == at::kLong
                            ? tensor
                            : at::empty(tensor.sizes(), tensor.options().dtype(at::kLong));
    if (law.count == 0)
        values.random_(std::numeric_limits<int64_t>::min(), std::nullopt, random);
    else
        values.random_(law.low, law.low + static_cast<int64_t>(law.count), random);
    if (!values.is_same(tensor)) tensor.copy_(values);
}

void draw_reals(const at::Tensor& values, const Distribution& law, const at::Generator& random) {
    switch (law.law) {
        case Law::uniform:
        case Law::level:
            values.uniform_(law.a, law.b, random);
            break;
        case Law::normal:
            values.normal_(law.a, law.b, random);
            break;
        case Law::log_normal:
            values.log_normal_(law.a, law.b, random);
            break;
        case Law::exponential:
            values.exponential_(law.a, random);
            break;
        case Law::cauchy:
            values.cauchy_(law.a, law.b, random);
            break;
        case Law::bernoulli:
            values.bernoulli_(law.a, random);
            break;
        case Law::geometric:
            if (law.a >= 1)
                values.fill_(1);
            else
                values.geometric_(law.a, random);
            break;
        default:
            throw StepError("unsupported_operation", "a law of random numbers that devices do not have");
    }
}

bool holds_reals(at::ScalarType type) {
    return type == at::kFloat || type == at::kDouble || type == at::kHalf || type == at::kBFloat16;
}

}  // namespace

void device_draw(const at::Tensor& tensor, const Draw& draw) {
    const at::ScalarType type = tensor.scalar_type();
    const Distribution& law = draw.law;
    const Variant& variant = draw.variant;
    if (c10::isComplexType(type) || c10::isFloat8Type(type))
        throw InputError("random numbers in complex or 8-bit floating types are not drawn");
    const at::Generator random = generator(draw.key, tensor.device());
    if (law.law == Law::integer || law.law == Law::permutation) {
        draw_integers(tensor, law, random);
        if (patterned_integers(draw)) apply_integers(tensor, draw);
        return;
    }
    at::Tensor values =
        type == at::kFloat ? tensor : at::empty(tensor.sizes(), tensor.options().dtype(at::kFloat));
    draw_reals(values, law, random);
    if (patterned_integers(draw))
        apply_integers(values, draw);
    else if (holds_reals(type) && variant.pattern != Variant::Pattern::none && !draw.shape.empty())
        apply_pattern(values, draw);
    const double factor = variant.sign * variant.scale;
    if (holds_reals(type) && factor != 1) values.mul_(factor);
    if (holds_reals(type) && variant.offset != 0) values.add_(variant.offset);
    if (!values.is_same(tensor)) tensor.copy_(values);
}

}  // namespace tritonsmith::run
