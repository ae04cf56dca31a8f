#include "plan/analysis/flow.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "plan/ir/json.h"
#include "plan/ir/ops.h"

namespace tritonsmith::plan {
namespace {

/// True if the view's elements are distinct and fill their hull: sorted by stride, each stride is the product
/// of the smaller sizes.
bool fills_its_hull(const Tensor& tensor) {
    std::vector<size_t> order;
    for (size_t i = 0; i < tensor.shape.size(); ++i)
        if (tensor.shape[i] != 1) order.push_back(i);
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return tensor.stride[a] < tensor.stride[b]; });
    int64_t expected = 1;
    for (size_t i : order) {
        if (tensor.stride[i] != expected) return false;
        expected *= tensor.shape[i];
    }
    return true;
}

void append(std::vector<ByteRange>& to, const std::vector<Tensor>& tensors, bool may_cover) {
    for (const Tensor& tensor : tensors) {
        ByteRange range = byte_range(tensor);
        range.covers = range.covers && may_cover;
        if (!range.empty()) to.push_back(range);
    }
}

/// "out", "out0", "out1" … as schemas name the tensors of out= overloads.
bool is_output_argument(const std::string& name) {
    return name == "out" || (name.size() == 4 && name.starts_with("out") && name[3] >= '0' && name[3] <= '9');
}

/// Positions of arguments that an operator changes although its name does not say so: running statistics, of
/// norms in training.
std::vector<size_t> hidden_writes(const AtenStep& step) {
    const std::string_view base = OpName(step.op).base;
    const bool norm = base == "native_batch_norm" || base == "cudnn_batch_norm" ||
                      base == "_native_batch_norm_legit" || base == "_batch_norm_with_update" ||
                      base == "miopen_batch_norm" || base == "batch_norm" || base == "instance_norm";
    if (norm && in_training(step)) return {3, 4};
    return {};
}

}  // namespace

bool in_training(const AtenStep& batch_norm) {
    for (const Value& value : batch_norm.args)
        if (const auto* flag = std::get_if<bool>(&value.v)) return *flag;
    return OpName(batch_norm.op).base.starts_with("_batch_norm_with_update");
}

int buffer_of(const Value& value) {
    if (const auto* tensor = std::get_if<Tensor>(&value.v)) return tensor->buffer;
    if (const auto* pointer = std::get_if<Pointer>(&value.v)) return pointer->buffer;
    if (const auto* descriptor = std::get_if<Descriptor>(&value.v)) return descriptor->base.buffer;
    return -1;
}

int64_t element_count(const Tensor& tensor) {
    int64_t count = 1;
    for (int64_t size : tensor.shape) count *= size;
    return count;
}

int64_t byte_count(const Tensor& tensor) {
    return element_count(tensor) * element_size(tensor.dtype);
}

ByteRange byte_range(const Tensor& tensor) {
    ByteRange range;
    range.buffer = tensor.buffer;
    int64_t size = element_size(tensor.dtype);
    range.begin = tensor.offset * size;
    range.end = range.begin;
    int64_t last = 0;
    for (size_t i = 0; i < tensor.shape.size(); ++i) {
        if (tensor.shape[i] == 0) return range;
        last += (tensor.shape[i] - 1) * tensor.stride[i];
    }
    range.end = range.begin + (last + 1) * size;
    range.covers = fills_its_hull(tensor);
    return range;
}

bool overlap(const ByteRange& a, const ByteRange& b) {
    return a.buffer == b.buffer && a.begin < b.end && b.begin < a.end;
}

Flow flow_of(const AtenStep& step) {
    Flow flow;
    OpClass kind = op_class(step.op);
    if (kind == OpClass::view || kind == OpClass::allocate) return flow;
    bool ignores_arguments = kind == OpClass::factory || kind == OpClass::fill || kind == OpClass::draw;
    bool writes_self = in_place(step.op);
    bool keeps_self = !overwrites(step.op);
    for (size_t i = 0; i < step.args.size(); ++i) {
        std::vector<Tensor> tensors = tensors_in(step.args[i]);
        bool self = i == 0 && writes_self;
        if (self) append(flow.writes, tensors, true);
        if (!ignores_arguments && (!self || keeps_self)) append(flow.reads, tensors, true);
    }
    for (size_t position : hidden_writes(step))
        if (position < step.args.size()) append(flow.writes, tensors_in(step.args[position]), false);
    for (const auto& [key, value] : step.kwargs) {
        std::vector<Tensor> tensors = tensors_in(value);
        if (is_output_argument(key))
            append(flow.writes, tensors, true);
        else if (!ignores_arguments)
            append(flow.reads, tensors, true);
    }
    if (!writes_self) append(flow.writes, tensors_in(step.result), true);
    return flow;
}

