#include "ttir/analysis/lane_range.h"

#include <algorithm>
#include <bit>
#include <map>

namespace tritonsmith::ttir {

namespace {

/// Sums of a few bounds stay in 64 bits.
constexpr int64_t kLargest = int64_t{1} << 61;

using Wide = __int128;

bool small(Wide v) {
    return v >= -kLargest && v <= kLargest;
}

Wide floor_div(Wide a, Wide b) {
    const Wide q = a / b;
    return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
}

LaneRange checked(Wide low, Wide high) {
    return small(low) && small(high)
               ? LaneRange::between(static_cast<int64_t>(low), static_cast<int64_t>(high))
               : LaneRange::unknown();
}

/// The quotient truncated towards zero by a positive number: rising in the dividend.
LaneRange divided(const LaneRange& a, const LaneRange& b, const std::vector<int64_t>& shape) {
    const int64_t low = a.least(shape), high = a.most(shape), least = b.least(shape), most = b.most(shape);
    if (least <= 0) return LaneRange::unknown();
    return LaneRange::between(low >= 0 ? low / most : low / least, high >= 0 ? high / least : high / most);
}

LaneRange remainder(const LaneRange& a, const LaneRange& b, const std::vector<int64_t>& shape) {
    const int64_t low = a.least(shape), high = a.most(shape), least = b.least(shape), most = b.most(shape);
    if (least <= 0) return LaneRange::unknown();
    if (low >= 0 && high < least) return a;
    if (least == most && low >= 0 && low / least == high / least)
        return plus(a, LaneRange::exactly(-(low / least) * least));
    return LaneRange::between(low >= 0 ? 0 : std::max(low, 1 - most),
                              std::max<int64_t>(0, std::min(high, most - 1)));
}

LaneRange product(const LaneRange& a, const LaneRange& b, const std::vector<int64_t>& shape) {
    if (b.exact()) return times(a, b.low);
    if (a.exact()) return times(b, a.low);
    const Wide corners[] = {Wide{a.least(shape)} * b.least(shape), Wide{a.least(shape)} * b.most(shape),
                            Wide{a.most(shape)} * b.least(shape), Wide{a.most(shape)} * b.most(shape)};
    return checked(*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4));
}

}  // namespace

LaneRange LaneRange::between(int64_t low, int64_t high) {
    LaneRange r;
    r.known = true;
    r.low = low;
    r.high = high;
    return r;
}

LaneRange LaneRange::of_type(const Type& type) {
    if (type.kind != Type::Kind::scalar) return unknown();
    switch (type.elem) {
        case Scalar::i1:
            return between(0, 1);
        case Scalar::i8:
            return between(INT8_MIN, INT8_MAX);
        case Scalar::i16:
            return between(INT16_MIN, INT16_MAX);
        case Scalar::i32:
            return between(INT32_MIN, INT32_MAX);
        default:
            return unknown();
    }
}

bool LaneRange::flat() const {
    return std::all_of(step.begin(), step.end(), [](int64_t s) { return s == 0; });
}

bool LaneRange::exact() const {
    return known && low == high && flat();
}

int64_t LaneRange::least(const std::vector<int64_t>& shape) const {
    int64_t v = low;
    for (size_t d = 0; d < std::min(shape.size(), kRank); d++)
        v += std::min<int64_t>(0, step[d] * (shape[d] - 1));
    return v;
}

int64_t LaneRange::most(const std::vector<int64_t>& shape) const {
    int64_t v = high;
    for (size_t d = 0; d < std::min(shape.size(), kRank); d++)
        v += std::max<int64_t>(0, step[d] * (shape[d] - 1));
    return v;
}

LaneRange LaneRange::flattened(const std::vector<int64_t>& shape) const {
    return known ? between(least(shape), most(shape)) : unknown();
}

LaneRange plus(const LaneRange& a, const LaneRange& b) {
    if (!a.known || !b.known) return LaneRange::unknown();
    LaneRange r = checked(Wide{a.low} + b.low, Wide{a.high} + b.high);
    for (size_t d = 0; d < LaneRange::kRank; d++) {
        // A block has at most 2^20 lanes: steps of 40 bits leave room.
        const Wide s = Wide{a.step[d]} + b.step[d];
        if (s > (Wide{1} << 40) || s < -(Wide{1} << 40)) return LaneRange::unknown();
        r.step[d] = static_cast<int64_t>(s);
    }
    return r;
}

