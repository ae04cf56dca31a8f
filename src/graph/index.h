#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/few.h"

/// Integer expressions over the axes of an index space, in a normal form: what an emitter turns into address
/// arithmetic. Axis d runs over 0 ≤ i_d < extents[d].
namespace tritonsmith::graph {

using Extents = std::vector<int64_t>;

/// constant + Σ coefficient · factor, where a factor is an axis, or another expression floor-divided by (or
/// modulo) a positive number. Terms are sorted, unlike ones, none with coefficient 0: equal expressions
/// mostly compare equal.
class Index {
  public:
    enum class Factor : uint8_t { axis, quotient, remainder };
    struct Term {
        int64_t coefficient = 1;
        Factor factor = Factor::axis;
        int axis = -1;                                    ///< of Factor::axis
        std::shared_ptr<const Index> argument = nullptr;  ///< of the others
        int64_t divisor = 1;
    };
    using Terms = Few<Term, 2>;

    Index() = default;
    Index(int64_t constant) : constant_(constant) {}  // NOLINT: numbers are expressions
    static Index axis(int number);

    int64_t constant() const { return constant_; }
    const Terms& terms() const { return terms_; }
    bool is_constant() const { return terms_.empty(); }
    /// The one axis that this is, as it is; -1 where it is anything else.
    int plain_axis() const;
    /// No quotient and no remainder in it.
    bool affine() const;
    /// Coefficient of an axis in an affine expression.
    int64_t coefficient(int axis) const;
    bool mentions(int axis) const;

    /// += factor · other
    void add(const Index& other, int64_t factor);
    Index operator+(const Index& other) const;
    Index operator-(const Index& other) const;
    Index operator*(int64_t factor) const;
    bool operator==(const Index& other) const;

    struct Range {
        int64_t low, high;  ///< both included
    };
    /// Bounds; exact for affine expressions.
    Range range(const Extents& extents) const;
    int64_t at(const std::vector<int64_t>& position) const;
    /// "16*i0 + i1 // 4", with the axes' names where there are some.
    std::string text(const std::vector<std::string>& axes = {}) const;

  private:
    friend Index quotient(const Index& of, int64_t divisor, const Extents& extents);
    friend Index remainder(const Index& of, int64_t divisor, const Extents& extents);
    void add(Term term);
    static Index of(Term term);
    /// The terms (and constant) that are multiples of `divisor`, divided by it, and the rest, whose constant
    /// is in [0, divisor).
    std::pair<Index, Index> split(int64_t divisor) const;
    /// gcd(coefficient, divisor) of the terms, largest first, without 1.
    std::vector<int64_t> common_divisors(int64_t divisor) const;

    int64_t constant_ = 0;
    Terms terms_;
};

/// Floor division and the remainder of it (never negative), simplified by what is known of the extents.
/// @param divisor positive
Index quotient(const Index& of, int64_t divisor, const Extents& extents);
Index remainder(const Index& of, int64_t divisor, const Extents& extents);
/// `of` with axes[d] in place of axis d; `extents` are those of the axes in `axes`.
Index substitute(const Index& of, const std::vector<Index>& axes, const Extents& extents);

}  // namespace tritonsmith::graph
