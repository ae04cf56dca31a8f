#include "run/worker/memory/device_memory.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/stack.h>
#include <c10/core/Storage.h>

#include <algorithm>
#include <cstring>

#include "plan/ir/json.h"
#include "run/worker/memory/device_poison.h"
#include "run/worker/memory/poison.h"
#include "run/worker/step_error.h"
#include "run/worker/torch_types.h"

namespace tritonsmith::run {

DeviceMemory::DeviceMemory(const plan::Plan& plan, const Options& options)
    : plan_(plan), options_(options), slots_(plan.buffers.size()) {
    if (options_.guard == 0) return;
    at::Tensor host = at::empty({options_.guard}, at::kByte);
    poison(static_cast<std::byte*>(host.data_ptr()), options_.guard, plan::DType::u8, options_.poison + 1);
    guard_pattern_ = host.to(options_.device);
}
DeviceMemory::~DeviceMemory() = default;

DeviceMemory::Slot& DeviceMemory::slot(int buffer) {
    if (buffer < 0 || static_cast<size_t>(buffer) >= slots_.size())
        throw StepError("plan_invalid", "buffer " + std::to_string(buffer) + " does not exist");
    return slots_[static_cast<size_t>(buffer)];
}

bool DeviceMemory::live(int buffer) const {
    return buffer >= 0 && static_cast<size_t>(buffer) < slots_.size() &&
           slots_[static_cast<size_t>(buffer)].storage;
}

at::Tensor DeviceMemory::bytes_of(const at::Storage& storage, int64_t first, int64_t count) const {
    return tensor_over(storage, options_.device, at::kByte, {count}, {1}, first);
}

uint64_t DeviceMemory::pattern_seed(int buffer) const {
    return options_.poison ^ (static_cast<uint64_t>(buffer) << 32);
}

DeviceMemory::Slot& DeviceMemory::make(int buffer) {
    Slot& made = slot(buffer);
    if (made.storage) throw StepError("plan_invalid", "buffer " + std::to_string(buffer) + " is made twice");
    const int64_t bytes = plan_.buffers[static_cast<size_t>(buffer)].bytes, guard = options_.guard;
    if (bytes < 0 || bytes > (int64_t{1} << 48))
        throw StepError("plan_invalid", "a buffer of impossible size");
    at::Tensor whole = at::empty({bytes + 2 * guard}, at::TensorOptions(at::kByte).device(options_.device));
    made = {whole.storage(), guard, false, recording_, plan::DType::f32};
    if (guard > 0) {
        whole.narrow(0, 0, guard).copy_(guard_pattern_);
        whole.narrow(0, guard + bytes, guard).copy_(guard_pattern_);
    }
    return made;
}

void DeviceMemory::allocate(int buffer, plan::DType dtype) {
    Slot& made = make(buffer);
    if (recording_) return note(made.storage, dtype);
    const int64_t bytes = plan_.buffers[static_cast<size_t>(buffer)].bytes;
    device_poison(bytes_of(made.storage, made.guard, bytes), dtype, pattern_seed(buffer));
    made.poisoned = true;
    made.dtype = dtype;
}

void DeviceMemory::allocate_for(const plan::Tensor& tensor) {
    slot(tensor.buffer);  // throws where there is no such buffer
    if (!fills(tensor, plan_.buffers[static_cast<size_t>(tensor.buffer)].bytes))
        return allocate(tensor.buffer, tensor.dtype);
    Slot& made = make(tensor.buffer);
    if (recording_) note(made.storage, tensor.dtype);
}

bool DeviceMemory::adopt(const plan::Tensor& declared, const at::Tensor& fresh) {
    Slot& made = slot(declared.buffer);
    const int64_t bytes = plan_.buffers[static_cast<size_t>(declared.buffer)].bytes;
    const at::Storage& storage = fresh.storage();
    if (options_.guard > 0 || made.storage || storage.use_count() != 1 ||
        fresh.device().type() != options_.device.type() || static_cast<int64_t>(storage.nbytes()) < bytes ||
        fresh.storage_offset() != declared.offset || fresh.strides() != at::IntArrayRef(declared.stride) ||
        fresh.scalar_type() != to_torch(declared.dtype) || fresh.is_conj() || fresh.is_neg())
        return false;
    made = {storage, 0, false, recording_, declared.dtype};
    if (recording_) note(storage, declared.dtype);
    return true;
}

void DeviceMemory::release(int buffer) {
    Slot& dead = slot(buffer);
    if (!dead.storage)
        throw StepError("plan_invalid", "buffer " + std::to_string(buffer) + " is freed but not live");
    if (recording_ && !dead.recorded) return;
    look_at_guards(buffer);
    dead = {};
}

void DeviceMemory::begin_call() {
    held_inputs_.clear();
    if (++calls_ % 2 == 1) return;
    for (const plan::Buffer& buffer : plan_.buffers)
        if (buffer.kind == plan::BufferKind::input && live(buffer.id))
            held_inputs_.push_back(slots_[static_cast<size_t>(buffer.id)].storage);
}

void DeviceMemory::look_at_guards(int buffer) {
    const Slot& seen = slots_[static_cast<size_t>(buffer)];
    if (!seen.storage || seen.guard == 0) return;
    const int64_t behind = seen.guard + plan_.buffers[static_cast<size_t>(buffer)].bytes;
    for (const int64_t first : {int64_t{0}, behind})
        zones_.push_back(
            {buffer, first != 0, bytes_of(seen.storage, first, seen.guard).ne(guard_pattern_).any()});
}

DeviceMemory::Slot& DeviceMemory::present(int buffer) {
    Slot& found = slot(buffer);
    if (found.storage) return found;
    const plan::Buffer& declared = plan_.buffers[static_cast<size_t>(buffer)];
    if (declared.kind != plan::BufferKind::constant ||
        static_cast<int64_t>(declared.data.size()) != declared.bytes || recording_)
        throw StepError("plan_invalid", "buffer " + std::to_string(buffer) + " is used while it is not live");
    make(buffer);
    if (declared.bytes > 0)
        bytes_of(found.storage, found.guard, declared.bytes)
            .copy_(at::from_blob(const_cast<uint8_t*>(declared.data.data()), {declared.bytes}, at::kByte));
    return found;
}

void DeviceMemory::make_constants() {
    for (const plan::Buffer& buffer : plan_.buffers)
        if (buffer.kind == plan::BufferKind::constant) present(buffer.id);
}

at::Tensor DeviceMemory::view(const plan::Tensor& tensor) {
    Slot& found = present(tensor.buffer);
    check_inside(tensor, plan_.buffers[static_cast<size_t>(tensor.buffer)].bytes);
    return tensor_over(found.storage, options_.device, to_torch(tensor.dtype), tensor.shape, tensor.stride,
                       found.guard / plan::element_size(tensor.dtype) + tensor.offset);
}

int64_t DeviceMemory::storage_start(int buffer) const {
    return live(buffer) ? slots_[static_cast<size_t>(buffer)].guard : 0;
}

bool DeviceMemory::holds(int buffer, const at::Tensor& tensor) const {
    if (!live(buffer)) return false;
    const at::Storage& ours = slots_[static_cast<size_t>(buffer)].storage;
    return tensor.storage().data() == ours.data() &&
           (ours.data() || tensor.storage().nbytes() == ours.nbytes());
}

uint64_t DeviceMemory::address(int buffer) {
    Slot& found = present(buffer);
    return reinterpret_cast<uint64_t>(found.storage.data()) + static_cast<uint64_t>(found.guard);
}

Memory::Unwritten DeviceMemory::unwritten(const plan::Tensor& tensor) {
    if (!live(tensor.buffer)) return {};
    const Slot& found = slots_[static_cast<size_t>(tensor.buffer)];
    const int64_t bytes = plan_.buffers[static_cast<size_t>(tensor.buffer)].bytes;
    const at::Tensor values = view(tensor);
    if (!found.poisoned || !values.is_non_overlapping_and_dense() || values.numel() == 0) return {};
    // A byte or two may be what the pattern happens to hold.
    const int64_t width = plan::element_size(tensor.dtype);
    if (width < 4 || found.dtype != tensor.dtype) return {};
    at::Tensor fresh = at::empty({bytes}, at::TensorOptions(at::kByte).device(options_.device));
    device_poison(fresh, found.dtype, pattern_seed(tensor.buffer));
    const auto words = width == 8 ? at::kLong : at::kInt;
    if (width > 8) return {};
    const at::Tensor same =
        tensor_over(fresh.storage(), options_.device, words, tensor.shape, tensor.stride, tensor.offset)
            .eq(tensor_over(found.storage, options_.device, words, tensor.shape, tensor.stride,
                            found.guard / width + tensor.offset));
    Unwritten result;
    result.count = same.sum().item<int64_t>();
    // Of millions of results one or two may be what the pattern happens to hold there.
    if (result.count <= 4 + values.numel() / (int64_t{1} << 20)) result.count = 0;
    if (result.count > 0) result.first = same.reshape({-1}).to(at::kByte).argmax().item<int64_t>();
    return result;
}

std::optional<Finding> DeviceMemory::damaged_guard() {
    if (options_.guard == 0) return std::nullopt;
    const size_t of_the_dead = zones_.size();
    for (const plan::Buffer& buffer : plan_.buffers) look_at_guards(buffer.id);
    if (zones_.empty()) return std::nullopt;
    std::vector<at::Tensor> damaged;
    for (const Zone& zone : zones_) damaged.push_back(zone.damaged);
    const at::Tensor all = at::stack(damaged).cpu();
    const std::vector<Zone> zones = zones_;
    zones_.resize(of_the_dead);
    for (size_t i = 0; i < zones.size(); ++i) {
        if (!all.data_ptr<bool>()[i]) continue;
        const plan::Buffer& buffer = plan_.buffers[static_cast<size_t>(zones[i].buffer)];
        const bool behind = zones[i].behind;
        return Finding{
            "out_of_bounds",
            "the kernels wrote " + std::string(behind ? "behind the end" : "before the start") + " of " +
                buffer_name(buffer),
            buffer.line,
            Json{{"buffer", buffer.id}, {"bytes", buffer.bytes}, {"where", behind ? "behind" : "before"}}};
    }
    return std::nullopt;
}

void DeviceMemory::begin_recording() {
    recording_ = true;
    ranges_.clear();
}

void DeviceMemory::not_recorded() {
    live_only_ = true;
    ranges_.clear();
}

void DeviceMemory::note(const at::Storage& storage, plan::DType dtype) {
    if (live_only_) return;
    ranges_.push_back(
        {static_cast<std::byte*>(storage.mutable_data()), static_cast<int64_t>(storage.nbytes()), dtype});
}

void DeviceMemory::poison_recorded(uint64_t seed) {
    if (live_only_) {
        for (const Slot& slot : slots_)
            if (slot.storage && slot.recorded)
                device_poison(bytes_of(slot.storage, 0, static_cast<int64_t>(slot.storage.nbytes())),
                              slot.dtype, ++seed);
        return;
    }
    // Memory that was freed and taken again lies in several ranges: each byte is filled once. Ranges that
    // only touch stay apart: they may be of two allocations, and CUDA copies across no end of one.
    std::sort(ranges_.begin(), ranges_.end(),
              [](const Range& a, const Range& b) { return a.begin < b.begin; });
    std::vector<Range> merged;
    for (const Range& range : ranges_) {
        if (range.bytes == 0) continue;
        if (!merged.empty() && range.begin < merged.back().begin + merged.back().bytes) {
            Range& last = merged.back();
            last.bytes = std::max(last.bytes, range.begin + range.bytes - last.begin);
        } else {
            merged.push_back(range);
        }
    }
    ranges_ = std::move(merged);
    for (size_t i = 0; i < ranges_.size(); ++i)
        device_poison(at::from_blob(
                          ranges_[i].begin, {ranges_[i].bytes}, [](void*) {},
                          at::TensorOptions(at::kByte).device(options_.device), options_.device),
                      ranges_[i].dtype, seed + i * 0x9E3779B97F4A7C15);
}

}  // namespace tritonsmith::run
