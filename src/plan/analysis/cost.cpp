#include "plan/analysis/cost.h"

#include <algorithm>
#include <set>

#include "plan/analysis/flow.h"
#include "plan/analysis/reduction.h"
#include "plan/ir/json.h"
#include "plan/ir/ops.h"
#include "plan/ir/saturate.h"

namespace tritonsmith::plan {
namespace {

double elements(const std::vector<Tensor>& tensors) {
    double most = 0;
    for (const Tensor& tensor : tensors) most = std::max(most, static_cast<double>(element_count(tensor)));
    return most;
}

/// Matrices of a recurrent layer: every weight is used once a time step and row of the batch.
double recurrent_flops(const AtenStep& step) {
    std::vector<Tensor> arguments = tensors_in(step.args);
    if (arguments.empty() || arguments[0].shape.size() < 2) return 0;
    double rows = static_cast<double>(arguments[0].shape[0]) * static_cast<double>(arguments[0].shape[1]),
           weights = 0;
    for (size_t i = 1; i < arguments.size(); ++i)
        if (arguments[i].shape.size() == 2) weights += static_cast<double>(element_count(arguments[i]));
    return 2 * rows * weights;
}

double attention_flops(const AtenStep& step) {  // [batch, heads, length, size]: q·kᵀ and the product with v
    std::vector<Tensor> arguments = tensors_in(step.args);
    if (arguments.size() < 3 || arguments[0].shape.size() < 2 || arguments[1].shape.size() < 2) return 0;
    const auto& keys = arguments[1].shape;
    return 4 * static_cast<double>(element_count(arguments[0])) * static_cast<double>(keys[keys.size() - 2]);
}

double flops(const AtenStep& step) {
    switch (op_class(step.op)) {
        case OpClass::view:
        case OpClass::allocate:
            return 0;
        case OpClass::compute:
            break;
        default:
            return elements(tensors_in(step.result));
    }
    std::string_view base = OpName(step.op).base;
    if (base == "lstm" || base == "gru" || base.find("rnn") != std::string_view::npos)
        return recurrent_flops(step);
    if (base.find("scaled_dot_product") != std::string_view::npos) return attention_flops(step);
    std::vector<Tensor> results = tensors_in(step.result);
    double out = results.empty() ? 0 : static_cast<double>(element_count(results[0]));
    bool product = base.find("mm") != std::string_view::npos || base.find("conv") != std::string_view::npos ||
                   base == "mv" || base == "addmv" || base == "dot" ||
                   base.find("cdist") != std::string_view::npos;
    if (product) {
        double terms = 2 * out * static_cast<double>(reduction_length(step));
        // A transposed convolution spreads each input element over the window, which is fewer terms on
        // average.
        return std::max(terms, out);
    }
    double pooled =
        base.find("pool") != std::string_view::npos ? out * static_cast<double>(reduction_length(step)) : 0;
    return std::max({pooled, elements(tensors_in(step.args)), elements(results)});
}

int64_t range_bytes(const std::vector<ByteRange>& ranges) {
    int64_t bytes = 0;
    for (const ByteRange& range : ranges) bytes = saturating_add(bytes, range.end - range.begin);
    return bytes;
}

/// Bytes of buffers that are alive, as the plan's steps make and free them.
class Peak {
  public:
    explicit Peak(const Plan& plan) : plan_(plan), alive_(plan.buffers.size()) {
        for (const Buffer& buffer : plan.buffers)
            if (buffer.kind != BufferKind::allocation) touch(buffer.id);
    }
    void step(const Step& step) {
        if (const auto* freed = std::get_if<FreeStep>(&step.what)) {
            release(freed->buffer);
        } else if (const auto* aten = std::get_if<AtenStep>(&step.what)) {
            for (const Tensor& tensor : tensors_in(aten->result)) touch(tensor.buffer);
        }
    }
    int64_t bytes() const { return peak_; }

  private:
    void touch(int id) {
        if (alive_[static_cast<size_t>(id)]) return;
        alive_[static_cast<size_t>(id)] = true;
        now_ = saturating_add(now_, plan_.buffers[static_cast<size_t>(id)].bytes);
        peak_ = std::max(peak_, now_);
    }
    void release(int id) {
        if (!alive_[static_cast<size_t>(id)]) return;
        alive_[static_cast<size_t>(id)] = false;
        now_ -= plan_.buffers[static_cast<size_t>(id)].bytes;
    }
    const Plan& plan_;
    std::vector<bool> alive_;
    int64_t now_ = 0, peak_ = 0;
};

}  // namespace

Cost cost(const Plan& plan) {
    Cost cost;
    std::set<int> interface;
    for (const Tensor& tensor : tensors_in(plan.inputs)) interface.insert(tensor.buffer);
    for (const Weight& weight : plan.weights) interface.insert(weight.tensor.buffer);
    for (const Tensor& tensor : tensors_in(plan.output)) interface.insert(tensor.buffer);
    for (int id : interface)
        cost.bytes = saturating_add(cost.bytes, plan.buffers[static_cast<size_t>(id)].bytes);
    Peak peak(plan);
    for (const Executed& executed : executed_steps(plan)) {
        peak.step(*executed.step);
        if (executed.step->phase != Phase::forward) continue;
        if (const auto* aten = std::get_if<AtenStep>(&executed.step->what)) cost.flops += flops(*aten);
        const Flow flow = flow_of(plan, *executed.step, {});
        cost.traffic =
            saturating_add(cost.traffic, saturating_add(range_bytes(flow.reads), range_bytes(flow.writes)));
    }
    cost.peak_bytes = peak.bytes();
    return cost;
}

}  // namespace tritonsmith::plan
