#include "run/worker/memory/host_memory.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>
#include <c10/core/Storage.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "base/error.h"
#include "plan/ir/json.h"
#include "run/worker/memory/poison.h"
#include "run/worker/step_error.h"
#include "run/worker/torch_types.h"

namespace tritonsmith::run {
namespace {

/// Memory was refused: by the limit that the plan has used up, or by the machine.
[[noreturn]] void refuse_memory(int64_t bytes, const MachineError& why) {
    rlimit limit{};
    long long held = 0;  // KiB
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (std::sscanf(line.c_str(), "VmData: %lld", &held) == 1) break;
    const bool limited = ::getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    if (limited && static_cast<rlim_t>(bytes) + static_cast<rlim_t>(held) * 1024 > limit.rlim_cur)
        throw StepError("out_of_memory", "the plan needs more than the limit of " +
                                             std::to_string(limit.rlim_cur >> 20) + " MiB at once");
    throw why;
}

at::Tensor bytes_tensor(void* data, int64_t bytes) {
    return at::from_blob(data, {bytes}, at::kByte);
}

}  // namespace

struct HostMemory::Slot {
    at::Storage storage;                   ///< defined while live
    std::unique_ptr<ttir::Buffer> buffer;  ///< where `storage` is only a view of it
    bool known_written = false;            ///< no shadow needed: every byte was written
    int64_t charged = 0;  ///< bytes counted against the limit: data, and shadow where there is one
};

HostMemory::HostMemory(const plan::Plan& plan, int64_t limit, uint64_t poison)
    : plan_(plan), slots_(plan.buffers.size()), limit_(limit), poison_(poison) {}
HostMemory::~HostMemory() = default;

HostMemory::Slot& HostMemory::slot(int buffer) {
    if (buffer < 0 || static_cast<size_t>(buffer) >= slots_.size())
        throw StepError("plan_invalid", "buffer " + std::to_string(buffer) + " does not exist");
    return slots_[static_cast<size_t>(buffer)];
}

bool HostMemory::live(int buffer) const {
    return buffer >= 0 && static_cast<size_t>(buffer) < slots_.size() &&
           slots_[static_cast<size_t>(buffer)].storage;
}

void HostMemory::charge(Slot& slot, int64_t bytes) {
    if (bytes < 0 || bytes > limit_ - live_bytes_)
        throw StepError("out_of_memory", "the plan needs more than the limit of " +
                                             std::to_string(limit_ >> 20) + " MiB at once");
    live_bytes_ += bytes;
    slot.charged += bytes;
}

HostMemory::Slot& HostMemory::make(int buffer) {
    Slot& made = slot(buffer);
    if (made.storage) throw StepError("plan_invalid", "buffer " + std::to_string(buffer) + " is made twice");
    const plan::Buffer& declared = plan_.buffers[static_cast<size_t>(buffer)];
    if (declared.bytes > limit_) charge(made, declared.bytes);
    charge(made, 2 * declared.bytes);
    try {
        made.buffer =
            std::make_unique<ttir::Buffer>(declared.bytes, address(declared), buffer_name(declared));
    } catch (const MachineError& wrong) {
        refuse_memory(2 * declared.bytes, wrong);
    }
    made.storage = bytes_tensor(made.buffer->data(), declared.bytes).storage();
    made.known_written = false;
    return made;
}

void HostMemory::allocate(int buffer, plan::DType dtype) {
    ttir::Buffer& made = *make(buffer).buffer;
    poison(made.data(), made.bytes(), dtype, poison_ ^ (static_cast<uint64_t>(buffer) << 32));
}

void HostMemory::allocate_for(const plan::Tensor& tensor) {
    slot(tensor.buffer);  // throws where there is no such buffer
    if (!fills(tensor, plan_.buffers[static_cast<size_t>(tensor.buffer)].bytes))
        return allocate(tensor.buffer, tensor.dtype);
    make(tensor.buffer);
}

bool HostMemory::adopt(const plan::Tensor& declared, const at::Tensor& fresh) {
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

void HostMemory::release(int buffer) {
    Slot& dead = slot(buffer);
    if (!dead.storage)
        throw StepError("plan_invalid", "buffer " + std::to_string(buffer) + " is freed but not live");
    dead.storage = {};
    dead.buffer.reset();
    live_bytes_ -= dead.charged;
    dead.charged = 0;
}

HostMemory::Slot& HostMemory::present(int buffer) {
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

at::Tensor HostMemory::view(const plan::Tensor& tensor) {
    Slot& found = present(tensor.buffer);
    check_inside(tensor, plan_.buffers[static_cast<size_t>(tensor.buffer)].bytes);
    return tensor_over(found.storage, at::kCPU, to_torch(tensor.dtype), tensor.shape, tensor.stride,
                       tensor.offset);
}

bool HostMemory::holds(int buffer, const at::Tensor& tensor) const {
    if (!live(buffer)) return false;
    const at::Storage& ours = slots_[static_cast<size_t>(buffer)].storage;
    return tensor.storage().data() == ours.data() &&
           (ours.data() || tensor.storage().nbytes() == ours.nbytes());
}

ttir::Buffer& HostMemory::shadowed(int buffer) {
    Slot& found = present(buffer);
    if (!found.buffer) {
        const plan::Buffer& declared = plan_.buffers[static_cast<size_t>(buffer)];
        charge(found, declared.bytes);  // both copies live for a moment, then data and (untouched) shadow
        try {
            found.buffer =
                std::make_unique<ttir::Buffer>(declared.bytes, address(declared), buffer_name(declared));
        } catch (const MachineError& wrong) {
            refuse_memory(2 * declared.bytes, wrong);
        }
        if (declared.bytes > 0)
            std::memcpy(found.buffer->data(), found.storage.data(), static_cast<size_t>(declared.bytes));
        found.buffer->mark_all_written();
        found.storage = bytes_tensor(found.buffer->data(), declared.bytes).storage();
    }
    return *found.buffer;
}

bool HostMemory::tracked(int buffer) const {
    if (!live(buffer)) return false;
    const Slot& found = slots_[static_cast<size_t>(buffer)];
    return !found.known_written && found.buffer && !found.buffer->all_written();
}

/// The shadow bytes of a view: [shape..., element size].
at::Tensor HostMemory::shadow_view(Slot& found, const plan::Tensor& tensor) {
    int64_t size = plan::element_size(tensor.dtype);
    std::vector<int64_t> shape = tensor.shape, stride;
    for (int64_t step : tensor.stride) stride.push_back(step * size);
    shape.push_back(size);
    stride.push_back(1);
    at::Tensor bytes = bytes_tensor(found.buffer->written(), found.buffer->bytes());
    return tensor_over(bytes.storage(), at::kCPU, at::kByte, shape, stride, tensor.offset * size);
}

void HostMemory::mark_written(const plan::Tensor& tensor) {
    if (!tracked(tensor.buffer)) return;
    Slot& found = present(tensor.buffer);
    check_inside(tensor, found.buffer->bytes());
    shadow_view(found, tensor).fill_(1);
}

void HostMemory::mark_given(const plan::Tensor& tensor) {
    if (!tracked(tensor.buffer)) return;
    Slot& found = present(tensor.buffer);
    if (fills(tensor, found.buffer->bytes()))
        found.buffer->mark_all_written();
    else
        mark_written(tensor);
}

void HostMemory::copy_written(const plan::Tensor& from, const plan::Tensor& to) {
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

HostMemory::Unwritten HostMemory::unwritten(const plan::Tensor& tensor) {
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
