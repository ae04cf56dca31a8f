#include "run/worker/oracle/oracle.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/maximum.h>

#include <set>
#include <utility>

#include "plan/analysis/flow.h"
#include "plan/ir/arguments.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "run/worker/aten/aten_step.h"
#include "run/worker/aten/attention.h"
#include "run/worker/oracle/inner_rounding.h"
#include "run/worker/oracle/norm_terms.h"
#include "run/worker/oracle/resampling_terms.h"
#include "run/worker/step_error.h"
#include "run/worker/torch_types.h"

namespace tritonsmith::run {

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

namespace {

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
    const std::set<int> written = plan::written_buffers(native, {});
    for (auto [buffer, dtype] : buffer_dtypes(native))
        if (memory.live(buffer)) {
            const at::Tensor values = memory.view(row(native, buffer, dtype));
            const bool changes = values.is_cpu() || written.contains(buffer);
            saved_[buffer] = {changes ? values.clone() : values, dtype};
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

namespace {

bool is_exponential(const plan::AtenStep& step) {
    const std::string_view base = plan::OpName(step.op).base;
    return base == "exp" || base == "exp_" || base == "exp2" || base == "exp2_";
}

bool is_softmax(const plan::AtenStep& step) {
    const std::string_view base = plan::OpName(step.op).base;
    return base == "_softmax" || base == "_safe_softmax";
}

const plan::Tensor* first_result(const plan::AtenStep& step) {
    const auto* several = std::get_if<plan::Sequence>(&step.result.v);
    const plan::Value* first = !several                 ? &step.result
                               : several->items.empty() ? nullptr
                                                        : &several->items[0];
    return first ? std::get_if<plan::Tensor>(&first->v) : nullptr;
}

}  // namespace

bool OracleTerms::given(const plan::AtenStep& step) const {
    const plan::Tensor* result = first_result(step);
    if (!result || result->dtype != plan::DType::f64) return false;
    return is_attention(step) || samples_by_grid(step) ||
           (rounds_inside(step) && numerics::narrow(stored_as(*result)));
}

bool OracleTerms::is_kept(const plan::AtenStep& step) const {
    const plan::Tensor* result = first_result(step);
    return given(step) || (result && result->dtype == plan::DType::f64 &&
                           (is_exponential(step) || is_softmax(step) || centres(step)));
}

plan::DType OracleTerms::stored_as(const plan::Tensor& promoted) const {
    const auto found = stored_.find(promoted.buffer);
    return found == stored_.end() ? promoted.dtype : found->second;
}

at::Tensor OracleTerms::kept(const plan::AtenStep& step, Executor& oracle) const {
    const plan::Tensor* result = first_result(step);
    Memory& memory = oracle.memory();
    if (is_exponential(step) || is_softmax(step)) return memory.view(*result).clone();
    const plan::DType rounded = stored_as(*result);
    if (numerics::narrow(rounded) && rounds_inside(step)) {
        const at::Tensor inside =
            inner_rounding(step, rounded, memory).div_(numerics::format(rounded).mean_half_unit());
        return centres(step) ? at::maximum(inside, norm_terms(step, memory)) : inside;
    }
    if (centres(step)) return norm_terms(step, memory);
    if (samples_by_grid(step)) return resampling_terms(step, memory);
    auto seen = [&](const plan::Tensor& tensor) { return memory.view(tensor); };
    return attention_magnitude(attention_call(step.op, arguments_of(step, seen, memory.device())).value());
}

void OracleTerms::keep(Executor& oracle) {
    kept_.clear();
    oracle.after_forward_step = [this, &oracle](const plan::AtenStep& step) {
        if (is_kept(step)) kept_.push_back(kept(step, oracle));
    };
}

void OracleTerms::raise(Executor& magnitudes) {
    next_ = 0;
    magnitudes.before_forward_step = [this, &magnitudes](const plan::AtenStep& step) {
        argument_ = at::Tensor();
        const auto* argument = plan::argument<plan::Tensor>(step, 0);
        if (argument && is_exponential(step))
            argument_ = magnitudes.memory().view(*argument).abs().clamp_max_(-kMask);
    };
    magnitudes.after_forward_step = [this, &magnitudes](const plan::AtenStep& step) {
        if (!is_kept(step) || next_ >= kept_.size()) return;
        const at::Tensor kept = std::exchange(kept_[next_++], {});
        at::Tensor values = magnitudes.memory().view(*first_result(step));
        if (values.sizes() != kept.sizes()) return;
        if (argument_.defined())
            values.copy_(kept * (argument_ + 1));
        else
            values.copy_(is_softmax(step) || (centres(step) && !given(step)) ? at::maximum(values, kept)
                                                                             : kept);
    };
}

}  // namespace tritonsmith::run
