#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "judge/compare/open_order.h"
#include "numerics/bound.h"
#include "numerics/precision.h"
#include "plan/ir/element.h"
#include "run/client/client.h"

namespace tritonsmith::judge {

/// Holds every integer of 64 bits, signed or not, and every float64.
using Exact = long double;
static_assert(std::numeric_limits<Exact>::digits >= 64);

/// A tensor's elements in float64, with the dtype that they were stored in.
struct Elements {
    plan::DType dtype = plan::DType::f32;
    std::vector<int64_t> shape;
    std::vector<double> values;
    std::vector<Exact> wide = {};  ///< the same, where some are integers that float64 does not hold; or empty

    /// NaN: there is none.
    Exact at(size_t i) const;
};
Elements elements(const run::Pack& pack, const run::PackEntry& entry);
/// Whether two tensors' bytes hold the same values. Zeros of either sign are the same: adding zero changes
/// nothing.
bool same_values(std::span<const std::byte> one, std::span<const std::byte> other, plan::DType dtype);

/// One output of the reference on one input set, executed in several ways.
struct ReferenceOutput {
    std::string name;                  ///< "output/0"
    Elements oracle;                   ///< float64
    Elements native;                   ///< in its own dtypes
    std::optional<Elements> absolute;  ///< S: on magnitudes
    std::vector<Elements> perturbed;   ///< the oracle with other roundings (run/worker/oracle/perturbation.h)
};
struct BoundOptions {
    int64_t longest_reduction = 1;
    numerics::Tolerance tolerance;
    numerics::Precision precision = numerics::Precision::defaults;
    bool wide = false, uneven = false;  ///< numerics::Bound
    bool chooses = false;               ///< plan::chooses: integers may name one of several equal elements
    bool decides = false;  ///< plan::decides, or the oracle rounds: some elements may be wholly different
};

/// What places in an output were chosen from, by their values (plan::ArgScores).
struct ComparedValues {
    ReferenceOutput values;
    int64_t dimension = -1;  ///< -1: places count through all of it
    bool open = false;       ///< of elements in order: of equal ones any may come first
};

/// What an answer is measured against.
struct Expected {
    std::string name;  ///< "output/0"
    Elements oracle, native;
    double rms = 0, reference_error = 0;
    double tolerance = 0;          ///< the stated one
    bool wide = false;             ///< BoundOptions::wide
    std::vector<double> limits;    ///< of floating elements
    std::vector<Exact> low, high;  ///< of integers: what correct programs may give; empty where it is the
                                   ///< oracle's or the reference's own
    /// Of outputs that name places, for each element those whose values are as near to the best as their
    /// bounds; empty: they are not known, or none was undecided.
    std::vector<std::vector<int64_t>> places;
    std::optional<OpenOrder> order = std::nullopt;  ///< of outputs that name places of elements in order
    int64_t undecided = 0;      ///< elements that other roundings of the reference change beyond the bound
    int64_t forgiven = 0;       ///< so many may be out of it
    double forgiven_error = 0;  ///< by so much
    bool meaningless = false;   ///< the bound is as large as what it bounds
    bool left_out = false;      ///< for that reason: nothing is asked of this output but numbers
    bool fragile = false;       ///< other roundings of the reference are not finite, somewhere

    bool floating() const { return numerics::inexact(native.dtype); }
};

Expected make_expected(const ReferenceOutput& output, const BoundOptions& options,
                       const ComparedValues* compared = nullptr);

/// Of one floating element.
double allowed(const Expected& expected, size_t index);

/// Compares an answer with what is expected.
struct Mismatch {
    size_t index = 0;  ///< linear
    std::vector<int64_t> position;
    Exact expected = 0, found = 0;
    bool integers = false;
    double allowed = 0;
    int64_t count = 0;  ///< elements out of bound
    int64_t total = 0;
};
struct Comparison {
    std::optional<Mismatch> mismatch;
    double worst_error = 0;  ///< largest |found - expected|
    double worst_ratio = 0;  ///< largest error / allowed
};
Comparison compare(const Expected& expected, const Elements& found);
/// The answer `found(index)` has no mismatch.
bool accepts(const Expected& expected, const std::function<Exact(size_t)>& found);
/// Two answers, right or wrong, that lie further apart than the bound or the stated tolerance (relative to
/// what they are) allows.
bool differ(const Expected& expected, const Elements& one, const Elements& other);

std::string describe(const Mismatch& mismatch, const std::string& name);
Json to_json(const Mismatch& mismatch);

}  // namespace tritonsmith::judge
