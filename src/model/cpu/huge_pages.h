#pragma once

#include <ATen/core/Tensor.h>

namespace tritonsmith::model {

/// Uninitialised memory for what is read whole again and again (weights), dense, on the CPU: in pages of 2
/// MiB where the system gives them (madvise), so that reading it asks for few translations of addresses and
/// leaves those of everything else where they are. Small tensors share pages; these are given back with the
/// last of them.
/// @throws MachineError (no memory)
at::Tensor empty_in_huge_pages(at::IntArrayRef sizes, at::ScalarType dtype);

}  // namespace tritonsmith::model
