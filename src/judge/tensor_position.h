#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/plan.h"

namespace tritonsmith::judge {

/// The index (one number for each dimension) of the element that lies at a storage offset, both counted in
/// elements; nothing where the offset is not in the tensor. Strides must not overlap.
std::optional<std::vector<int64_t>> position_in(const plan::Tensor& tensor, int64_t storage_offset);

}  // namespace tritonsmith::judge
