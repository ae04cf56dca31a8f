#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/ir/plan.h"

/// Where elements of a tensor lie. Linear indices are row-major, offsets count elements of the buffer.
namespace tritonsmith::plan {

/// The index (one number for each dimension) of the element that lies at a storage offset; nothing where the
/// offset is not in the tensor. Strides must not overlap.
std::optional<std::vector<int64_t>> position_in(const Tensor& tensor, int64_t storage_offset);
/// The linear index of that element.
std::optional<int64_t> linear_index(const Tensor& tensor, int64_t storage_offset);

/// The index of element `linear`.
std::vector<int64_t> position_of(const Tensor& tensor, int64_t linear);
/// The offset of element `linear`.
int64_t storage_offset(const Tensor& tensor, int64_t linear);

/// Elements lie one after the other in the order of their indices.
bool row_major(const Tensor& tensor);

}  // namespace tritonsmith::plan
