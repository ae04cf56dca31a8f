#pragma once

#include <cuda.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "cuda/tensor_map.h"
#include "plan/ir/plan.h"
#include "ttir/ir/ir.h"

namespace tritonsmith::cuda {

/// A kernel's parameters as cuLaunchKernelEx takes them: where each lies. How many bytes are read there
/// follows from the kernel, not from the caller, so Kernel::launch compares the sizes. Movable; not
/// thread-safe.
class Parameters {
  public:
    /// Appends one parameter of at most 128 bytes.
    template <typename T>
    void add(const T& value) {
        static_assert(sizeof(T) <= sizeof(Slot::bytes));
        add(&value, sizeof value);
    }
    void add(const void* bytes, size_t size) {
        Slot& slot = slots_.emplace_back();
        std::memcpy(slot.bytes.data(), bytes, size);
        slot.size = size;
    }
    size_t count() const { return slots_.size(); }
    size_t size(size_t i) const { return slots_[i].size; }
    const uint8_t* bytes(size_t i) const { return slots_[i].bytes.data(); }
    /// The addresses of all parameters, with room for the two that a launch appends.
    std::vector<void*> addresses();

  private:
    struct alignas(64) Slot {
        std::array<uint8_t, sizeof(CUtensorMap)> bytes{};
        size_t size = 0;
    };
    std::vector<Slot> slots_;
};

using AddressOf = std::function<uint64_t(int buffer)>;  ///< device address of a plan's buffer
using EncodeTensorMap = std::function<CUtensorMap(const TensorMapRequest&)>;

/// A launch's arguments as the compiled kernel has its parameters: one for each of the public function's, in
/// order, without the two scratch pointers that Kernel::launch appends.
/// @param tensordesc_meta of the compile: one entry for each descriptor parameter, in order.
/// @param address_of is never called with a negative id.
/// @throws InputError naming the argument, Error where the driver refuses a tensor map.
Parameters pack(const plan::LaunchStep& launch, const ttir::Module& module, const Json& tensordesc_meta,
                const AddressOf& address_of, const EncodeTensorMap& encode = encode_tensor_map);

}  // namespace tritonsmith::cuda
