#include "run/draw/pattern.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

namespace tritonsmith::run {

namespace {

constexpr int64_t kShortestLine = 32;
constexpr int kBeyond = 2;  ///< of samples that are away from zero: powers of two more than rows reach

int64_t product(const std::vector<int64_t>& shape, size_t first) {
    int64_t out = 1;
    for (size_t i = first; i < shape.size(); ++i) out *= shape[i];
    return out;
}

float power(int exponent) {
    return std::ldexp(1.0F, exponent);
}

/// x with x·factor = 1 modulo `modulus`; both have no common divisor.
int64_t inverse_of(int64_t factor, int64_t modulus) {
    int64_t a = factor, b = modulus, x = 1, y = 0;
    while (b != 0) {
        const int64_t q = a / b;
        a = std::exchange(b, a % b);
        x = std::exchange(y, x - q * y);
    }
    return (x % modulus + modulus) % modulus;
}

Pattern::Constants constants_of(const Distribution& law, const Variant& variant) {
    const bool bounded = variant.bounded;
    Pattern::Constants c;
    c.bounded = bounded;
    c.ends = bounded && variant.ends && law.law == Law::uniform;
    c.end = static_cast<float>(law.b);
    double lowest = -INFINITY, highest = INFINITY, unit = 1;
    switch (law.law) {
        case Law::uniform:
            lowest = law.a;
            // Below it in float32 as well.
            highest = std::nextafter(static_cast<float>(law.b), static_cast<float>(law.a));
            unit = std::max(std::abs(law.a), std::abs(law.b));
            break;
        case Law::normal:
            // One that stays away from zero is taken around its mean.
            c.anchor = std::abs(law.a) > 4 * law.b ? static_cast<float>(law.a) : 0;
            unit = c.anchor != 0 ? law.b : std::abs(law.a) + law.b;
            break;
        case Law::exponential:
            lowest = 0;
            unit = 1 / law.a;
            break;
        case Law::log_normal:
            lowest = 0;
            unit = std::exp(law.a);
            break;
        default:
            unit = std::abs(law.a) + law.b;
    }
    c.lowest = static_cast<float>(lowest);
    c.highest = static_cast<float>(highest);
    if (c.anchor == 0) c.anchor = std::clamp(0.0F, c.lowest, c.highest);
    if (law.law == Law::uniform) unit = std::max<double>(c.highest - c.anchor, c.anchor - c.lowest);
    c.unit = unit > 0 && std::isfinite(unit) ? static_cast<float>(unit) : 1;
    // A power of two, so that sums of equal elements are exact.
    c.step = power(std::ilogb(c.unit) - (bounded ? 2 : 1));
    c.half_step = bounded ? c.step / 2 : 0;
    return c;
}

}  // namespace

/// Source: Chris Wellons, "Prospecting for hash functions", 2018 (lowbias32).
uint32_t Pattern::mixed(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ x >> 16;
}

uint32_t Pattern::hash(uint32_t salt, int64_t index) const {
    return mixed(static_cast<uint32_t>(index) ^ mixed(static_cast<uint32_t>(index >> 32) ^ salt ^ salt_));
}

Pattern::Pattern(const DrawKey& key, const Distribution& law, const Variant& variant, int rank,
                 const std::vector<int64_t>& shape)
    : variant_(variant),
      pattern_(variant.pattern),
      constants_(constants_of(law, variant)),
      salt_(mixed(static_cast<uint32_t>(key.seed) ^
                  mixed(static_cast<uint32_t>(key.seed >> 32) ^ mixed(key.stream << 20 ^ key.ordinal)))) {
    using Shape = Variant::Pattern;
    // Two leaves that meet in a product must not be scaled along the same dimension: small terms would
    // vanish.
    if (rank % 2 != 0 && pattern_ != Shape::none && pattern_ != Shape::fading)
        pattern_ = pattern_ == Shape::columns ? Shape::rows : Shape::none;
    std::vector<int64_t> sizes;
    for (int64_t size : shape)
        if (size != 1) sizes.push_back(size);
    if (pattern_ == Shape::columns)
        lay_out_columns(sizes);
    else
        lay_out_rows(sizes);
    small_ = {-10, -20, -40, -75};
    if (!variant_.extremes) small_.resize(2);
    guarded_ = guarded_exponents();
    if (pattern_ != Shape::fading) return;
    fading_ = fading_exponents();
    turn_of_set_ = mixed(static_cast<uint32_t>(key.seed) ^ mixed(static_cast<uint32_t>(key.seed >> 32)));
}

void Pattern::lay_out_rows(const std::vector<int64_t>& shape) {
    const int64_t elements = product(shape, 0);
    size_t first = shape.size();
    while (first > 0 && length_ < kShortestLine) length_ *= shape[--first];
    if (first == 0) length_ = std::clamp<int64_t>(elements / 8, 1, 64);
    length_ = std::max<int64_t>(length_, 1);
    lines_ = std::max<int64_t>((elements + length_ - 1) / length_, 1);
    if (first > 1 && shape[0] > 1) {
        lines_per_sample_ = lines_ / shape[0];
        samples_small_ = std::min<int64_t>(4, shape[0]);
        if (samples_small_ == 4) {
            // Neither the first, which begins with the task's own law, nor a small one.
            const int64_t taken = (4 - hash(4, -1) % 4) % 4;
            sample_away_ = 1 + hash(4, -2) % 3;
            if (sample_away_ == taken) sample_away_ = sample_away_ % 3 + 1;
        }
    }
    // So many that all lines together have one at each place, but few beside their line.
    const int64_t with_large = std::max<int64_t>(lines_ <= 64 ? lines_ / 2 : lines_ / 8, 1);
    large_ =
        std::clamp<int64_t>((length_ + with_large - 1) / with_large, 1, std::max<int64_t>(length_ / 8, 1));
    begin_ = hash(1, 0) % length_;
    turn_ = hash(1, 1) % length_;
    factor_ = hash(1, 2) % length_;
    while (std::gcd(factor_, length_) != 1) factor_ = (factor_ + 1) % length_;
    inverse_ = length_ == 1 ? 0 : inverse_of(factor_, length_);
}

void Pattern::lay_out_columns(const std::vector<int64_t>& shape) {
    const size_t first = std::min<size_t>(shape.size() < 2 ? 0 : shape.size() == 2 ? 1 : 2, shape.size());
    length_ = std::max<int64_t>(product(shape, first), 1);
    lines_ = std::max<int64_t>(product(shape, 0) / length_, 1);
    if (shape.size() > 2) channels_ = shape[1];
    columns_apart_ = 1;
}

/// Where a guard of the reference's shows (an `eps`): below it a row's length, or the root of its mean
/// square, but not so far that squares underflow.
std::vector<int> Pattern::guarded_exponents() const {
    constexpr int kLeast = -60;  // squares are normal numbers
    const double length = std::sqrt(static_cast<double>(length_));
    std::vector<int> out;
    for (const double guard : variant_.guards)
        for (const double value : {guard / length, std::sqrt(guard)})
            if (const int below = std::ilogb(value / constants_.unit) - 1; below >= kLeast && below < 0)
                out.push_back(below);
    return out;
}

/// Sizes of a row at which a sum, a mean or a norm of it, or of its squares, is as large as a guard: all
/// powers of two from one to less than these where there are rows for them, else those next to them.
std::vector<int> Pattern::fading_exponents() const {
    constexpr int kLeast = -60, kBelow = 4;  // squares are normal numbers
    const double length = static_cast<double>(length_), root = std::sqrt(length);
    const int unit = std::ilogb(constants_.unit);
    std::vector<int> at;
    int least = 0;
    for (const double guard : variant_.guards)
        for (const double size :
             {std::sqrt(guard / length), guard / length, std::sqrt(guard), guard / root, guard}) {
            at.push_back(std::clamp(static_cast<int>(std::lround(std::log2(size))) - unit, kLeast, 0));
            least = std::min(least, at.back());
        }
    least = std::max(least - kBelow, kLeast);
    if (lines_ <= -least) {
        const std::vector<int> binding = at;
        for (const int beside : {1, -1})
            for (const int exponent : binding) at.push_back(std::clamp(exponent + beside, kLeast, 0));
        return at;
    }
    at.clear();
    for (int exponent = 0; exponent >= least; --exponent) at.push_back(exponent);
    return at;
}

Pattern::Trait Pattern::faded(int64_t index) const {
    Trait out;
    out.hash = hash(2, index);
    out.final = true;
    if (fading_.empty()) return out;
    const int64_t sample = lines_per_sample_ > 0 ? index / lines_per_sample_ : 0;
    const int64_t turn = sample % 2 == 0 ? index : sample;
    out.factor = power(fading_[(turn_of_set_ + static_cast<uint64_t>(turn)) % fading_.size()]);
    return out;
}

float Pattern::in_turn(const std::vector<int>& exponents, int64_t turn) const {
    return power(exponents[(hash(10, 0) + static_cast<uint64_t>(turn)) % exponents.size()]);
}

/// Where kernels begin a tile, or end one: halves, quarters and powers of two, and the places before them.
int64_t Pattern::edge(int64_t turn) const {
    std::vector<int64_t> edges{length_ / 2, length_ / 4, length_ / 4 * 3};
    for (int64_t size = 16; size < length_; size *= 2) edges.push_back(size);
    const auto count = static_cast<int64_t>(edges.size());
    const int64_t at = edges[static_cast<size_t>((turn + hash(11, 0)) % (2 * count) / 2)];
    return (turn + hash(11, 0)) % 2 == 0 ? at : std::max<int64_t>(at - 1, 0);
}

/// One large element among the last, or at an edge, so large that an exponential shows it.
Pattern::Trait Pattern::alone(int64_t turn) const {
    constexpr int kMost = 3;  // e^(2^3) is more than all others of a row together
    Trait out;
    out.kind = Kind::spikes;
    out.sign = turn % 4 < 2 ? Sign::positive : Sign::drawn;
    out.large = 1;
    out.factor = power(std::min(kMost, variant_.reach));
    const int64_t last = length_ - 1 - turn / 2 % std::min<int64_t>(16, length_);
    out.place = column(turn % 2 == 0 ? last : edge(turn / 2)).place;
    return out;
}

Pattern::Trait Pattern::away(Sign sign, int exponent) const {
    Trait out;
    out.kind = Kind::spikes;
    out.sign = sign;
    out.large = length_;
    out.factor = power(exponent);
    return out;
}

Pattern::Trait Pattern::small(int64_t turn) const {
    Trait out;
    out.factor = in_turn(small_, turn);
    return out;
}

Pattern::Trait Pattern::guarded(int64_t turn) const {
    Trait out;
    if (!guarded_.empty()) out.factor = in_turn(guarded_, turn);
    return out;
}

/// Half-way cases of what is rounded after it was multiplied by a power of two (quantisation) lie on finer
/// steps; half of the lines keep the coarse one, on which many elements are equal.
float Pattern::finer(uint32_t h) {
    return power((h & 1) != 0 ? 0 : -static_cast<int>(1 + (h >> 1) % 8));
}

Pattern::Trait Pattern::line(int64_t index) const {
    switch (pattern_) {
        case Variant::Pattern::rows:
            return row(index);
        case Variant::Pattern::none: {
            Trait out;
            out.hash = hash(2, index);
            out.sign = variant_.bounded ? Sign::drawn : Sign::by_element;
            return out;
        }
        case Variant::Pattern::fading:
            return faded(index);
        case Variant::Pattern::columns:
            break;
    }
    Trait out;
    const int64_t channel = channels_ > 0 ? index % channels_ : 0;
    if (channels_ > 1 && (channel + hash(3, -1)) % std::min<int64_t>(4, channels_) == 0) {
        out = channel / 4 % 2 == 0 || guarded_.empty() ? small(channel / 4) : guarded(channel / 8);
        out.final = true;
    }
    out.hash = hash(2, index);
    out.sign = variant_.bounded ? Sign::drawn : Sign::by_element;
    return out;
}

Pattern::Trait Pattern::row(int64_t index) const {
    const uint32_t h = hash(2, index);
    Trait out;
    // Who looks at the first elements of all finds the task's own law.
    if (index == 0 && lines_ > 1) return out;
    if (samples_small_ > 0) {
        const int64_t sample = index / lines_per_sample_;
        if ((sample + hash(4, -1)) % samples_small_ == 0) {
            out = small(sample / samples_small_);
            out.hash = h;
            return out;
        }
        if (sample % 4 == sample_away_ && sample / 4 % 2 == 0 && !variant_.bounded) {
            out = away(sample / 8 % 2 == 0 ? Sign::negative : Sign::positive, variant_.reach + kBeyond);
            out.hash = h;
            return out;
        }
    }
    // Each of the eight classes once among eight lines, in an order of their own.
    const int64_t block = index / 8;
    const uint32_t order = hash(5, block);
    const auto turn = static_cast<uint32_t>(index % 8);
    uint32_t place = (turn * (order | 1) + (order >> 8)) & 7;
    // Where there are few lines, half of them have large elements.
    const bool few = lines_ <= 64;
    int64_t ordinal = block;
    if (lines_ == 1) place = 1;
    if (few && place >= 4) {
        ordinal = block * 4 + (place - 4);
        place = 1;
    } else if (few) {
        static constexpr uint32_t rest[4][2] = {{0, 0}, {2, 4}, {3, 6}, {5, 7}};
        // Small ones in every second block.
        place = rest[place][(static_cast<uint32_t>(block) + hash(5, -1)) & 1];
    }
    const Sign signs[] = {Sign::drawn, Sign::negative, Sign::positive, Sign::by_element};
    const Sign any = variant_.bounded ? Sign::drawn : signs[h >> 4 & 3];
    const auto own_until = static_cast<int64_t>(
        (h & 8) != 0 ? (h >> 16) % static_cast<uint32_t>(std::min<int64_t>(length_, 1 << 16)) : 0);
    switch (place) {
        case 0:
            if (few || block % 2 == 0) out = guarded(few ? block : block / 2);
            break;
        case 1:
            out.kind = Kind::spikes;
            out.sign = any;
            out.large = large_;
            out.place =
                ((ordinal * large_) % length_ + ordinal * large_ / length_ % length_ * turn_) % length_;
            break;
        case 2:  // among the last elements
            if (variant_.exponentials && !variant_.bounded) {
                out = alone(few ? block / 2 : block);
                if (out.sign == Sign::drawn) out.sign = any;
                break;
            }
            out.kind = Kind::spikes;
            out.sign = any;
            out.large = 1;
            out.place = column(length_ - 1 - block % std::min<int64_t>(16, length_)).place;
            break;
        case 3:
            out.kind = variant_.ties ? Kind::ties : Kind::heavy;
            out.sign = variant_.bounded ? Sign::drawn : (h & 1) != 0 ? Sign::flipped : Sign::drawn;
            out.own_until = own_until;
            if (out.kind == Kind::ties) out.factor = finer(h >> 9);
            break;
        case 4:
            out = small(few ? block / 2 : block);
            out.sign = any;
            break;
        case 5:
            out.sign = any;
            out.own_until = own_until;
            if (variant_.bounded)
                out = small(block);
            else if (variant_.reach > Variant::kUsualReach && (h >> 24 & 1) != 0)
                out.factor = power(variant_.reach);
            else
                out.factor = power(1 + static_cast<int>((h >> 8) % static_cast<uint32_t>(variant_.reach)));
            if (!variant_.bounded && (any == Sign::negative || any == Sign::positive) && (h >> 25 & 1) != 0)
                out = away(any, std::ilogb(out.factor));
            break;
        case 6:
            out.kind = Kind::heavy;
            out.sign = variant_.bounded ? Sign::drawn : (h & 1) != 0 ? Sign::positive : Sign::by_element;
            out.own_until = own_until;
            break;
        default: {
            const uint32_t which = h & 3;
            const bool all_kinds = !variant_.bounded && variant_.extremes && variant_.ties;
            if (which == 0 && all_kinds && (h >> 26 & 3) != 0) {
                // As a whole, or all but an end of half of it at most.
                const int64_t rest = static_cast<int64_t>(h >> 8 & 255) * length_ / 512;
                out.kind = Kind::rising;
                out.large = (h >> 28 & 1) != 0 ? length_ : length_ - rest;
                out.sign = (h >> 29 & 3) == 0 ? Sign::flipped : Sign::drawn;
            } else if (which == 0 || !all_kinds) {
                out.sign = variant_.bounded ? Sign::drawn : Sign::flipped;
                out.own_until = own_until;
            } else if (which == 1) {
                out.kind = Kind::constant;
            } else if (which == 2) {
                out.kind = Kind::sparse;
                out.sign = any;
            } else {
                out.kind = Kind::constant;
                out.value =
                    constants_.step * static_cast<float>(1 + (h >> 8) % 4) * ((h & 16) != 0 ? -1.0F : 1.0F);
            }
        }
    }
    out.hash = h;
    return out;
}

Pattern::Trait Pattern::column(int64_t index) const {
    Trait out;
    out.hash = mixed(static_cast<uint32_t>(index) ^ salt_);
    if (columns_apart_ == 0) {
        if (length_ > 1) {
            const int64_t along = ((index - begin_) % length_ + length_) % length_;
            out.place = static_cast<int64_t>(static_cast<__int128>(along) * inverse_ % length_);
        }
        return out;
    }
    const uint32_t order = hash(6, index / 8);
    const uint32_t h = hash(7, index);
    switch ((static_cast<uint32_t>(index % 8) * (order | 1) + (order >> 8)) & 7) {
        case 0:
            out.factor =
                (index / 8 % 2 == 0 || guarded_.empty() ? small(index / 8) : guarded(index / 16)).factor;
            break;
        case 1:
            out.factor = 0x1p-5F;
            break;
        case 2:
            out.kind = variant_.ties ? Kind::ties : Kind::own;
            if (variant_.ties) out.factor = finer(h);
            break;
        case 3:
            out.kind = Kind::heavy;
            break;
        case 4:
            if (variant_.extremes && variant_.ties && !variant_.bounded && (h & 3) == 0)
                out.kind = Kind::constant;
            break;
        case 5:  // a largest element below zero, a smallest one above
            out.sign = (h & 1) != 0 ? Sign::negative : Sign::positive;
            break;
        default:
            break;
    }
    return out;
}

Pattern::Integers Pattern::integers(const Distribution& law, int64_t line) const {
    using Kind = Integers::Kind;
    const uint32_t order = hash(8, line / 8), h = hash(9, line);
    const uint64_t last = law.count - 1;
    switch ((static_cast<uint32_t>(line % 8) * (order | 1) + (order >> 8)) & 7) {
        case 0:
            return {Kind::equal, law.low + static_cast<int64_t>(h % law.count)};
        case 1:
            return {Kind::equal, law.low};
        case 2:
            return {Kind::equal, law.low + static_cast<int64_t>(last)};
        case 3:
            return {Kind::rising, law.low};
        case 4:
            return {Kind::step,
                    1 + static_cast<int64_t>(h % static_cast<uint64_t>(std::max<int64_t>(length_ - 1, 1)))};
        default:
            return {};
    }
}

float Pattern::element(const Trait& line, const Trait& column, int64_t c, float drawn) const {
    const Constants& k = constants_;
    if (c < line.own_until) return drawn;
    const Trait& t = line.final || columns_apart_ == 0 ? line : column;
    const float x = drawn - k.anchor;
    const uint32_t h = mixed(line.hash ^ column.hash);
    float out = drawn;
    switch (t.kind) {
        case Kind::own:
            if (t.factor != 1) out = x * t.factor + k.anchor;
            break;
        case Kind::spikes: {
            int64_t behind = column.place - line.place;
            if (behind < 0) behind += length_;
            if (behind < line.large)
                out = (x / 2 + std::copysign(k.unit / 2, x)) * t.factor + k.anchor;  // no two are equal
            else
                out = x * k.background + k.anchor;
            break;
        }
        case Kind::ties:
            out = (std::floor(drawn / (k.step * t.factor)) * k.step + k.half_step) * t.factor;
            break;
        case Kind::heavy: {
            const int exponent = std::min(std::countr_zero(h | 1U << 7), 6);
            out = x * power(k.bounded ? -exponent : exponent) + k.anchor;
            break;
        }
        case Kind::sparse:
            out = (h & 7) != 0 ? 0 : drawn;
            break;
        case Kind::constant:
            out = t.value;
            break;
        case Kind::rising:
            if (c < t.large)
                out = (static_cast<float>(2 * c + 1) / static_cast<float>(length_) - 1) * k.unit + k.anchor;
            break;
    }
    if (k.ends && line.hash != 0)
        if (const uint32_t which = h >> 16 & 63; which < 2) return which == 0 ? k.lowest : k.end;
    if (k.bounded) return std::clamp(out, k.lowest, k.highest);
    switch (columns_apart_ == 0 || line.final || column.sign == Sign::drawn ? line.sign : column.sign) {
        case Sign::drawn:
            return out;
        case Sign::negative:
            return -std::abs(out);
        case Sign::flipped:
            return -out;
        case Sign::positive:
            return std::abs(out);
        case Sign::by_element:
            return (h >> 31) != 0 ? -out : out;
    }
    return out;
}

}  // namespace tritonsmith::run
