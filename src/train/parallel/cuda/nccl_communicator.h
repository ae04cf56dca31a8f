#pragma once

#include "train/parallel/communicator.h"

namespace tritonsmith::train {

/// On GPUs, by NCCL, on PyTorch's current streams. Sums of bfloat16 are rounded at each step.
/// @throws MachineError where NCCL fails
std::unique_ptr<Communicator> nccl_communicator(const Ranks& ranks, Rendezvous& rendezvous, at::Device device,
                                                std::chrono::seconds deadline);

}  // namespace tritonsmith::train