LaneRange times(const LaneRange& a, int64_t factor) {
    if (!a.known) return LaneRange::unknown();
    const Wide one = Wide{a.low} * factor, other = Wide{a.high} * factor;
    LaneRange r = checked(std::min(one, other), std::max(one, other));
    for (size_t d = 0; d < LaneRange::kRank; d++) {
        const Wide s = Wide{a.step[d]} * factor;
        if (s > (Wide{1} << 40) || s < -(Wide{1} << 40)) return LaneRange::unknown();
        r.step[d] = static_cast<int64_t>(s);
    }
    return r;
}

LaneRange either(const LaneRange& a, const LaneRange& b, const std::vector<int64_t>& shape) {
    if (!a.known || !b.known) return LaneRange::unknown();
    if (a.step != b.step) return either(a.flattened(shape), b.flattened(shape), {});
    LaneRange r = a;
    r.windowed = false;
    r.low = std::min(a.low, b.low);
    r.high = std::max(a.high, b.high);
    return r;
}

IntegerOp integer_op(const std::string& name) {
    static const std::map<std::string, IntegerOp> all{{"arith.addi", IntegerOp::add},
                                                      {"arith.subi", IntegerOp::subtract},
                                                      {"arith.muli", IntegerOp::multiply},
                                                      {"arith.divsi", IntegerOp::divide},
                                                      {"arith.divui", IntegerOp::divide_unsigned},
                                                      {"arith.floordivsi", IntegerOp::divide_down},
                                                      {"arith.ceildivsi", IntegerOp::divide_up},
                                                      {"arith.ceildivui", IntegerOp::divide_up_unsigned},
                                                      {"arith.remsi", IntegerOp::remainder},
                                                      {"arith.remui", IntegerOp::remainder_unsigned},
                                                      {"arith.minsi", IntegerOp::least},
                                                      {"arith.minui", IntegerOp::least_unsigned},
                                                      {"arith.maxsi", IntegerOp::most},
                                                      {"arith.maxui", IntegerOp::most_unsigned},
                                                      {"arith.shli", IntegerOp::shift_left},
                                                      {"arith.shrsi", IntegerOp::shift_right},
                                                      {"arith.shrui", IntegerOp::shift_right_unsigned},
                                                      {"arith.andi", IntegerOp::bits_and},
                                                      {"arith.ori", IntegerOp::bits_or},
                                                      {"arith.xori", IntegerOp::bits_xor}};
    const auto found = all.find(name);
    return found == all.end() ? IntegerOp::other : found->second;
}

LaneRange arithmetic(IntegerOp op, const LaneRange& a, const LaneRange& b,
                     const std::vector<int64_t>& shape) {
    using Op = IntegerOp;
    if (!a.known || !b.known) {
        // The low bits of anything.
        if (op == Op::bits_and && (a.exact() || b.exact())) {
            const int64_t mask = a.exact() ? a.low : b.low;
            if (mask >= 0) return LaneRange::between(0, mask);
        }
        if ((op == Op::remainder || op == Op::remainder_unsigned) && b.exact() && b.low > 0)
            return LaneRange::between(op == Op::remainder ? 1 - b.low : 0, b.low - 1);
        return LaneRange::unknown();
    }
    const int64_t low = a.least(shape), high = a.most(shape), least = b.least(shape), most = b.most(shape);
    const bool natural = low >= 0 && least >= 0;  // signed and unsigned are one
    const bool shifts = b.exact() && b.low >= 0;
    switch (op) {
        case Op::add:
            return plus(a, b);
        case Op::subtract:
            return plus(a, times(b, -1));
        case Op::multiply:
            return product(a, b, shape);
        case Op::divide:
            return divided(a, b, shape);
        case Op::divide_unsigned:
        case Op::divide_down:
            return natural ? divided(a, b, shape) : LaneRange::unknown();
        case Op::divide_up:
        case Op::divide_up_unsigned:
            return natural && least > 0
                       ? LaneRange::between((low + most - 1) / most, (high + least - 1) / least)
                       : LaneRange::unknown();
        case Op::remainder:
            return remainder(a, b, shape);
        case Op::remainder_unsigned:
            return natural ? remainder(a, b, shape) : LaneRange::unknown();
        case Op::least_unsigned:
        case Op::least:
            if (op == Op::least_unsigned && !natural) return LaneRange::unknown();
            if (high <= least) return a;
            if (most <= low) return b;
            return LaneRange::between(std::min(low, least), std::min(high, most));
        case Op::most_unsigned:
        case Op::most:
            if (op == Op::most_unsigned && !natural) return LaneRange::unknown();
            if (low >= most) return a;
            if (least >= high) return b;
            return LaneRange::between(std::max(low, least), std::max(high, most));
        case Op::shift_left:
            return shifts && b.low < 40 ? times(a, int64_t{1} << b.low) : LaneRange::unknown();
        case Op::shift_right_unsigned:
        case Op::shift_right:
            if (!shifts || b.low > 62 || (op == Op::shift_right_unsigned && !natural))
                return LaneRange::unknown();
            return LaneRange::between(low >> b.low, high >> b.low);
        case Op::bits_and: {
            if (!natural) return LaneRange::unknown();
            const LaneRange &mask = b.exact() ? b : a, &value = b.exact() ? a : b;
            if (mask.exact() && (mask.low & (mask.low + 1)) == 0)
                return remainder(value, LaneRange::exactly(mask.low + 1), shape);
            return LaneRange::between(0, std::min(high, most));
        }
        case Op::bits_or:
        case Op::bits_xor:
            if (!natural) return LaneRange::unknown();
            return LaneRange::between(
                0, (int64_t{1} << std::bit_width(static_cast<uint64_t>(std::max(high, most)))) - 1);
        case Op::other:
            break;
    }
    return LaneRange::unknown();
}

