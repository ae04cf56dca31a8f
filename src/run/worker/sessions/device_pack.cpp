#include "run/worker/sessions/device_pack.h"

#include "plan/ir/json.h"
#include "run/client/pack_writer.h"
#include "run/worker/torch_types.h"

namespace tritonsmith::run {

Json DevicePack::index() const {
    return index_of(entries);
}

at::Tensor DevicePack::tensor(const PackEntry& entry) const {
    std::vector<int64_t> stride(entry.shape.size(), 1);
    for (size_t i = stride.size(); i-- > 1;) stride[i - 1] = stride[i] * entry.shape[i];
    return tensor_over(memory.bytes.storage(), memory.bytes.device(), to_torch(entry.dtype), entry.shape,
                       stride, entry.offset / plan::element_size(entry.dtype));
}

const PackEntry* DevicePack::find(const std::string& name) const {
    for (const PackEntry& entry : entries)
        if (entry.name == name) return &entry;
    return nullptr;
}

ValueOf DevicePack::values() const {
    return [this](const std::string& name) -> std::optional<at::Tensor> {
        const PackEntry* entry = find(name);
        return entry ? std::optional(tensor(*entry)) : std::nullopt;
    };
}

DevicePack allocate_pack(Accelerator& accelerator, const NamedTensors& tensors) {
    PackLayout layout;
    for (const auto& [name, tensor] : tensors) layout.add(name, tensor.dtype, tensor.shape);
    return {layout.entries(), accelerator.share(layout.bytes())};
}

void fill_pack(const DevicePack& pack, const NamedTensors& tensors, Memory& memory) {
    for (size_t i = 0; i < tensors.size(); ++i)
        if (Pack::element_count(pack.entries[i]) > 0)
            pack.tensor(pack.entries[i]).copy_(memory.view(tensors[i].second));
}

DevicePack pack_tensors(Accelerator& accelerator, const NamedTensors& tensors, Memory& memory) {
    DevicePack pack = allocate_pack(accelerator, tensors);
    fill_pack(pack, tensors, memory);
    return pack;
}

DevicePack private_copy(const DevicePack& pack) {
    return {pack.entries, {pack.memory.bytes.clone(), Fd()}};
}

DevicePack map_pack(Accelerator& accelerator, Fd fd, const Json& index, int64_t bytes) {
    DevicePack pack;
    pack.entries = entries_from(index, bytes);
    pack.memory.bytes = accelerator.map(std::move(fd), bytes);
    return pack;
}

}  // namespace tritonsmith::run
