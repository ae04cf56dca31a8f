#pragma once

#include <string>
#include <vector>

#include "run/client/client.h"
#include "run/worker/exec/accelerator.h"
#include "run/worker/memory/tensor_packs.h"
#include "run/worker/memory/values.h"

namespace tritonsmith::run {

/// Named tensors, contiguous, in memory that processes share: a pack (client.h) that may lie on a device.
struct DevicePack {
    std::vector<PackEntry> entries;
    SharedBytes memory;

    Json index() const;
    int64_t size() const { return memory.bytes.numel(); }
    at::Tensor tensor(const PackEntry& entry) const;
    const PackEntry* find(const std::string& name) const;
    /// Must not outlive the pack.
    ValueOf values() const;
};

/// Room for the tensors' values. @throws InputError, MachineError, DeviceFault
DevicePack allocate_pack(Accelerator& accelerator, const NamedTensors& tensors);
/// Copies them there, in the order of the pack. @throws StepError
void fill_pack(const DevicePack& pack, const NamedTensors& tensors, Memory& memory);
/// Both.
DevicePack pack_tensors(Accelerator& accelerator, const NamedTensors& tensors, Memory& memory);

/// A pack in memory of this process alone, without the descriptor.
DevicePack private_copy(const DevicePack& pack);

/// Another process's. @throws InputError where the index does not fit the memory
DevicePack map_pack(Accelerator& accelerator, Fd fd, const Json& index, int64_t bytes);

}  // namespace tritonsmith::run
