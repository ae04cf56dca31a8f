#pragma once

#include <cstdint>

#include "judge/compare/compare.h"

namespace tritonsmith::judge {

/// How an answer is wrong whose means may count one term too many or too few.
enum class CountError : uint8_t {
    none,      ///< it is within its bound
    other,     ///< some element is further off than the number of terms explains
    of_order,  ///< every error is of the order of one term in so many
    factor     ///< and all elements are wrong by one factor
};

/// @param terms of the mean: n. One of them more or less changes it by 1/n of its magnitude.
CountError count_error(const Expected& expected, const Elements& found, int64_t terms);

}  // namespace tritonsmith::judge
