#pragma once

#include <random>
#include <vector>

#include "plan/ir/plan.h"
#include "run/worker/sample/events.h"

namespace tritonsmith::run::sample {

/// Elements of a tensor that no launch may write, looked for where a grid that leaves something out would
/// leave it: in pieces of the buffer as large as what some sixty programs write, at its ends and in between,
/// and behind and before what the last and the first program of each launch write. A few at most. Host steps
/// are not looked at (Closure::written).
std::vector<int64_t> gaps(const Events& events, const plan::Tensor& tensor, std::mt19937_64& random);
/// All that is found so, as bytes of the buffer.
ttir::ByteRanges gap_bytes(const Events& events, const plan::Tensor& tensor, std::mt19937_64& random);

}  // namespace tritonsmith::run::sample
