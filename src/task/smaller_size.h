#pragma once

#include <cstdint>

namespace tritonsmith::task {

/// The widest of the tiles in common use: what is a multiple of it stays one while it can.
inline constexpr int64_t kWidestTile = 256;

/// The next size below that divides like this one, for a program whose tiles divide it: powers of two beyond
/// the widest tile go first, then odd factors, then the rest of the powers of two (3072, 1536, 768, 256, 128
/// …; 1000, 200, 40). Where a large prime number is left, a number near half of it takes its place that is
/// odd, too. @param size above 1 @param widest a power of two
int64_t smaller_size(int64_t size, int64_t widest = kWidestTile);

}  // namespace tritonsmith::task
