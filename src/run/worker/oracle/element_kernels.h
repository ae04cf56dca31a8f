#pragma once

#include <ATen/core/Tensor.h>

#include "numerics/element_bound.h"

namespace tritonsmith::run {

/// A piece of what the reference gave, flat, on the device.
struct ReferencePiece {
    at::Tensor oracle, native;  ///< float64
    at::Tensor absolute;        ///< S in float64; may be undefined
    at::Tensor others;          ///< OtherRoundings::largest, in float32; may be undefined
};

/// What expected.h computes of single elements, in one pass over memory each. Totals are added to; greatest
/// ones are the bits of a float64 that is not negative.
class ElementKernels {
  public:
    virtual ~ElementKernels() = default;
    /// @param counts int64 [Alike::kClasses * Alike::kErrors] @param greatest_own int64 [1]: of
    /// |native - oracle|
    virtual void count_alike(const ReferencePiece& piece, const numerics::Bound& bound, bool outliers,
                             at::Tensor& counts, at::Tensor& greatest_own) const = 0;
    /// @param alike float64 [Alike::kClasses] @param limits a piece, written: bfloat16, float32 or float64
    /// @param slack times |oracle|, added @param factor of both @param totals int64 [4]: undecided elements,
    /// finite ones, finite ones without a bound; the greatest error of an undecided one
    virtual void limits(const ReferencePiece& piece, const numerics::Bound& bound, const at::Tensor& alike,
                        double slack, double factor, at::Tensor& limits, at::Tensor& totals) const = 0;
    /// Whether it takes these elements as they are; others become float64 first.
    static bool takes(at::ScalarType type) {
        return type == at::kDouble || type == at::kFloat || type == at::kHalf || type == at::kBFloat16;
    }
    /// @param expected, found, limits flat, of types that it takes @param totals int64 [3]: elements beyond
    /// their limit; the greatest finite error; the greatest error as a share of its limit
    virtual void compare(const at::Tensor& expected, const at::Tensor& found, const at::Tensor& limits,
                         at::Tensor& totals) const = 0;
};

}  // namespace tritonsmith::run
