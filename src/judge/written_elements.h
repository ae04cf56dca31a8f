#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "plan/plan.h"
#include "ttir/interp/memory/memory.h"

namespace tritonsmith::judge {

/// Random sample of at most `most` elements of a tensor (linear row-major indices) whose bytes have been
/// written. Looks at resident pages of the shadow only, so it is quick on a huge buffer of which little was
/// touched.
std::vector<int64_t> written_elements(ttir::Buffer& buffer, const plan::Tensor& tensor, int most,
                                      std::mt19937_64& random);

}  // namespace tritonsmith::judge
