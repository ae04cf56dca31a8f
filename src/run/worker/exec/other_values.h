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
    bool anywhere = false;    ///< flags are flipped at first places as well, and numbers change their signs
    bool empty = false;       ///< with `anywhere`: rows of flags, a length and a segment may be empty
    bool compared = false;    ///< numbers that are flags: they are zero or not
    bool places = false;      ///< integers computed from these are indices: no length is zero
    bool steps_kept = false;  ///< sorted integers keep their differences, in another order
};

/// Other values within the domain of those it has (docs/judge.md, Guarantees); undefined where it is to stay.
/// - One value: booleans and flags are flipped here and there, never the first of a row; lengths are drawn up
///   to the greatest; near, an integer 1 that is alone (a step) becomes 2; zeros become small numbers, other
///   numbers change by up to a half, some are zero.
/// - Two values, masks: flipped alike, or permuted along rows where all rows have as many of each.
/// - Sorted integers (offsets, segments) are drawn between the first and the last, and stay sorted; other
///   integers, indices among them, are permuted along the last dimension.
/// - Anywhere: first flags of every second row as well, of each row not all; numbers but zero get signs by
///   element. Empty: of every four rows one is flipped as a whole (numbers: zero), one length is zero, one
///   segment or class that comes more than once is emptied.
/// - Other numbers move around their own values, zeros become small; what is sorted stays so.
/// - Complex numbers are turned, and keep their magnitudes.
at::Tensor other_values(const at::Tensor& values, const Other& how);

}  // namespace tritonsmith::run
