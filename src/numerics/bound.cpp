#include "numerics/bound.h"

#include <cmath>

namespace tritonsmith::numerics {

Bound bound_of(plan::DType dtype, int64_t longest_reduction, double rms, const Tolerance& tolerance,
               Precision precision, bool wide) {
    Bound bound;
    bound.stored = format(dtype);
    bound.sums = std::min(bound.sums, bound.stored.spacing);
    bound.root = std::sqrt(static_cast<double>(std::max<int64_t>(longest_reduction, 1)));
    bound.tolerance = tolerance.of(dtype);
    bound.rms = rms;
    bound.wide = wide;
    if (precision == Precision::tf32 && dtype == plan::DType::f32) {
        bound.stored.spacing = kTf32Spacing;
        bound.tolerance = std::max(bound.tolerance, kTf32Tolerance);
    }
    return bound;
}

}  // namespace tritonsmith::numerics
