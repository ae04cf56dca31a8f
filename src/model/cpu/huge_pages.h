#pragma once

#include <ATen/core/Tensor.h>

namespace tritonsmith::model {

/// Uninitialised dense memory on the CPU for data that is read repeatedly (weights), in pages of 2 MiB if the
/// system provides them (madvise): reading it needs few address translations and evicts few others. Small
/// tensors share pages, which are freed with the last of them.
/// @throws MachineError (no memory)
at::Tensor empty_in_huge_pages(at::IntArrayRef sizes, at::ScalarType dtype);

}  // namespace tritonsmith::model
