#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace tritonsmith::run::sample {

/// Which programs of a grid are interpreted at full size, `most` at most, as linear indices
/// x + gx*(y + gy*z) in random order; all of a small grid.
///
/// Up to half of them lie where kernels go wrong: the corners of the grid, then the neighbours of its first
/// and last program, then programs that would hold a partial tile if the grid, or one axis of it, were a
/// flattened grid of tiles. The others are random.
/// @param extents sizes of dimensions: those of the tensors that the launch is given, and its integers.
std::vector<int64_t> choose_programs(const std::array<int64_t, 3>& grid, const std::vector<int64_t>& extents,
                                     int most, std::mt19937_64& random);

}  // namespace tritonsmith::run::sample
