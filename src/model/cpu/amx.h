#pragma once

#include "model/cpu/kernels.h"

/// Intel's matrix unit, AMX. All else is AVX-512's.
namespace tritonsmith::model::isa_amx {

/// Asks the kernel for the tile registers, once for the process. @return whether it grants them
bool usable();
const CpuKernels& kernels();

const TileKernels& bf16_tiles();
const TileKernels& int8_tiles();

}  // namespace tritonsmith::model::isa_amx
