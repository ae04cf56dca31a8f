#include "run/worker/memory/tensor_packs.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <cstring>

#include "plan/ir/json.h"
#include "run/worker/step_error.h"
#include "run/worker/torch_types.h"

namespace tritonsmith::run {
namespace {

NamedTensors numbered(const char* prefix, const std::vector<plan::Tensor>& tensors) {
    NamedTensors out;
    for (size_t i = 0; i < tensors.size(); ++i) out.emplace_back(prefix + std::to_string(i), tensors[i]);
    return out;
}

/// Bytes, so that a NaN equals itself. Both contiguous, of one dtype and device.
bool same_bytes(const at::Tensor& a, const at::Tensor& b) {
    const size_t bytes = a.nbytes();
    if (a.is_cpu()) return std::memcmp(a.data_ptr(), b.data_ptr(), bytes) == 0;
    return at::equal(a.reshape({-1}).view(at::kByte), b.reshape({-1}).view(at::kByte));
}

}  // namespace

NamedTensors input_tensors(const plan::Plan& plan) {
    return numbered("input/", plan::tensors_in(plan.inputs));
}

NamedTensors output_tensors(const plan::Plan& plan) {
    return numbered("output/", plan::tensors_in(plan.output));
}

NamedTensors weight_tensors(const plan::Plan& plan) {
    NamedTensors out;
    for (const plan::Weight& weight : plan.weights) out.emplace_back("weight/" + weight.name, weight.tensor);
    return out;
}

NamedTensors given_tensors(const plan::Plan& plan) {
    NamedTensors out = input_tensors(plan), weights = weight_tensors(plan);
    out.insert(out.end(), weights.begin(), weights.end());
    return out;
}

void write_pack(PackWriter& writer, const NamedTensors& tensors, Memory& memory) {
    for (const auto& [name, tensor] : tensors) writer.add(name, tensor.dtype, tensor.shape);
    writer.map();
    for (size_t i = 0; i < tensors.size(); ++i) {
        const plan::Tensor& tensor = tensors[i].second;
        at::Tensor view = memory.view(tensor);
        if (view.numel() == 0) continue;
        at::from_blob(writer.data(i), tensor.shape, to_torch(tensor.dtype)).copy_(view);
    }
}

at::Tensor tensor_of(const Pack& pack, const PackEntry& entry) {
    return at::from_blob(const_cast<std::byte*>(pack.bytes(entry)), entry.shape, to_torch(entry.dtype));
}

ValueOf values_of(const Pack& pack) {
    return [&pack](const std::string& name) -> std::optional<at::Tensor> {
        const PackEntry* entry = pack.find(name);
        return entry ? std::optional(tensor_of(pack, *entry)) : std::nullopt;
    };
}

std::vector<std::string> changed_since(const std::function<at::Tensor(size_t i)>& before,
                                       const NamedTensors& tensors, Memory& memory) {
    std::vector<std::string> out;
    for (size_t i = 0; i < tensors.size(); ++i) {
        const plan::Tensor& tensor = tensors[i].second;
        if (!memory.live(tensor.buffer)) continue;
        const at::Tensor now = memory.view(tensor).contiguous();
        if (now.numel() > 0 && !same_bytes(now, before(i))) out.push_back(tensors[i].first);
    }
    return out;
}

NamedTensors results(const plan::Plan& plan, const std::vector<std::string>& changed) {
    NamedTensors out = output_tensors(plan);
    for (auto& input : input_tensors(plan))
        if (std::find(changed.begin(), changed.end(), input.first) != changed.end())
            out.push_back(std::move(input));
    return out;
}

}  // namespace tritonsmith::run
