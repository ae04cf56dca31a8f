#pragma once

#include <array>
#include <cstdint>

#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

/// What is known about an integer, a block of integers, or the byte offset of pointers, without running the
/// program: lane (i0, i1, …) holds some b + Σ step[d]·i_d with low ≤ b ≤ high. Unknown values have `known`
/// false. The arithmetic below is exact or wider than what may happen, never narrower; what does not fit
/// into 62 bits is unknown.
struct LaneRange {
    static constexpr size_t kRank = 5;
    /// Lanes [from, to) of each dimension.
    struct Window {
        std::array<int64_t, kRank> from, to;
    };

    bool known = false;
    int64_t low = 0, high = 0;
    std::array<int64_t, kRank> step{};
    /// Of i1: a lane outside of the window is false.
    bool windowed = false;
    Window window{};

    static LaneRange exactly(int64_t value) { return between(value, value); }
    static LaneRange between(int64_t low, int64_t high);
    static LaneRange unknown() { return {}; }
    /// Nothing but what the type says.
    static LaneRange of_type(const Type& type);

    bool exact() const;  ///< one number, the same in all lanes
    bool flat() const;   ///< the same bounds for all lanes
    /// Bounds of all lanes of a block of this shape.
    int64_t least(const std::vector<int64_t>& shape) const;
    int64_t most(const std::vector<int64_t>& shape) const;
    /// The same without steps.
    LaneRange flattened(const std::vector<int64_t>& shape) const;
};

LaneRange plus(const LaneRange& a, const LaneRange& b);
LaneRange times(const LaneRange& a, int64_t factor);
/// Values of either, in blocks of one shape.
LaneRange either(const LaneRange& a, const LaneRange& b, const std::vector<int64_t>& shape);

/// Operations of two integers; all others are not modelled.
enum class IntegerOp : uint8_t {
    add,
    subtract,
    multiply,
    divide,
    divide_unsigned,
    divide_down,
    divide_up,
    divide_up_unsigned,
    remainder,
    remainder_unsigned,
    least,
    least_unsigned,
    most,
    most_unsigned,
    shift_left,
    shift_right,
    shift_right_unsigned,
    bits_and,
    bits_or,
    bits_xor,
    other
};
/// By the name of an operation, "arith.addi".
IntegerOp integer_op(const std::string& name);
/// Wrap-around of the result's type is not looked at.
LaneRange arithmetic(IntegerOp op, const LaneRange& a, const LaneRange& b, const std::vector<int64_t>& shape);

enum class Predicate : uint8_t { equal, different, less, less_or_equal, more, more_or_equal };
struct Comparison {
    Predicate predicate;
    bool is_unsigned;
};
/// Of arith.cmpi, by MLIR's keyword: "slt".
Comparison comparison(const std::string& keyword);
LaneRange compared(Comparison how, const LaneRange& a, const LaneRange& b, const std::vector<int64_t>& shape);
/// andi of two i1.
LaneRange both(const LaneRange& a, const LaneRange& b, const std::vector<int64_t>& shape);

}  // namespace tritonsmith::ttir
