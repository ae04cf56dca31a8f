#include "run/draw/leaves.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "base/json.h"
#include "plan/ir/element.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/weights/link.h"
#include "plan/weights/redrawn.h"
#include "run/draw/changed_leaf.h"
#include "run/draw/computed_leaf.h"
#include "run/draw/draw.h"
#include "run/draw/known_integers.h"
#include "run/draw/store.h"

namespace tritonsmith::run {

namespace {

/// The one drawing step that fills a buffer before the forward phase, or null.
const plan::Step* only_draw(const plan::Plan& plan, int buffer) {
    const plan::Step* draw = nullptr;
    for (const plan::Step& step : plan.steps) {
        const auto* aten = std::get_if<plan::AtenStep>(&step.what);
        if (!aten || step.phase == plan::Phase::forward) continue;
        const plan::OpClass kind = plan::op_class(aten->op);
        if (kind == plan::OpClass::view || kind == plan::OpClass::allocate) continue;
        for (const plan::Tensor& tensor : plan::tensors_in(aten->result))
            if (tensor.buffer == buffer) {
                if (draw || aten->draw < 0) return nullptr;
                draw = &step;
            }
    }
    return draw;
}

/// Numbers that follow a pattern, each times another factor near one: rates, slopes and frequencies stay of
/// the sizes and signs that the program means, and none is the constructor's. Zeros become small numbers.
ttir::PageSource moved_around(ttir::PageSource pattern, const plan::Tensor& tensor, const DrawKey& key) {
    return [pattern = std::move(pattern), key, dtype = tensor.dtype,
            size = static_cast<int64_t>(plan::element_size(tensor.dtype))](int64_t offset, std::byte* out,
                                                                           int64_t count) {
        pattern(offset, out, count);
        std::vector<float> moves(static_cast<size_t>(count / size));
        fill(key, {Law::uniform, -0.3, 0.3, 0, 1}, Variant{}, plan::DType::f32, offset / size, count / size,
             reinterpret_cast<std::byte*>(moves.data()));
        for (size_t i = 0; i < moves.size(); ++i) {
            std::byte* at = out + static_cast<int64_t>(i) * size;
            const double value = plan::read_element(at, dtype);
            run::store(at, dtype, value == 0 ? moves[i] / 3.0 : value * (1.0 + moves[i]));
        }
    };
}

}  // namespace

ttir::PageSource stated_contents(std::vector<uint8_t> bytes) {
    auto shared = std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
    return [shared](int64_t offset, std::byte* out, int64_t count) {
        const auto size = static_cast<int64_t>(shared->size());
        const int64_t there = std::clamp<int64_t>(size - offset, 0, count);
        if (there > 0) std::memcpy(out, shared->data() + offset, static_cast<size_t>(there));
        std::memset(out + there, 0, static_cast<size_t>(count - there));
    };
}

Leaves::Leaves(const plan::Plan& reference, const Options& options) {
    const Roles roles = leaf_roles(reference);
    for (const plan::Tensor& input : plan::tensors_in(reference.inputs))
        if (!sources_.contains(input.buffer)) sources_[input.buffer] = made(reference, input, options, roles);
    const std::vector<plan::Tensor> inputs = plan::tensors_in(reference.inputs);
    for (const int64_t changed : options.variant.inputs) {
        if (changed < 0 || changed >= static_cast<int64_t>(inputs.size())) continue;
        const plan::Tensor& input = inputs[static_cast<size_t>(changed)];
        if (!convertible(input.dtype, plan::DType::f64)) continue;
        ttir::PageSource& source = sources_[input.buffer];
        source = changed_leaf(std::move(source), input.dtype, options.seed, static_cast<uint32_t>(changed),
                              options.variant);
    }
    std::vector<plan::Redrawn> redrawn;
    if (!reference.weights.empty())
        redrawn = plan::redrawn_weights(reference, plan::weight_origins(reference));
    for (size_t i = 0; i < reference.weights.size(); ++i) {
        const plan::Weight& weight = reference.weights[i];
        const bool drawn =
            weight.parameter || (redrawn[i] != plan::Redrawn::no && redrawn[i] != plan::Redrawn::other);
        if (drawn && !sources_.contains(weight.tensor.buffer))
            sources_[weight.tensor.buffer] =
                made(reference, weight.tensor, options, roles, redrawn[i] == plan::Redrawn::around);
    }
}

const ttir::PageSource* Leaves::source(int buffer) const {
    const auto found = sources_.find(buffer);
    return found == sources_.end() ? nullptr : &found->second;
}

ttir::PageSource Leaves::made(const plan::Plan& reference, const plan::Tensor& tensor, const Options& options,
                              const Roles& roles, bool around) {
    const plan::Buffer& described = reference.buffers[static_cast<size_t>(tensor.buffer)];
    if (described.kind == plan::BufferKind::constant) return stated_contents(described.data);
    if (const plan::Step* draw = only_draw(reference, tensor.buffer)) {
        const bool input = draw->phase == plan::Phase::inputs;
        const auto& aten = std::get<plan::AtenStep>(draw->what);
        const auto role = roles.find(aten.draw);
        if (auto source =
                draw_source(aten, draw->phase, options.seed, options.variant, options.uneven && input,
                            input && role != roles.end() ? role->second : LeafRole{}))
            return *source;
    }
    if (auto known = known_integers(reference, tensor.buffer)) return stated_contents(std::move(*known));
    auto computed = computed_leaf(reference, tensor, options, roles);
    if (computed && (computed->drawn || !plan::is_floating(tensor.dtype))) return std::move(computed->source);
    if (computed && around && plan::element_size(tensor.dtype) > 1)
        return moved_around(std::move(computed->source), tensor,
                            {options.seed, kRedrawStream + 1, static_cast<uint32_t>(tensor.buffer)});
    const int size = plan::element_size(tensor.dtype);
    if (!plan::is_floating(tensor.dtype)) usable_ = false;
    // 8-bit floats have no draws: zeros.
    if (!plan::is_floating(tensor.dtype) || size == 1) return stated_contents({});
    // Any well-scaled values do, since whoever compares reads the same.
    const DrawKey key{options.seed, kRedrawStream + 1, static_cast<uint32_t>(tensor.buffer)};
    return [key, dtype = tensor.dtype, size](int64_t offset, std::byte* out, int64_t count) {
        fill(key, {Law::uniform, 0.25, 1.0, 0, 1}, Variant{}, dtype, offset / size, count / size, out);
    };
}

std::string describe(const Leaves::Options& options) {
    return std::to_string(options.seed) + " " + dump(variant_json(options.variant)) +
           (options.uneven ? " uneven" : "");
}

plan::Plan leaf_plan(const plan::Plan& reference) {
    plan::Plan out = reference;
    std::erase_if(out.steps, [](const plan::Step& step) { return step.phase == plan::Phase::forward; });
    out.kernels.clear();
    out.constants.clear();
    out.output = {};
    out.warnings.clear();
    return out;
}

}  // namespace tritonsmith::run
