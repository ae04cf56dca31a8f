#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace tritonsmith::run {

/// What values that no draw makes may become.
struct Other {
    uint64_t seed = 0;
    uint32_t ordinal = 0;     ///< of the tensor; takes two of kConstantInputStream's
    bool near = false;        ///< numbers keep their own value or are zero; patterns are only rearranged
    bool patterns = true;     ///< flags (integers that are 0, 1 or less) and patterns change as well
    bool index = false;       ///< nothing but an index: no place comes twice that did not before
    bool steps_kept = false;  ///< sorted integers keep their differences, in another order
};

/// Other values within the domain of those it has (docs/judge.md, Guarantees); undefined where it is to stay.
/// - One value: booleans and flags are flipped here and there, never the first of a row; lengths are drawn up
///   to the greatest; near, an integer 1 that is alone (a step) becomes 2; zeros become small numbers, other
///   numbers change by up to a half, some are zero.
/// - Two values, masks: flipped alike, or permuted along rows where all rows have as many of each.
/// - Sorted integers (offsets, segments) are drawn between the first and the last, and stay sorted; other
///   integers, indices among them, are permuted along the last dimension.
/// - Other numbers move around their own values, zeros become small; what is sorted stays so.
/// - Complex numbers are turned, and keep their magnitudes.
at::Tensor other_values(const at::Tensor& values, const Other& how);

}  // namespace tritonsmith::run
