#pragma once

#include <cstdint>

#include "plan/ir/plan.h"
#include "run/draw/variant.h"
#include "ttir/interp/memory/memory.h"

namespace tritonsmith::run {

/// An input's elements as the variant changes them one by one: numbers that no draw makes get others of their
/// domain (the small size's other_values.h for what needs no neighbour: flags are flipped here and there,
/// numbers change or become small; other integers stay), or one in eight becomes NaN or infinite; or
/// numbers that the reference looks for stand among them.
/// @param ordinal of the input
ttir::PageSource changed_leaf(ttir::PageSource source, plan::DType dtype, uint64_t seed, uint32_t ordinal,
                              const Variant& variant);

}  // namespace tritonsmith::run
