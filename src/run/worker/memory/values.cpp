#include "run/worker/memory/values.h"

#include "plan/analysis/flow.h"
#include "plan/ir/json.h"
#include "plan/weights/link.h"
#include "run/worker/memory/tensor_packs.h"
#include "run/worker/step_error.h"
#include "run/worker/torch_types.h"

namespace tritonsmith::run {
namespace {

/// Copies row-major values into a view, cast to its dtype. Expanded dimensions (stride 0) hold one element.
void fill_view(Memory& memory, plan::Tensor tensor, const at::Tensor& values, const std::string& what) {
    at::Tensor source = values;
    int64_t elements = 1;
    for (int64_t dimension : tensor.shape) elements *= dimension;
    if (source.numel() != elements)
        throw StepError("plan_invalid",
                        what + " has shape " + shape_text(tensor.shape, to_torch(tensor.dtype)) +
                            ", its value has " + shape_text(source.sizes(), source.scalar_type()));
    source = source.reshape(tensor.shape);
    for (size_t i = 0; i < tensor.shape.size(); ++i) {
        if (tensor.stride[i] != 0 || tensor.shape[i] <= 1) continue;
        source = source.narrow(static_cast<int64_t>(i), 0, 1);
        tensor.shape[i] = 1;
    }
    memory.view(tensor).copy_(source);
    memory.mark_given(tensor);
}

}  // namespace

void fill_inputs(const plan::Plan& plan, const ValueOf& values, Memory& memory) {
    for (const auto& [name, tensor] : input_tensors(plan)) {
        const std::optional<at::Tensor> value = values(name);
        if (!value) throw InputError("the pack of inputs holds no '" + name + "'");
        if (!memory.live(tensor.buffer)) memory.allocate_for(tensor);
        fill_view(memory, tensor, *value, name);
    }
}

void refill_inputs(const plan::Plan& plan, const ValueOf& values, Memory& memory) {
    memory.begin_call();
    for (const plan::Tensor& tensor : plan::tensors_in(plan.inputs))
        if (memory.live(tensor.buffer)) memory.release(tensor.buffer);
    fill_inputs(plan, values, memory);
}

LinkedWeights::LinkedWeights(const plan::Plan& plan, const ValueOf& values,
                             const std::map<std::string, std::string>& links,
                             const plan::KernelEffects& effects, Memory& memory)
    : memory_(memory) {
    const std::vector<plan::WeightOrigin> origins = plan::weight_origins(plan, effects);
    for (size_t i = 0; i < plan.weights.size(); ++i) {
        const plan::Weight& weight = plan.weights[i];
        auto link = links.find(weight.name);
        if (link == links.end()) continue;
        const std::optional<at::Tensor> value = values("weight/" + link->second);
        if (!value) throw InputError("\"links\": the inputs hold no weight '" + link->second + "'");
        std::function<void()> write = [this, &weight, value = *value] {
            fill_view(memory_, weight.tensor, value, "weight '" + weight.name + "'");
        };
        const bool recorded =
            plan.buffers[static_cast<size_t>(weight.tensor.buffer)].kind == plan::BufferKind::constant;
        if (origins[i].writes.empty() && recorded) write();
        for (int step : origins[i].writes) after_.emplace(step, write);
        if (origins[i].law == plan::Law::derived && origins[i].last >= 0)
            after_.emplace(origins[i].last, write);
    }
}

void LinkedWeights::after(int step) {
    auto [first, last] = after_.equal_range(step);
    for (auto it = first; it != last; ++it) it->second();
}

plan::Tensor whole_buffer(const plan::Plan& plan, int buffer) {
    return {buffer, plan::DType::u8, {plan.buffers[static_cast<size_t>(buffer)].bytes}, {1}, 0};
}

std::map<int, int> draw_links(const std::map<std::string, std::string>& links) {
    std::map<int, int> out;
    for (const auto& [ours, theirs] : links)
        if (ours.starts_with("draw/") && theirs.starts_with("draw/"))
            out[std::atoi(ours.c_str() + 5)] = std::atoi(theirs.c_str() + 5);
    return out;
}

std::vector<std::string> written_inputs(const plan::Plan& plan, const plan::KernelEffects& effects) {
    const std::set<int> written = plan::written_buffers(plan, effects);
    std::vector<std::string> out;
    for (const auto& [name, tensor] : input_tensors(plan))
        if (written.contains(tensor.buffer)) out.push_back(name);
    return out;
}

}  // namespace tritonsmith::run
