#pragma once

#include <cstddef>
#include <cstdint>

#include "plan/ir/plan.h"

namespace tritonsmith::run {

/// The pattern repeats after this many elements (on a device: words of eight bytes). Odd, so that no
/// power-of-two stride meets the same value again and again.
constexpr int64_t kPoisonPeriod = 16381;

/// Fills fresh memory with values that make a result wrong if they are used: for floating types NaN (lost by
/// nothing but min, max, comparisons and selects) and, because those lose it, finite numbers of every
/// magnitude and both signs, at random; random bits for the rest. Another seed gives another pattern.
void poison(std::byte* data, int64_t bytes, plan::DType dtype, uint64_t seed);

/// Another seed each time. @throws MachineError
uint64_t fresh_poison();

}  // namespace tritonsmith::run