namespace {

/// a - b < 0, where a and b are what they are said to be.
LaneRange below(const LaneRange& difference, const std::vector<int64_t>& shape) {
    LaneRange r = LaneRange::between(0, 1);
    if (!difference.known) return r;
    if (difference.most(shape) < 0) return LaneRange::exactly(1);
    if (difference.least(shape) >= 0) return LaneRange::exactly(0);
    if (shape.size() > LaneRange::kRank) return r;
    r.windowed = true;
    for (size_t d = 0; d < shape.size(); d++) {
        const int64_t n = shape[d], s = difference.step[d];
        r.window.from[d] = 0;
        r.window.to[d] = n;
        // The least that the other dimensions make of it.
        const Wide rest = Wide{difference.least(shape)} - std::min<Wide>(0, Wide{s} * (n - 1));
        if (s > 0)  // rest + s·i < 0
            r.window.to[d] = static_cast<int64_t>(std::clamp<Wide>(floor_div(-rest - 1, s) + 1, 0, n));
        if (s < 0)  // i > rest / -s
            r.window.from[d] = static_cast<int64_t>(std::clamp<Wide>(floor_div(rest, -s) + 1, 0, n));
    }
    return r;
}

LaneRange denied(const LaneRange& truth) {
    return LaneRange::between(1 - truth.high, 1 - truth.low);
}

}  // namespace

LaneRange both(const LaneRange& a, const LaneRange& b, const std::vector<int64_t>& shape) {
    LaneRange r = LaneRange::between(a.known && b.known ? std::min(a.low, b.low) : 0,
                                     std::min(a.known ? a.high : 1, b.known ? b.high : 1));
    if (r.high == 0 || r.low == 1) return r;
    for (const LaneRange* side : {&a, &b}) {
        if (!side->known || !side->windowed) continue;
        for (size_t d = 0; d < std::min(shape.size(), LaneRange::kRank); d++) {
            r.window.from[d] = std::max(r.windowed ? r.window.from[d] : 0, side->window.from[d]);
            r.window.to[d] = std::min(r.windowed ? r.window.to[d] : shape[d], side->window.to[d]);
        }
        r.windowed = true;
    }
    return r;
}

Comparison comparison(const std::string& keyword) {
    const bool is_unsigned = keyword.starts_with("u");
    const std::string_view what =
        keyword == "eq" || keyword == "ne" ? std::string_view(keyword) : std::string_view(keyword).substr(1);
    const Predicate predicate = what == "eq"   ? Predicate::equal
                                : what == "ne" ? Predicate::different
                                : what == "lt" ? Predicate::less
                                : what == "le" ? Predicate::less_or_equal
                                : what == "gt" ? Predicate::more
                                               : Predicate::more_or_equal;
    return {predicate, is_unsigned};
}

LaneRange compared(Comparison how, const LaneRange& a, const LaneRange& b,
                   const std::vector<int64_t>& shape) {
    if (!a.known || !b.known || (how.is_unsigned && (a.least(shape) < 0 || b.least(shape) < 0)))
        return LaneRange::between(0, 1);
    const LaneRange one = LaneRange::exactly(-1), ab = plus(a, times(b, -1)), ba = plus(b, times(a, -1));
    switch (how.predicate) {
        case Predicate::less:
            return below(ab, shape);
        case Predicate::less_or_equal:
            return below(plus(ab, one), shape);
        case Predicate::more:
            return below(ba, shape);
        case Predicate::more_or_equal:
            return below(plus(ba, one), shape);
        default:
            break;
    }
    const LaneRange equal = both(below(plus(ab, one), shape), below(plus(ba, one), shape), shape);
    return how.predicate == Predicate::equal ? equal : denied(equal);
}

}  // namespace tritonsmith::ttir
