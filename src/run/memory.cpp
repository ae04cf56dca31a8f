#include "run/memory.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>
#include <c10/core/Storage.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "plan/json.h"
#include "run/poison.h"
#include "run/step_error.h"
#include "run/torch_types.h"

namespace tritonsmith::run {
namespace {

std::string buffer_name(const plan::Buffer& buffer) {
    switch (buffer.kind) {
        case plan::BufferKind::input:
            return "input buffer " + std::to_string(buffer.id);
        case plan::BufferKind::constant:
            return "constant " + std::to_string(buffer.id);
        default:
            break;
    }
    if (buffer.line > 0) return "buffer allocated at line " + std::to_string(buffer.line);
    return "buffer " + std::to_string(buffer.id);
}

at::Tensor bytes_tensor(void* data, int64_t bytes) {
    return at::from_blob(data, {bytes}, at::kByte);
}

/// A view of `storage` in the tensor's dtype. Bounds were checked.
at::Tensor tensor_over(const at::Storage& storage, at::ScalarType type, at::IntArrayRef shape,
                       at::IntArrayRef stride, int64_t offset) {
    at::Tensor out = at::detail::make_tensor<at::TensorImpl>(
        at::Storage(storage), c10::DispatchKeySet(c10::DispatchKey::CPU), c10::scalarTypeToTypeMeta(type));
    out.unsafeGetTensorImpl()->set_sizes_and_strides(shape, stride, offset);
    return out;
}

/// Whether a tensor's elements are the buffer's bytes, each once, in whatever order of dimensions.
bool fills(const plan::Tensor& tensor, int64_t bytes) {
    std::vector<std::pair<int64_t, int64_t>> dimensions;  // stride, size
    for (size_t i = 0; i < tensor.shape.size(); ++i)
        if (tensor.shape[i] != 1) dimensions.emplace_back(tensor.stride[i], tensor.shape[i]);
    std::sort(dimensions.begin(), dimensions.end());
    int64_t elements = 1;
    for (auto [stride, size] : dimensions) {
        if (stride != elements) return false;
        elements *= size;
    }
    return tensor.offset == 0 && elements * plan::element_size(tensor.dtype) == bytes;
}

}  // namespace

struct Memory::Slot {
    at::Storage storage;                   ///< defined while live
    std::unique_ptr<ttir::Buffer> buffer;  ///< where `storage` is only a view of it
    bool known_written = false;            ///< no shadow needed: every byte was written
    int64_t charged = 0;  ///< bytes counted against the limit: data, and shadow where there is one
};

Memory::Memory(const plan::Plan& plan, int64_t limit, uint64_t poison)
    : plan_(plan), slots_(plan.buffers.size()), limit_(limit), poison_(poison) {}
Memory::~Memory() = default;

Memory::Slot& Memory::slot(int buffer) {
    if (buffer < 0 || static_cast<size_t>(buffer) >= slots_.size())
        throw StepError("plan_invalid", "buffer " + std::to_string(buffer) + " does not exist");
    return slots_[static_cast<size_t>(buffer)];
}

bool Memory::live(int buffer) const {
    return buffer >= 0 && static_cast<size_t>(buffer) < slots_.size() &&
           slots_[static_cast<size_t>(buffer)].storage;
}

void Memory::charge(Slot& slot, int64_t bytes) {
    if (bytes < 0 || bytes > limit_ - live_bytes_)
        throw StepError("out_of_memory", "the plan needs more than the limit of " +
                                             std::to_string(limit_ >> 20) + " MiB at once");
    live_bytes_ += bytes;
    slot.charged += bytes;
}

Memory::Slot& Memory::make(int buffer) {
    Slot& made = slot(buffer);
    if (made.storage) throw StepError("plan_invalid", "buffer " + std::to_string(buffer) + " is made twice");
    const plan::Buffer& declared = plan_.buffers[static_cast<size_t>(buffer)];
    if (declared.bytes > limit_) charge(made, declared.bytes);
    charge(made, 2 * declared.bytes);
    try {
        made.buffer = std::make_unique<ttir::Buffer>(declared.bytes, declared.address, buffer_name(declared));
    } catch (const MachineError& wrong) {
        throw StepError("out_of_memory", wrong.what());
    }
    made.storage = bytes_tensor(made.buffer->data(), declared.bytes).storage();
    made.known_written = false;
    return made;
}

void Memory::allocate(int buffer, plan::DType dtype) {
    ttir::Buffer& made = *make(buffer).buffer;
    poison(made.data(), made.bytes(), dtype, poison_ ^ (static_cast<uint64_t>(buffer) << 32));
}

void Memory::allocate_for(const plan::Tensor& tensor) {
    slot(tensor.buffer);  // throws where there is no such buffer
    if (!fills(tensor, plan_.buffers[static_cast<size_t>(tensor.buffer)].bytes))
        return allocate(tensor.buffer, tensor.dtype);
    make(tensor.buffer);
}

bool Memory::adopt(const plan::Tensor& declared, const at::Tensor& fresh) {
    Slot& made = slot(declared.buffer);
    int64_t bytes = plan_.buffers[static_cast<size_t>(declared.buffer)].bytes;
    const at::Storage& storage = fresh.storage();
    if (made.storage || storage.use_count() != 1 || static_cast<int64_t>(storage.nbytes()) < bytes ||
        fresh.storage_offset() != declared.offset || fresh.strides() != at::IntArrayRef(declared.stride) ||
        fresh.scalar_type() != to_torch(declared.dtype) || fresh.is_conj() || fresh.is_neg())
        return false;
    charge(made, bytes);
    made.storage = storage;
    made.known_written = true;
    return true;
}

void Memory::release(int buffer) {
    Slot& dead = slot(buffer);
    if (!dead.storage)
        throw StepError("plan_invalid", "buffer " + std::to_string(buffer) + " is freed but not live");
    dead.storage = {};
    dead.buffer.reset();
    live_bytes_ -= dead.charged;
    dead.charged = 0;
}

Memory::Slot& Memory::present(int buffer) {
    Slot& found = slot(buffer);
    if (found.storage) return found;
    const plan::Buffer& declared = plan_.buffers[static_cast<size_t>(buffer)];
    if (declared.kind != plan::BufferKind::constant ||
        static_cast<int64_t>(declared.data.size()) != declared.bytes)
        throw StepError("plan_invalid", "buffer " + std::to_string(buffer) + " is used while it is not live");
    charge(found, declared.bytes);
    at::Tensor copy = at::empty({declared.bytes}, at::kByte);
    if (declared.bytes > 0) std::memcpy(copy.data_ptr(), declared.data.data(), declared.data.size());
    found.storage = copy.storage();
    found.known_written = true;
    return found;
}

void check_inside(const plan::Tensor& tensor, int64_t bytes) {
    if (tensor.shape.size() != tensor.stride.size() || tensor.offset < 0)
        throw StepError("plan_invalid", "a tensor's shape and stride contradict each other");
    __int128 last = tensor.offset;
    bool empty = false;
    for (size_t i = 0; i < tensor.shape.size(); ++i) {
        if (tensor.shape[i] < 0 || tensor.stride[i] < 0)
            throw StepError("plan_invalid", "a tensor has a negative shape or stride");
        if (tensor.shape[i] == 0)
            empty = true;
        else
            last += static_cast<__int128>(tensor.shape[i] - 1) * tensor.stride[i];
        if (last > INT64_MAX / 16) throw StepError("plan_invalid", "a tensor's extent is beyond all memory");
    }
    if (!empty && (last + 1) * plan::element_size(tensor.dtype) > bytes)
        throw StepError("plan_invalid",
                        "a tensor reaches beyond its buffer " + std::to_string(tensor.buffer));
}

at::Tensor Memory::view(const plan::Tensor& tensor) {
    Slot& found = present(tensor.buffer);
    check_inside(tensor, plan_.buffers[static_cast<size_t>(tensor.buffer)].bytes);
    return tensor_over(found.storage, to_torch(tensor.dtype), tensor.shape, tensor.stride, tensor.offset);
}

bool Memory::holds(int buffer, const at::Tensor& tensor) const {
    if (!live(buffer)) return false;
    const at::Storage& ours = slots_[static_cast<size_t>(buffer)].storage;
    return tensor.storage().data() == ours.data() &&
           (ours.data() || tensor.storage().nbytes() == ours.nbytes());
}

ttir::Buffer& Memory::shadowed(int buffer) {
    Slot& found = present(buffer);
    if (!found.buffer) {
        const plan::Buffer& declared = plan_.buffers[static_cast<size_t>(buffer)];
        charge(found, declared.bytes);  // both copies live for a moment, then data and (untouched) shadow
        try {
            found.buffer =
                std::make_unique<ttir::Buffer>(declared.bytes, declared.address, buffer_name(declared));
        } catch (const MachineError& wrong) {
            throw StepError("out_of_memory", wrong.what());
        }
        if (declared.bytes > 0)
            std::memcpy(found.buffer->data(), found.storage.data(), static_cast<size_t>(declared.bytes));
        found.buffer->mark_all_written();
        found.storage = bytes_tensor(found.buffer->data(), declared.bytes).storage();
    }
    return *found.buffer;
}

bool Memory::tracked(int buffer) const {
    if (!live(buffer)) return false;
    const Slot& found = slots_[static_cast<size_t>(buffer)];
    return !found.known_written && found.buffer && !found.buffer->all_written();
}

/// The shadow bytes of a view: [shape..., element size].
at::Tensor Memory::shadow_view(Slot& found, const plan::Tensor& tensor) {
    int64_t size = plan::element_size(tensor.dtype);
    std::vector<int64_t> shape = tensor.shape, stride;
    for (int64_t step : tensor.stride) stride.push_back(step * size);
    shape.push_back(size);
    stride.push_back(1);
    at::Tensor bytes = bytes_tensor(found.buffer->written(), found.buffer->bytes());
    return tensor_over(bytes.storage(), at::kByte, shape, stride, tensor.offset * size);
}

void Memory::mark_written(const plan::Tensor& tensor) {
    if (!tracked(tensor.buffer)) return;
    Slot& found = present(tensor.buffer);
    check_inside(tensor, found.buffer->bytes());
    shadow_view(found, tensor).fill_(1);
}

void Memory::mark_given(const plan::Tensor& tensor) {
    if (!tracked(tensor.buffer)) return;
    Slot& found = present(tensor.buffer);
    if (fills(tensor, found.buffer->bytes()))
        found.buffer->mark_all_written();
    else
        mark_written(tensor);
}

void Memory::copy_written(const plan::Tensor& from, const plan::Tensor& to) {
    if (!tracked(to.buffer)) return;
    if (!tracked(from.buffer)) return mark_written(to);
    Slot& source = present(from.buffer);
    Slot& target = present(to.buffer);
    check_inside(from, source.buffer->bytes());
    check_inside(to, target.buffer->bytes());
    at::Tensor whole = shadow_view(source, from).amin(-1, true);  // dtypes, so element sizes, may differ
    at::Tensor destination = shadow_view(target, to);
    destination.copy_(whole.expand_as(destination));
}

Memory::Unwritten Memory::unwritten(const plan::Tensor& tensor) {
    Unwritten result;
    if (!tracked(tensor.buffer)) return result;
    Slot& found = present(tensor.buffer);
    check_inside(tensor, found.buffer->bytes());
    at::Tensor missing = shadow_view(found, tensor).amin(-1).eq(0).reshape({-1});
    result.count = missing.sum().item<int64_t>();
    if (result.count > 0) result.first = missing.to(at::kByte).argmax().item<int64_t>();
    return result;
}

}  // namespace tritonsmith::run
