#pragma once

#include <cstdint>

namespace tritonsmith::plan {

/// Sums and products of sizes from hostile plans stop at the largest integer instead of overflowing.
/// Arguments are not negative.
inline int64_t saturating_add(int64_t a, int64_t b) {
    int64_t out;
    return __builtin_add_overflow(a, b, &out) ? INT64_MAX : out;
}
inline int64_t saturating_multiply(int64_t a, int64_t b) {
    int64_t out;
    return __builtin_mul_overflow(a, b, &out) ? INT64_MAX : out;
}

}  // namespace tritonsmith::plan
