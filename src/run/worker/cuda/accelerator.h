#pragma once

#include <memory>

#include "run/worker/exec/accelerator.h"

namespace tritonsmith::run {

/// An NVIDIA GPU: torch's CUDA operators and the driver's launches on one stream. @param ordinal of the
/// device.
/// @throws MachineError where there is no such device
std::unique_ptr<Accelerator> cuda_accelerator(int ordinal);

/// Throws what it means for the plan. @throws DeviceFault
[[noreturn]] void throw_fault(int code, const std::string& message);

}  // namespace tritonsmith::run
