#pragma once

#include <cstdint>

/// Arguments of the kernels that the judge compares with: single elements of an output, in float64. The
/// formulas are those of numerics/element_bound.h and numerics/alike.h. Totals are added to what is there, so
/// that several pieces of an output can share them; greatest ones are the bits of a float64 that is not
/// negative.
namespace tritonsmith::kernels {

/// numerics::Bound.
struct ElementBound {
    double spacing = 0, subnormal = 0, least = 0;  ///< numerics::Format
    double sums = 0, root = 1, tolerance = 0, rms = 0;
    int32_t uneven = 0, wide = 0;
};

/// What a reference gave for `count` elements.
struct ReferenceElements {
    const double* oracle = nullptr;
    const double* native = nullptr;
    const double* absolute = nullptr;  ///< S; null: |oracle|
    const float* others = nullptr;     ///< what its other roundings change, at most; null: nothing
    int64_t count = 0;
    ElementBound bound;
};

/// Counts errors by numerics::Alike's classes.
struct CountAlike {
    ReferenceElements elements;
    int32_t outliers = 0;              ///< numerics::wholly_different() ones are left out
    uint64_t* counts = nullptr;        ///< [Alike::kClasses * Alike::kErrors]
    uint64_t* greatest_own = nullptr;  ///< [1]: of |native - oracle|, where it is finite
};

/// The error that each element may have.
struct ElementLimits {
    ReferenceElements elements;
    const double* alike = nullptr;  ///< [Alike::kClasses]: Alike::finish()
    void* limits = nullptr;         ///< [count], of limit_bytes each
    int32_t limit_bytes = 8;        ///< 8: float64, 4: float32, 2: bfloat16
    double slack = 0;               ///< times |oracle|: added
    double factor = 1;              ///< times the limit and its slack
    uint64_t* totals = nullptr;     ///< [3]: undecided elements, finite ones, finite ones without a bound
    uint64_t* greatest_undecided = nullptr;  ///< [1]: of their own errors
};

/// Elements as they lie in memory.
struct TypedElements {
    enum Type : int32_t { f64 = 0, f32 = 1, f16 = 2, bf16 = 3 };
    const void* values = nullptr;
    int32_t type = f64;
};

/// Whether elements are within their limits.
struct CompareElements {
    TypedElements expected, found, limits;
    int64_t count = 0;
    uint64_t* beyond = nullptr;  ///< [1]: how many are not
    /// [2]: of the errors that are finite, and of errors as shares of their limits
    uint64_t* greatest = nullptr;
};

}  // namespace tritonsmith::kernels
