#pragma once

namespace tritonsmith::numerics {

/// What a floating dtype can represent. Complex types: of their parts.
struct Format {
    double spacing = 0x1p-23;     ///< of the numbers next to one (twice the unit roundoff)
    double subnormal = 0x1p-149;  ///< of the numbers next to zero
    /// Below it nothing is asked for. Float32 arithmetic may flush subnormal numbers to zero, whatever the
    /// result is stored in.
    double least = 0x1p-126;

    /// Half a unit in the last place, relative to the number, is between a quarter and half of the spacing;
    /// this is the root of its mean square over numbers of all sizes.
    double mean_half_unit() const { return 0.735 / 2 * spacing; }
};

}  // namespace tritonsmith::numerics
