#pragma once

#include <cstdint>
#include <vector>

#include "plan/ir/plan.h"

namespace tritonsmith::judge {

/// One number of a program at two sizes.
struct AtTwoSizes {
    int64_t one = 0, other = 0;
};

/// What a program may count by: dimensions of the inputs, outputs and weights of two plans of it, their
/// strides and products. Memory of its own says nothing: the program chooses its size.
std::vector<AtTwoSizes> sizes_of(const plan::Plan& one, const plan::Plan& other);

/// Dimensions of what the reference computes on the way, and its elements but for those along one axis: the
/// rows of a convolution as a product are its images times its pixels.
/// @param one, other plans of the reference
std::vector<AtTwoSizes> sizes_on_the_way(const plan::Plan& one, const plan::Plan& other);

/// Whether one function of one of the sizes gives the number at both: a constant, a multiple, a difference, a
/// number of tiles (up to a most or from a least), a power of two above, rows that fit into one tile.
/// @param on_the_way sizes of which it may be a multiple, a difference or a number of tiles
bool is_function_of(const AtTwoSizes& number, const std::vector<AtTwoSizes>& sizes,
                    const std::vector<AtTwoSizes>& on_the_way = {});

/// The same of floating numbers: a multiple of one of the sizes, of its root, or of the reciprocal of either,
/// as attention's 1 / sqrt(width) is.
bool is_function_of(double one, double other, const std::vector<AtTwoSizes>& sizes);

}  // namespace tritonsmith::judge
