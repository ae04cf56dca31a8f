#pragma once

#include <algorithm>
#include <cstdint>

#include "numerics/spacing.h"

/// The bound on the error of one element (docs/judge.md, Numerics). The formulas are
/// templates, so that single numbers (judge/compare/compare.h) and tensors (run/worker/oracle/expected.h)
/// share them: `V` is the value's type, `Ops` has what the two do differently. They are constexpr so that
/// nvcc compiles them for devices (kernels/cuda/elements.cu).
namespace tritonsmith::numerics {

/// What bounds an output's error besides its elements.
struct Bound {
    Format stored;          ///< the dtype of the results
    double sums = 0x1p-23;  ///< spacing of the type that sums are made in: float32, or float64
    double root = 1;        ///< square root of the longest sum
    double tolerance = 0;   ///< the stated one, relative to max(|expected|, rms)
    double rms = 0;         ///< of the whole output
    /// Terms are of very different sizes and signs, in an order that is not random (patterns of inputs).
    bool uneven = false;
    /// The larger of the two bounds holds, not the smaller: for inputs on which formulas are ill-conditioned.
    bool wide = false;
};

/// Errors of sums, in spacings of the type that they are made in. Partial sums of n terms are about as large
/// as the larger of n/K of the sum and sqrt(n/K)·S, and each rounds: together sqrt(K)·|x| + S.
constexpr double kSums = 8;
/// Of uneven terms partial sums are up to half of S from early on (one large term, weights that rise): K
/// roundings of that, most of them cut by a tensor core and not rounded, are up to sqrt(K)·S/2 in the same
/// spacings.
constexpr double kUneven = 0.5;
/// Roundings of the result to the type it is stored in: in spacings (a spacing is two roundings).
constexpr double kStored = 1;
/// Times what the reference's own roundings lead to: a correct program may round as often again.
constexpr double kNoise = 2;
/// Where more than half of an output's elements may be wrong by this share of their magnitude, the bound says
/// nothing.
constexpr double kMeaningless = 0.5;

/// Such a limit says nothing of the element. What is less than the least normal number is as near to zero as
/// its type tells.
template <class Ops, class V>
constexpr V meaningless_from(const V& value, const Bound& bound) {
    return Ops::larger(Ops::larger(value, bound.rms) * kMeaningless, bound.stored.least);
}

/// Such an error of an element is a decision and no rounding: it says nothing of elements like it.
template <class V>
constexpr auto wholly_different(const V& error, const V& magnitude) {
    return error > magnitude * kMeaningless;
}

struct Numbers {
    static constexpr double larger(double a, double b) { return std::max(a, b); }
    static constexpr double smaller(double a, double b) { return std::min(a, b); }
};

/// One rounding to the stored type: half a unit in the last place, at most.
template <class V>
constexpr V one_rounding(const V& value, const Bound& bound) {
    return value * (bound.stored.spacing / 2) + bound.stored.subnormal / 2;
}

/// What of an error may be due to the last move of a result in a run with other roundings: half a unit in the
/// last place. What underflows moves by no more than itself there, so that half of a small error at least is
/// older.
template <class Ops, class V>
constexpr V last_move(const V& value, const V& error, const Bound& bound) {
    return value * (bound.stored.spacing / 2) + Ops::smaller(error / 2, bound.stored.subnormal / 2);
}

/// What kernels that sum in float32 and round results to the stored type may be wrong by. @param value
/// |expected| @param scale S
template <class V>
constexpr V rounding(const V& value, const V& scale, const Bound& bound) {
    const double sums = kSums * bound.sums, stored = kStored * bound.stored.spacing;
    const double partial = bound.uneven ? std::max(1.0, bound.root * kUneven) : 1;
    return value * (sums * bound.root + stored) + scale * (sums * partial) + bound.stored.subnormal;
}

/// @param alike what the reference's own roundings change in elements of like size (alike.h)
template <class Ops, class V>
constexpr V regular_limit(const V& value, const V& scale, const V& alike, const Bound& bound) {
    const V noise = alike * kNoise;
    const V by_rounding = rounding(value, scale, bound) + noise;
    const V stated = Ops::larger(value, bound.rms) * bound.tolerance;
    const V by_tolerance = Ops::larger(stated, one_rounding(value, bound) + noise);
    const V limit =
        bound.wide ? Ops::larger(by_rounding, by_tolerance) : Ops::smaller(by_rounding, by_tolerance);
    return Ops::larger(limit, bound.stored.least);
}

/// @param own what the reference's own roundings change in this element: where it is beyond the regular limit
/// the element is undecided (a near-tie of rounding, of a comparison, of a choice)
template <class Ops, class V>
constexpr V element_limit(const V& value, const V& regular, const V& own, const Bound& bound) {
    return Ops::larger(regular, one_rounding(value, bound) + own * kNoise);
}

/// Of plans that decide (by comparing, choosing, rounding to integers) the reference's other roundings do not
/// find every element that small errors change: so many may lie beyond their limit, and by no more than
/// `forgiven_error`.
inline int64_t forgiven(int64_t undecided) {
    return undecided == 0 ? 0 : std::max<int64_t>(2, undecided);
}
/// @param largest what the reference's own roundings change in one of the undecided elements, at most
inline double forgiven_error(double largest) {
    return kNoise * largest;
}

/// By how much, relative to it, a value before it is rounded to an integer (or to a narrower type) may differ
/// between correct programs: on either side of it is a near-tie. @param stored of the value before
inline double nudge(const Format& stored, double sums, double root) {
    return (8 + 2 * root) * sums + (stored.spacing > 0x1p-20 ? stored.spacing : 0);
}

}  // namespace tritonsmith::numerics
