#pragma once

#include "model/cpu_kernels.h"

namespace tritonsmith::model::isa_amx {

/// Asks the kernel for the tile registers, once for the process. @return whether it grants them
bool usable();
const CpuKernels& kernels();

}  // namespace tritonsmith::model::isa_amx
