#pragma once

#include <string_view>

#include "ttir/interp/simd/exec_kernels.h"

namespace tritonsmith::ttir {

/// Kernel of a libdevice function by its symbol ("__nv_expf"), for operands as TTIR types them; null where
/// unknown. Functions with a rounding in their name (_rd _rn _ru _rz) round exactly so; the others are within
/// a few ulp of CUDA's.
KernelFn find_libdevice(std::string_view symbol);

}  // namespace tritonsmith::ttir
