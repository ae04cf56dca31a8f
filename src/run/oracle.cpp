#include "run/oracle.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/maximum.h>

#include "plan/json.h"
#include "plan/ops.h"
#include "run/step_error.h"
#include "run/torch_types.h"

namespace tritonsmith::run {
namespace {

/// The dtype through which the plan sees each buffer (its first view, in the order of the plan).
std::map<int, plan::DType> buffer_dtypes(const plan::Plan& plan) {
    std::map<int, plan::DType> out;
    auto see = [&](const std::vector<plan::Tensor>& tensors) {
        for (const plan::Tensor& tensor : tensors) out.emplace(tensor.buffer, tensor.dtype);
    };
    for (const plan::Weight& weight : plan.weights) see({weight.tensor});
    see(plan::tensors_in(plan.inputs));
    for (const plan::Step& step : plan.steps) {
        const auto* aten = std::get_if<plan::AtenStep>(&step.what);
        if (!aten) continue;
        see(plan::tensors_in(aten->args));
        for (const auto& [name, value] : aten->kwargs) see(plan::tensors_in(value));
        see(plan::tensors_in(aten->result));
    }
    see(plan::tensors_in(plan.output));
    return out;
}

/// Masks that are added before a softmax keep their sign: plan::absolute relies on it.
constexpr double kMask = -1e4;

at::Tensor magnitude(const at::Tensor& values) {
    if (values.is_complex()) return values.abs().to(values.scalar_type());
    if (!values.is_floating_point()) return values;
    return values.abs().where(values.ge(kMask), values);
}

/// Piece by piece: of large values there is no room for more than one.
void make_magnitudes(at::Tensor& values) {
    constexpr int64_t piece = int64_t{1} << 26;
    for (int64_t first = 0; first < values.numel(); first += piece) {
        at::Tensor part = values.narrow(0, first, std::min(piece, values.numel() - first));
        part.copy_(magnitude(part));
    }
}

/// The whole buffer as one row of `dtype`.
plan::Tensor row(const plan::Plan& plan, int buffer, plan::DType dtype) {
    return {
        buffer, dtype, {plan.buffers[static_cast<size_t>(buffer)].bytes / plan::element_size(dtype)}, {1}, 0};
}

}  // namespace

ForwardState::ForwardState(const plan::Plan& native, Memory& memory) {
    for (auto [buffer, dtype] : buffer_dtypes(native))
        if (memory.live(buffer)) {
            const at::Tensor values = memory.view(row(native, buffer, dtype));
            saved_[buffer] = {values.is_cpu() ? values.clone() : values, dtype};
        }
}

void ForwardState::load_constants(const plan::Plan& promoted, const std::map<int, plan::DType>& dtypes,
                                  Memory& memory) const {
    // Constants that nothing used before the forward phase are still in the plan.
    for (const plan::Buffer& buffer : promoted.buffers) {
        auto found = dtypes.find(buffer.id);
        if (buffer.kind != plan::BufferKind::constant || saved_.contains(buffer.id) ||
            found == dtypes.end() || !plan::is_floating(found->second))
            continue;
        at::Tensor values = memory.view(row(promoted, buffer.id, found->second));
        values.copy_(magnitude(values));
    }
}

void ForwardState::load(int buffer, const Saved& saved, const plan::Plan& promoted,
                        const std::map<int, plan::DType>& dtypes, Memory& memory, bool magnitudes) {
    auto found = dtypes.find(buffer);
    if (found == dtypes.end() || static_cast<size_t>(buffer) >= promoted.buffers.size()) return;
    plan::Tensor whole = row(promoted, buffer, found->second);
    // Allocators round sizes up, and dtypes that widen do it differently.
    whole.shape[0] = std::min(whole.shape[0], saved.values.numel());
    memory.allocate(buffer, found->second);
    at::Tensor values = memory.view(whole);
    values.copy_(saved.values.narrow(0, 0, whole.shape[0]));
    if (magnitudes) make_magnitudes(values);
    memory.mark_written(whole);
}

void ForwardState::load(const plan::Plan& promoted, Memory& memory, bool magnitudes) const {
    const std::map<int, plan::DType> dtypes = buffer_dtypes(promoted);
    if (magnitudes) load_constants(promoted, dtypes, memory);
    for (const auto& [buffer, saved] : saved_) load(buffer, saved, promoted, dtypes, memory, magnitudes);
}

void ForwardState::unload(const plan::Plan& promoted, Memory& memory, bool magnitudes) {
    const std::map<int, plan::DType> dtypes = buffer_dtypes(promoted);
    if (magnitudes) load_constants(promoted, dtypes, memory);
    for (auto& [buffer, saved] : saved_) {
        load(buffer, saved, promoted, dtypes, memory, magnitudes);
        saved.values.reset();
    }
}

namespace {

/// The result, where the step is a softmax.
const plan::Tensor* softmax_result(const plan::AtenStep& step) {
    const std::string_view base = plan::OpName(step.op).base;
    return base == "_softmax" || base == "_safe_softmax" ? std::get_if<plan::Tensor>(&step.result.v)
                                                         : nullptr;
}

}  // namespace

void SoftmaxResults::keep(Executor& oracle) {
    kept_.clear();
    oracle.after_forward_step = [this, &oracle](const plan::AtenStep& step) {
        if (const plan::Tensor* result = softmax_result(step))
            kept_.push_back(oracle.memory().view(*result).clone());
    };
}

void SoftmaxResults::raise(Executor& magnitudes) {
    next_ = 0;
    magnitudes.after_forward_step = [this, &magnitudes](const plan::AtenStep& step) {
        const plan::Tensor* result = softmax_result(step);
        if (!result || next_ >= kept_.size()) return;
        at::Tensor values = magnitudes.memory().view(*result);
        const at::Tensor& kept = kept_[next_++];
        if (values.sizes() == kept.sizes()) values.copy_(at::maximum(values, kept));
    };
}

}  // namespace tritonsmith::run
