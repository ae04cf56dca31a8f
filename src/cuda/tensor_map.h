#pragma once

#include <cuda.h>

#include <array>
#include <cstdint>

#include "base/error.h"
#include "plan/ir/plan.h"

namespace tritonsmith::cuda {

/// The arguments of cuTensorMapEncodeTiled, innermost dimension first.
struct TensorMapRequest {
    CUtensorMapDataType type{};
    uint32_t rank = 0;
    uint64_t address = 0;
    std::array<uint64_t, 5> sizes{};               ///< elements
    std::array<uint64_t, 5> strides{};             ///< bytes; from the second dimension on
    std::array<uint32_t, 5> box{};                 ///< elements
    std::array<uint32_t, 5> steps{1, 1, 1, 1, 1};  ///< of elements inside the box
    CUtensorMapSwizzle swizzle{};
    CUtensorMapFloatOOBfill fill{};
};

/// What a host-made descriptor becomes, as Triton 3.6 does it (backends/nvidia: make_tensordesc_arg and
/// fillTMADescriptor).
/// @param meta the compiled kernel's entry for it in tensordesc_meta: swizzle, elem_size, elem_type,
///   block_size, fp4_padded. It comes from a process that is not believed.
/// @param address of the described tensor's first element.
/// @throws InputError
TensorMapRequest tensor_map_request(const plan::Descriptor& descriptor, const Json& meta, uint64_t address);

/// @throws Error that lists the arguments: the driver refuses misaligned addresses, strides and boxes.
CUtensorMap encode_tensor_map(const TensorMapRequest& request);

}  // namespace tritonsmith::cuda