std::optional<ParameterEffect> effect_of(const LaunchStep& step, size_t argument,
                                         const KernelEffects& effects) {
    auto kernel = static_cast<size_t>(step.kernel);
    if (kernel >= effects.size() || effects[kernel].size() != step.args.size()) return std::nullopt;
    return effects[kernel][argument];
}

Flow flow_of(const Plan& plan, const LaunchStep& step, const KernelEffects& effects) {
    Flow flow;
    for (size_t i = 0; i < step.args.size(); ++i) {
        int buffer = buffer_of(step.args[i]);
        if (buffer < 0) continue;
        ParameterEffect effect = effect_of(step, i, effects).value_or(ParameterEffect{});
        ByteRange whole{buffer, 0, plan.buffers[static_cast<size_t>(buffer)].bytes, false};
        if (effect.reads) flow.reads.push_back(whole);
        if (effect.writes) flow.writes.push_back(whole);
    }
    return flow;
}

Flow flow_of(const Plan& plan, const Step& step, const KernelEffects& effects) {
    if (const auto* aten = std::get_if<AtenStep>(&step.what)) return flow_of(*aten);
    if (const auto* launch = std::get_if<LaunchStep>(&step.what)) return flow_of(plan, *launch, effects);
    return {};
}

std::set<int> written_buffers(const Plan& plan, const KernelEffects& effects, const std::vector<int>& taken,
                              size_t timed_from) {
    std::set<int> out;
    for (const Executed& executed : executed_steps(plan, taken))
        if (executed.step->phase == Phase::forward || static_cast<size_t>(executed.index) >= timed_from)
            for (const ByteRange& range : flow_of(plan, *executed.step, effects).writes)
                out.insert(range.buffer);
    return out;
}

std::vector<int> carried_buffers(const Plan& plan, const KernelEffects& effects,
                                 const std::vector<int>& taken) {
    std::set<int> live;
    for (const Buffer& buffer : plan.buffers)
        if (buffer.kind == BufferKind::constant) live.insert(buffer.id);
    for (const Executed& executed : executed_steps(plan, taken)) {
        if (executed.step->phase == Phase::forward) continue;
        if (const auto* dead = std::get_if<FreeStep>(&executed.step->what)) live.erase(dead->buffer);
        if (const auto* aten = std::get_if<AtenStep>(&executed.step->what))
            for (const Tensor& tensor : tensors_in(aten->result)) live.insert(tensor.buffer);
    }
    for (const Tensor& input : tensors_in(plan.inputs)) live.erase(input.buffer);
    const std::set<int> written = written_buffers(plan, effects, taken);
    std::vector<int> out;
    std::set_intersection(live.begin(), live.end(), written.begin(), written.end(), std::back_inserter(out));
    return out;
}

std::vector<size_t> constant_inputs(const Plan& plan) {
    std::set<int> others;
    for (const Step& step : plan.steps) {
        if (const auto* read = std::get_if<ReadStep>(&step.what)) others.insert(read->tensor.buffer);
        const auto* aten = std::get_if<AtenStep>(&step.what);
        if (!aten || step.phase != Phase::inputs) continue;
        const Flow flow = flow_of(*aten);
        const bool drawn = aten->draw >= 0 || op_class(aten->op) == OpClass::draw ||
                           std::any_of(flow.reads.begin(), flow.reads.end(),
                                       [&](const ByteRange& range) { return others.contains(range.buffer); });
        if (!drawn) continue;
        for (const ByteRange& range : flow.writes) others.insert(range.buffer);
        for (const Tensor& result : tensors_in(aten->result)) others.insert(result.buffer);
    }
    std::vector<size_t> out;
    const std::vector<Tensor> inputs = tensors_in(plan.inputs);
    for (size_t i = 0; i < inputs.size(); ++i)
        if (!others.contains(inputs[i].buffer) && element_count(inputs[i]) > 0) out.push_back(i);
    return out;
}

std::vector<Executed> executed_steps(const Plan& plan, const std::vector<int>& taken) {
    std::vector<Executed> out;
    size_t choices = 0;
    for (size_t i = 0; i < plan.steps.size(); ++i) {
        const Step& step = plan.steps[i];
        if (const auto* choice = std::get_if<ChoiceStep>(&step.what)) {
            const size_t number = choices < taken.size() ? static_cast<size_t>(taken[choices]) : 0;
            ++choices;
            if (number >= choice->alternatives.size()) continue;
            for (const Step& inner : choice->alternatives[number].steps)
                out.push_back({&inner, static_cast<int>(i)});
        } else {
            out.push_back({&step, static_cast<int>(i)});
        }
    }
    return out;
}

}  // namespace tritonsmith::plan
