#pragma once

#include "model/cpu/kernels.h"

/// Intel's matrix unit, AMX. Everything besides products is AVX-512's.
namespace tritonsmith::model::isa_amx {

/// Requests the tile registers from the operating system, once for the process. @return whether they were
/// granted
bool usable();
const CpuKernels& kernels();

const TileKernels& bf16_tiles();
const TileKernels& int8_tiles();

}  // namespace tritonsmith::model::isa_amx
