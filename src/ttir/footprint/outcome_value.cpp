#include "ttir/footprint/outcome_value.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <string>

#include "ttir/interp/lower/exec_layout.h"

namespace tritonsmith::ttir {

namespace {

/// Of two numbers that are known, as the device does it; false where that is not defined.
bool exact_integer(IntegerOp op, int64_t a, int64_t b, int bits, int64_t& out) {
    using Op = IntegerOp;
    const uint64_t mask = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    const uint64_t ux = x & mask, uy = y & mask;
    const bool divides = b != 0 && !(b == -1 && a == INT64_MIN), shifts = uy < static_cast<uint64_t>(bits);
    switch (op) {
        case Op::add:
            out = static_cast<int64_t>(x + y);
            return true;
        case Op::subtract:
            out = static_cast<int64_t>(x - y);
            return true;
        case Op::multiply:
            out = static_cast<int64_t>(x * y);
            return true;
        case Op::divide:
            out = divides ? a / b : 0;
            return divides;
        case Op::remainder:
            out = divides ? a % b : 0;
            return divides;
        case Op::divide_unsigned:
            out = uy != 0 ? static_cast<int64_t>(ux / uy) : 0;
            return uy != 0;
        case Op::remainder_unsigned:
            out = uy != 0 ? static_cast<int64_t>(ux % uy) : 0;
            return uy != 0;
        case Op::least:
            out = std::min(a, b);
            return true;
        case Op::most:
            out = std::max(a, b);
            return true;
        case Op::least_unsigned:
            out = static_cast<int64_t>(std::min(ux, uy));
            return true;
        case Op::most_unsigned:
            out = static_cast<int64_t>(std::max(ux, uy));
            return true;
        case Op::shift_left:
            out = shifts ? static_cast<int64_t>(ux << uy) : 0;
            return shifts;
        case Op::shift_right:
            out = shifts ? a >> uy : 0;
            return shifts;
        case Op::shift_right_unsigned:
            out = shifts ? static_cast<int64_t>(ux >> uy) : 0;
            return shifts;
        case Op::bits_and:
            out = a & b;
            return true;
        case Op::bits_or:
            out = a | b;
            return true;
        case Op::bits_xor:
            out = a ^ b;
            return true;
        default:
            return false;
    }
}

/// Numbers between two bounds agree in all bits above those in which the bounds differ.
LaneRange bitwise(IntegerOp op, const LaneRange& a, const LaneRange& b) {
    const auto low = static_cast<uint64_t>(a.low), other = static_cast<uint64_t>(b.low);
    const uint64_t differ = (low ^ static_cast<uint64_t>(a.high)) | (other ^ static_cast<uint64_t>(b.high));
    const int open = std::bit_width(differ);
    if (open > 60) return LaneRange::unknown();
    const uint64_t mask = (uint64_t{1} << open) - 1;
    const uint64_t base = (op == IntegerOp::bits_and  ? low & other
                           : op == IntegerOp::bits_or ? low | other
                                                      : low ^ other) &
                          ~mask;
    return LaneRange::between(static_cast<int64_t>(base), static_cast<int64_t>(base | mask));
}

OutcomeValue truths(IntegerOp op, const LaneRange& a, const LaneRange& b, const std::vector<int64_t>& shape) {
    if (op == IntegerOp::bits_and) return OutcomeValue::of(both(a, b, shape));
    if (!a.known || !b.known) return {};
    if (op == IntegerOp::bits_or)
        return OutcomeValue::of(LaneRange::between(std::max(a.low, b.low), std::max(a.high, b.high)));
    const LaneRange &one = a.exact() ? a : b, &other = a.exact() ? b : a;
    if (op != IntegerOp::bits_xor || !one.exact()) return {};
    return OutcomeValue::of(one.low == 0 ? other : LaneRange::between(1 - other.high, 1 - other.low));
}

/// What does not fit into the type may have wrapped.
LaneRange fitted(LaneRange range, const Type& type) {
    if (!range.known || type.shape.size() > LaneRange::kRank) return LaneRange::unknown();
    if (range.exact()) return LaneRange::exactly(wrapped_number(range.low, type.elem));
    const LaneRange all = LaneRange::of_type(type);
    if (all.known && (range.least(type.shape) < all.low || range.most(type.shape) > all.high)) return all;
    return range;
}

double rounded_to(double value, Scalar elem) {
    return elem == Scalar::f32 ? static_cast<float>(value) : value;
}

double exact_real(RealOp op, double a, double b) {
    switch (op) {
        case RealOp::add:
            return a + b;
        case RealOp::subtract:
            return a - b;
        case RealOp::multiply:
            return a * b;
        case RealOp::divide:
            return a / b;
        case RealOp::least:
            return std::fmin(a, b);
        default:
            return std::fmax(a, b);
    }
}

}  // namespace

OutcomeValue OutcomeValue::reals(double low, double high) {
    OutcomeValue value;
    value.real = !std::isnan(low) && !std::isnan(high);
    value.low = low;
    value.high = high;
    return value;
}

RealOp real_op(const std::string& name) {
    static const std::map<std::string, RealOp> all{
        {"arith.addf", RealOp::add},       {"arith.subf", RealOp::subtract}, {"arith.mulf", RealOp::multiply},
        {"arith.divf", RealOp::divide},    {"arith.minnumf", RealOp::least}, {"arith.maxnumf", RealOp::most},
        {"arith.minimumf", RealOp::least}, {"arith.maximumf", RealOp::most}};
    const auto found = all.find(name);
    return found == all.end() ? RealOp::other : found->second;
}

int bits_of(Scalar elem) {
    return elem == Scalar::i1 ? 1 : 8 * element_size(elem);
}

int64_t wrapped_number(int64_t value, Scalar elem) {
    if (elem == Scalar::i1) return value & 1;
    if (elem == Scalar::i8) return static_cast<int8_t>(value);
    if (elem == Scalar::i16) return static_cast<int16_t>(value);
    if (elem == Scalar::i32) return static_cast<int32_t>(value);
    return value;
}

bool is_followed_real(Scalar elem) {
    return elem == Scalar::f32 || elem == Scalar::f64;
}

double real_of(uint64_t bits, Scalar elem) {
    return elem == Scalar::f64 ? std::bit_cast<double>(bits)
                               : static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
}

OutcomeValue integer_result(IntegerOp op, const OutcomeValue& a, const OutcomeValue& b, const Type& type) {
    if (a.real || b.real || type.kind != Type::Kind::scalar) return {};
    int64_t number = 0;
    if (a.range.exact() && b.range.exact()) {
        if (!exact_integer(op, a.range.low, b.range.low, bits_of(type.elem), number)) return {};
        return OutcomeValue::of(LaneRange::exactly(wrapped_number(number, type.elem)));
    }
    const bool bits = op == IntegerOp::bits_and || op == IntegerOp::bits_or || op == IntegerOp::bits_xor;
    if (type.elem == Scalar::i1) return truths(op, a.range, b.range, type.shape);
    if (bits && a.range.known && b.range.known && a.range.flat() && b.range.flat())
        return OutcomeValue::of(fitted(bitwise(op, a.range, b.range), type));
    return OutcomeValue::of(fitted(arithmetic(op, a.range, b.range, type.shape), type));
}

OutcomeValue real_result(RealOp op, const OutcomeValue& a, const OutcomeValue& b, Scalar elem) {
    if (!a.real || !b.real || !is_followed_real(elem)) return {};
    if (a.exact() && b.exact()) {
        const double value = rounded_to(exact_real(op, a.low, b.low), elem);
        return OutcomeValue::reals(value, value);
    }
    if (op == RealOp::divide && b.low <= 0 && b.high >= 0) return {};
    double low = INFINITY, high = -INFINITY;
    for (double x : {a.low, a.high})
        for (double y : {b.low, b.high}) {
            const double value = exact_real(op, x, y);
            if (std::isnan(value)) return {};
            low = std::min(low, value);
            high = std::max(high, value);
        }
    if (op == RealOp::least || op == RealOp::most) return OutcomeValue::reals(low, high);
    const double ulp = elem == Scalar::f32 ? 0x1p-23 : 0x1p-52;
    return OutcomeValue::reals(low - ulp * std::abs(low), high + ulp * std::abs(high));
}

OutcomeValue converted_to_real(const OutcomeValue& a, const Type& from, Scalar elem) {
    if (!a.range.known || !is_followed_real(elem) || from.shape.size() > LaneRange::kRank) return {};
    // Rounding does not change the order of numbers.
    const int64_t least = a.range.least(from.shape), most = a.range.most(from.shape);
    OutcomeValue out = OutcomeValue::reals(rounded_to(static_cast<double>(least), elem),
                                           rounded_to(static_cast<double>(most), elem));
    const int64_t exact = elem == Scalar::f32 ? 1 << 24 : int64_t{1} << 53;
    if (least >= -exact && most <= exact) out.range = a.range;
    return out;
}

OutcomeValue converted_to_integer(const OutcomeValue& a) {
    if (!a.real || !(std::abs(a.low) < 0x1p31) || !(std::abs(a.high) < 0x1p31)) return {};
    return OutcomeValue::of(LaneRange::between(static_cast<int64_t>(a.low), static_cast<int64_t>(a.high)));
}

namespace {

/// x against c, of whole numbers x: the same against a whole number.
LaneRange compared_lanes(std::string_view what, const LaneRange& x, double c,
                         const std::vector<int64_t>& shape) {
    const auto down = static_cast<int64_t>(std::floor(c)), up = static_cast<int64_t>(std::ceil(c));
    if (what == "gt") return compared({Predicate::more, false}, x, LaneRange::exactly(down), shape);
    if (what == "ge") return compared({Predicate::more_or_equal, false}, x, LaneRange::exactly(up), shape);
    if (what == "lt") return compared({Predicate::less, false}, x, LaneRange::exactly(up), shape);
    if (what == "le") return compared({Predicate::less_or_equal, false}, x, LaneRange::exactly(down), shape);
    if (down != up) return LaneRange::exactly(what == "ne" ? 1 : 0);
    const Predicate predicate = what == "ne" ? Predicate::different : Predicate::equal;
    return compared({predicate, false}, x, LaneRange::exactly(down), shape);
}

std::string_view turned(std::string_view what) {
    return what == "lt" ? "gt" : what == "le" ? "ge" : what == "gt" ? "lt" : what == "ge" ? "le" : what;
}

}  // namespace

LaneRange compared_reals(const std::string& keyword, const OutcomeValue& a, const OutcomeValue& b,
                         const std::vector<int64_t>& shape) {
    const LaneRange either = LaneRange::between(0, 1);
    if (!a.real || !b.real || keyword.size() != 3) return either;
    const std::string_view what = std::string_view(keyword).substr(1);
    if (a.range.known && b.exact() && std::abs(b.low) < 0x1p60)
        return compared_lanes(what, a.range, b.low, shape);
    if (b.range.known && a.exact() && std::abs(a.low) < 0x1p60)
        return compared_lanes(turned(what), b.range, a.low, shape);
    const bool below = a.high<b.low, above = a.low> b.high, apart = below || above,
               same = a.exact() && b.exact() && a.low == b.low;
    const auto decided = [&](bool yes, bool no) { return yes || no ? LaneRange::exactly(yes) : either; };
    if (what == "eq") return decided(same, apart);
    if (what == "ne") return decided(apart, same);
    if (what == "lt") return decided(below, a.low >= b.high);
    if (what == "le") return decided(a.high <= b.low, above);
    if (what == "gt") return decided(above, a.high <= b.low);
    if (what == "ge") return decided(a.low >= b.high, below);
    return either;
}

}  // namespace tritonsmith::ttir
