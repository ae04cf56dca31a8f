#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "plan/element.h"
#include "run/client.h"

namespace tritonsmith::judge {

/// A tensor's elements in float64, with the dtype that they were stored in. Integers beyond 2^53 are compared
/// by bytes elsewhere.
struct Elements {
    plan::DType dtype = plan::DType::f32;
    std::vector<int64_t> shape;
    std::vector<double> values;
};
Elements elements(const run::Pack& pack, const run::PackEntry& entry);
/// Whether two tensors' bytes hold the same values. Zeros of either sign are the same: adding zero changes
/// nothing.
bool same_values(std::span<const std::byte> one, std::span<const std::byte> other, plan::DType dtype);

/// What bounds an output's error (docs/judge.md, numerics).
struct Bound {
    double relative_to_scale = 0;  ///< max(4 · reference's own error / S, 16 · eps · sqrt(K))
    double reference_error = 0;    ///< reference's own largest error against float64, absolute
    double tolerance = 0;  ///< the task's stated tolerance, relative to max(|expected|, rms of the output)
    /// The larger of the two bounds holds, not the smaller: for inputs on which formulas are ill-conditioned.
    bool by_conditioning = false;
    /// Integers that may differ: adding an offset makes neighbours equal, and which of two equal elements
    /// comes first is nobody's promise.
    int64_t ties = 0;
};

/// Spacing of the numbers next to one; of integers that of float32, in which kernels compute.
double epsilon(plan::DType dtype);

struct Tolerance {
    double f32 = 1e-4;  ///< KernelBench's rtol = atol by precision
    double low = 1e-2;  ///< float16, bfloat16 and narrower
};

/// One output of one input set as the reference gave it: everything that an answer is measured against.
struct Expected {
    std::string name;           ///< "output/0"
    Elements oracle;            ///< float64
    Elements native;            ///< the reference in its own dtypes
    std::vector<double> scale;  ///< S: magnitude that rounding errors are relative to, per element
    double rms = 0;
    Bound bound;
};

/// Error bound of one element: min(max(4·ref, 16·eps·√K)·S, max(tolerance · max(|expected|, rms), 4·ref)); by
/// conditioning, the larger of the two.
/// Source: plan rules 21 and 22 (spec), KernelBench's tolerances.
double allowed(const Expected& expected, size_t index);

Expected make_expected(const std::string& name, const Elements& oracle, const Elements& native,
                       const std::optional<Elements>& absolute, int64_t longest_reduction,
                       const Tolerance& tolerance);

/// Compares an answer with what is expected. Integers and booleans must equal the reference exactly (its own
/// result or the oracle's), all but Bound::ties of them.
struct Mismatch {
    size_t index = 0;  ///< linear
    std::vector<int64_t> position;
    double expected = 0, found = 0, allowed = 0;
    int64_t count = 0;  ///< elements out of bound
    int64_t total = 0;
};
struct Comparison {
    std::optional<Mismatch> mismatch;
    double worst_error = 0;  ///< largest |found - expected|
    double worst_ratio = 0;  ///< largest error / allowed
};
Comparison compare(const Expected& expected, const Elements& found);
/// The answer `found(index)` has no mismatch. Stops at the first.
bool accepts(const Expected& expected, const std::function<double(size_t)>& found);

std::string describe(const Mismatch& mismatch, const std::string& name);
Json to_json(const Mismatch& mismatch);

}  // namespace tritonsmith::judge
