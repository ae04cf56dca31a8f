#pragma once

#include <cstdint>

#include "ttir/analysis/lane_range.h"
#include "ttir/ir/ir.h"

namespace tritonsmith::ttir {

/// What is known of a value, or of all lanes of a block, without running the program: integers and truths,
/// the offset of pointers into an argument's buffer, or real numbers between two bounds.
struct OutcomeValue {
    LaneRange range;  ///< integers; offsets in bytes
    int argument = -1;
    bool real = false;  ///< [low, high]; the same lane by lane in `range` where they are whole numbers
    double low = 0, high = 0;

    static OutcomeValue of(const LaneRange& range) {
        OutcomeValue value;
        value.range = range;
        return value;
    }
    static OutcomeValue reals(double low, double high);
    bool known() const { return real || range.known; }
    bool exact() const { return real ? low == high : range.exact(); }
};

enum class RealOp : uint8_t { add, subtract, multiply, divide, least, most, other };
/// By the name of an operation, "arith.addf".
RealOp real_op(const std::string& name);

int bits_of(Scalar elem);
/// A number as it is in the type: what does not fit wraps.
int64_t wrapped_number(int64_t value, Scalar elem);
/// Of floats of 32 and 64 bits, which are the ones that are followed.
bool is_followed_real(Scalar elem);
double real_of(uint64_t bits, Scalar elem);

/// Exact where both operands are, as the device computes it; else no narrower than what may be.
OutcomeValue integer_result(IntegerOp op, const OutcomeValue& a, const OutcomeValue& b, const Type& type);
OutcomeValue real_result(RealOp op, const OutcomeValue& a, const OutcomeValue& b, Scalar elem);
/// Of integers.
OutcomeValue converted_to_real(const OutcomeValue& a, const Type& from, Scalar elem);
/// Towards zero.
OutcomeValue converted_to_integer(const OutcomeValue& a);
/// Truths of arith.cmpf, by MLIR's keyword, in lanes of this shape.
LaneRange compared_reals(const std::string& keyword, const OutcomeValue& a, const OutcomeValue& b,
                         const std::vector<int64_t>& shape);

}  // namespace tritonsmith::ttir
