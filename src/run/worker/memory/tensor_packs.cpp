#include "run/worker/memory/tensor_packs.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <cstring>

#include "plan/ir/json.h"
#include "plan/weights/module_state.h"
#include "run/worker/step_error.h"
#include "run/worker/torch_types.h"

namespace tritonsmith::run {
namespace {

NamedTensors numbered(const char* prefix, const std::vector<plan::Tensor>& tensors) {
    NamedTensors out;
    for (size_t i = 0; i < tensors.size(); ++i) out.emplace_back(prefix + std::to_string(i), tensors[i]);
    return out;
}

constexpr int64_t kMostKept = int64_t{16} << 20;  // bytes of one buffer

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
        at::from_blob(writer.data(i), tensor.shape, with_bytes_of_truths(view).scalar_type())
            .copy_(with_bytes_of_truths(view));
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

NamedTensors kept_buffers(const plan::Plan& plan, const plan::KernelEffects& effects,
                          const std::map<std::string, std::string>* links) {
    NamedTensors out;
    const std::set<std::string> updated = plan::updated_weights(plan, effects);
    for (const plan::Weight& weight : plan.weights) {
        if (!updated.contains(weight.name) || plan::byte_count(weight.tensor) > kMostKept) continue;
        std::string name = weight.name;
        if (links) {
            const auto link = links->find(name);
            if (link == links->end()) continue;
            name = link->second;
        }
        out.emplace_back("weight/" + name, weight.tensor);
    }
    return out;
}

NamedTensors kept_buffers_of(const plan::Plan& transformed, const NamedTensors& kept) {
    NamedTensors out;
    for (auto& weight : weight_tensors(transformed))
        if (std::any_of(kept.begin(), kept.end(), [&](const auto& one) { return one.first == weight.first; }))
            out.push_back(std::move(weight));
    return out;
}

KeptUp::KeptUp(NamedTensors kept, Memory& memory) {
    for (auto& named : kept) {
        if (!memory.live(named.second.buffer)) continue;
        before_.push_back(memory.view(named.second).clone(at::MemoryFormat::Contiguous));
        kept_.push_back(std::move(named));
    }
}

void KeptUp::see(Memory& memory) {
    const std::vector<std::string> changed =
        changed_since([&](size_t i) { return before_[i]; }, kept_, memory);
    std::erase_if(kept_, [&](const auto& named) {
        return std::find(changed.begin(), changed.end(), named.first) == changed.end();
    });
    before_.clear();
}

NamedTensors KeptUp::live(const Memory& memory) const {
    NamedTensors out;
    for (const auto& named : kept_)
        if (memory.live(named.second.buffer)) out.push_back(named);
    return out;
}

NamedTensors with(NamedTensors tensors, const NamedTensors& more) {
    tensors.insert(tensors.end(), more.begin(), more.end());
    return tensors;
}

}  // namespace tritonsmith::run
