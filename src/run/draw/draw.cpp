#include "run/draw/draw.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "run/draw/narrow_float.h"
#include "run/draw/pattern.h"
#include "run/draw/philox.h"

namespace tritonsmith::run {
namespace {

using plan::DType;
using Words = std::array<uint32_t, 4>;

constexpr float kTwoPi = 6.2831853071795864769f;

Words block(const DrawKey& key, uint64_t index) {
    return philox4x32(
        {static_cast<uint32_t>(index), static_cast<uint32_t>(index >> 32), key.ordinal, key.stream},
        {static_cast<uint32_t>(key.seed), static_cast<uint32_t>(key.seed >> 32)});
}

float unit(uint32_t word) {
    return static_cast<float>(word >> 8) * 0x1p-24f;
}  // [0, 1)
float open_unit(uint32_t word) {
    return (static_cast<float>(word >> 8) + 1.0f) * 0x1p-24f;
}  // (0, 1]

/// Four standard normals of four words (Box–Muller).
std::array<float, 4> normals(const Words& words) {
    std::array<float, 4> out;
    for (int pair = 0; pair < 2; ++pair) {
        float radius = std::sqrt(-2.0f * std::log(open_unit(words[2 * pair])));
        float angle = kTwoPi * unit(words[2 * pair + 1]);
        out[2 * pair] = radius * std::cos(angle);
        out[2 * pair + 1] = radius * std::sin(angle);
    }
    return out;
}

std::array<float, 4> floats(const Distribution& law, const Words& words) {
    std::array<float, 4> out;
    float a = static_cast<float>(law.a), b = static_cast<float>(law.b);
    if (law.law == Law::normal || law.law == Law::log_normal) {
        out = normals(words);
        for (float& value : out) {
            value = a + b * value;
            if (law.law == Law::log_normal) value = std::exp(value);
        }
        return out;
    }
    for (int i = 0; i < 4; ++i) {
        uint32_t word = words[i];
        switch (law.law) {
            case Law::uniform:
            case Law::level:
                out[i] = a + unit(word) * (b - a);
                break;
            case Law::exponential:
                out[i] = -std::log(open_unit(word)) / a;
                break;
            case Law::cauchy:
                out[i] = a + b * std::tan(kTwoPi / 2 * (unit(word) - 0.5f));
                break;
            case Law::bernoulli:
                out[i] = static_cast<double>(word) * 0x1p-32 < law.a ? 1.0f : 0.0f;
                break;
            case Law::geometric:
                out[i] = law.a >= 1 ? 1.0f : std::ceil(std::log(open_unit(word)) / std::log1p(-a));
                out[i] = std::max(out[i], 1.0f);
                break;
            default:
                out[i] = 0;
        }
    }
    return out;
}

/// A permutation of [0, count) that can be asked element by element: a Feistel network over the next even
/// number of bits, walked until it falls into the range again.
uint64_t permuted(const DrawKey& key, uint64_t count, uint64_t element) {
    int half = std::max(1, (static_cast<int>(std::bit_width(count - 1)) + 1) / 2);
    uint64_t mask = (uint64_t{1} << half) - 1;
    do {
        uint64_t left = element >> half, right = element & mask;
        for (uint32_t round = 0; round < 6; ++round) {
            Words words = block(key, right | uint64_t{round} << 40);
            uint64_t next = left ^ (words[0] & mask);
            left = right;
            right = next;
        }
        element = left << half | right;
    } while (element >= count);
    return element;
}

uint64_t integer(const DrawKey& key, const Distribution& law, uint64_t index) {
    if (law.law == Law::permutation) return permuted(key, law.count, index % law.count);
    Words words = block(key, index / 2);
    uint64_t random = uint64_t{words[index % 2 * 2]} << 32 | words[index % 2 * 2 + 1];
    if (law.count == 0) return random + static_cast<uint64_t>(law.low);
    return static_cast<uint64_t>(static_cast<unsigned __int128>(random) * law.count >> 64) +
           static_cast<uint64_t>(law.low);
}

template <class T>
void put(std::byte* out, int64_t index, T value) {
    std::memcpy(out + index * static_cast<int64_t>(sizeof(T)), &value, sizeof(T));
}

/// Stores value `V` (float or uint64_t holding a two's complement integer) in the dtype.
template <class V>
void store(std::byte* out, int64_t i, DType dtype, V value) {
    auto whole = [&] {
        if constexpr (std::is_floating_point_v<V>)
            return static_cast<int64_t>(value);
        else
            return static_cast<int64_t>(value);
    };
    auto real = [&] {
        if constexpr (std::is_floating_point_v<V>)
            return value;
        else
            return static_cast<float>(static_cast<int64_t>(value));
    };
    switch (dtype) {
        case DType::f64:
            put<double>(out, i, static_cast<double>(real()));
            break;
        case DType::f32:
            put<float>(out, i, real());
            break;
        case DType::f16:
            put<uint16_t>(out, i, to_f16(real()));
            break;
        case DType::bf16:
            put<uint16_t>(out, i, to_bf16(real()));
            break;
        case DType::i64:
        case DType::u64:
            put<int64_t>(out, i, whole());
            break;
        case DType::i32:
        case DType::u32:
            put<int32_t>(out, i, static_cast<int32_t>(whole()));
            break;
        case DType::i16:
        case DType::u16:
            put<int16_t>(out, i, static_cast<int16_t>(whole()));
            break;
        case DType::i8:
        case DType::u8:
            put<int8_t>(out, i, static_cast<int8_t>(whole()));
            break;
        case DType::b1:
            put<uint8_t>(out, i, whole() != 0);
            break;
        default:
            throw InputError("random numbers in complex or 8-bit floating types are not drawn");
    }
}

/// Which elements of an uneven draw are left as they are. Asked in rising order it costs little: the runs'
/// choices are made of two counters for every 1024 elements, that of an element of bits that its value does
/// not use.
class Uneven {
  public:
    explicit Uneven(const DrawKey& key) : key_(key) { key_.stream |= 1u << 16; }

    float scale(int64_t element, uint32_t word) {
        if (element >> 10 != run_) look(element >> 10);
        const bool kept = whole_ || chosen(words_, element >> 5 & 31) || (word & 15) == 0;
        return kept ? 1 : kUnevenScale;
    }

  private:
    static bool chosen(const Words& words, int64_t nibble) {
        return (words[static_cast<size_t>(nibble / 8)] >> nibble % 8 * 4 & 15) == 0;
    }
    void look(int64_t run) {
        run_ = run;
        words_ = block(key_, static_cast<uint64_t>(run));
        whole_ = chosen(block(key_, static_cast<uint64_t>(run >> 5) | uint64_t{1} << 63), run & 31);
    }

    DrawKey key_;
    int64_t run_ = -1;
    bool whole_ = false;
    Words words_{};
};

bool holds_reals(DType dtype) {
    return dtype == DType::f64 || dtype == DType::f32 || dtype == DType::f16 || dtype == DType::bf16;
}

}  // namespace

DrawKey draw_key(uint64_t seed, plan::Phase phase, int ordinal) {
    return {seed, static_cast<uint32_t>(phase) + 1, static_cast<uint32_t>(ordinal)};
}

bool may_be_uneven(const Distribution& law) {
    switch (law.law) {
        case Law::uniform:
            return law.a <= 0 && law.b >= 0;
        case Law::normal:
            return std::abs(law.a) <= law.b;
        case Law::exponential:
        case Law::cauchy:
            return true;
        default:
            return false;
    }
}

namespace {

bool has_equal_lines(const Variant& variant) {
    return variant.pattern == Variant::Pattern::rows && variant.lines;
}

/// Zeros and ones, of which neither is certain.
bool draws_flags(const Distribution& law) {
    return law.law == Law::level || (law.law == Law::bernoulli && law.a > 0 && law.a < 1);
}

/// What the variant is of a leaf that it leaves to its law.
Variant kept_to_law(Variant variant) {
    variant.sign = variant.scale = 1;
    variant.offset = 0;
    variant.bounded = true;
    return variant;
}

}  // namespace

Variant of_law(const Variant& variant, const StepLaw& law, int rank) {
    const auto& kept = variant.kept;
    if (law.variant_applies)
        return std::find(kept.begin(), kept.end(), rank) == kept.end() ? variant : kept_to_law(variant);
    Variant integers;
    integers.pattern = variant.pattern;
    integers.lines = variant.lines;
    integers.whole = variant.whole;
    integers.planted = variant.planted;
    if (law.distribution.law == Law::integer) return integers;
    const bool concerned = has_equal_lines(integers) || integers.whole != Variant::Whole::drawn;
    return concerned && draws_flags(law.distribution) ? integers : Variant{};
}

Distribution integers_of(const Distribution& law) {
    return law.law == Law::integer ? law : Distribution{Law::integer, 0, 1, 0, 2};
}

bool patterned_integers(const Draw& draw) {
    const bool integers = draw.law.law == Law::integer && draw.law.count > 0;
    return has_equal_lines(draw.variant) && (integers || draws_flags(draw.law)) && !draw.shape.empty();
}

LeafRole usable_role(const Draw& draw) {
    const bool stays = draw.law.law == Law::uniform || draw.law.law == Law::normal;
    return stays ? draw.role : LeafRole{draw.role.rank};
}

Distribution image_law(const Distribution& law, const LeafRole& role) {
    Distribution out = law;
    out.a = role.factor * law.a + role.offset;
    if (law.law == Law::uniform) {
        out.b = role.factor * law.b + role.offset;
        if (out.b < out.a) std::swap(out.a, out.b);
    } else {
        out.b = std::abs(role.factor) * law.b;
    }
    return out;
}

namespace {

/// What a variant makes of single elements, in rising order.
class Varied {
  public:
    Varied(const Draw& draw, const LeafRole& role)
        : role_(role),
          factor_(static_cast<float>(role.factor)),
          offset_(static_cast<float>(role.offset)),
          pattern_(draw.key, image_law(draw.law, role), draw.variant, role.rank, draw.shape) {}

    float operator()(int64_t element, float drawn) {
        const int64_t line = element / pattern_.length(), place = element % pattern_.length();
        if (line != line_) trait_ = pattern_.line(line_ = line);
        if (!role_.affine()) return pattern_.element(trait_, pattern_.column(place), place, drawn);
        const float image = factor_ * drawn + offset_;
        return (pattern_.element(trait_, pattern_.column(place), place, image) - offset_) / factor_;
    }

  private:
    LeafRole role_;
    float factor_, offset_;
    Pattern pattern_;
    int64_t line_ = -1;
    Pattern::Trait trait_;
};

/// Elements that are one of the variant's planted numbers, as far as the law has these; all draws have the
/// same in the same places. A third of those that are real are a little more or less, by another amount in
/// each draw: what is nearly equal is not.
class Planted {
  public:
    Planted(const Draw& draw, const LeafRole& role)
        : salt_(Pattern::mixed(static_cast<uint32_t>(draw.key.seed))),
          own_(Pattern::mixed(salt_ ^ Pattern::mixed(draw.key.ordinal + 1))),
          law_(image_law(draw.law, role)),
          role_(role) {
        for (double value : draw.variant.planted)
            if (holds(law_, value)) values_.push_back(value);
    }
    bool empty() const { return values_.empty(); }
    std::optional<double> at(int64_t element) const {
        const uint32_t hash = Pattern::mixed(static_cast<uint32_t>(element) ^
                                             Pattern::mixed(static_cast<uint32_t>(element >> 32) ^ salt_));
        if ((hash & 1) != 0) return std::nullopt;
        const double value = values_[(hash >> 1) % values_.size()];
        return ((law_.law == Law::integer ? value : nearly(value, hash)) - role_.offset) / role_.factor;
    }

  private:
    /// Off by 2^-8 to 2^-23 of the value, or of a quarter.
    double nearly(double value, uint32_t hash) const {
        const uint32_t how = Pattern::mixed(hash);
        if (how % 3 != 0) return value;
        const int sign = static_cast<int>(Pattern::mixed(hash ^ own_) % 3) - 1;
        const double off = std::ldexp(std::max(std::abs(value), 0.25), -8 - static_cast<int>(how / 3 % 16));
        return holds(law_, value + sign * off) ? value + sign * off : value;
    }

    static bool holds(const Distribution& law, double value) {
        constexpr double far = 1e4, near = 8;
        switch (law.law) {
            case Law::integer:
                return value == std::floor(value) && value >= static_cast<double>(law.low) &&
                       value < static_cast<double>(law.low) + static_cast<double>(law.count) && law.count > 0;
            case Law::uniform:
                return value >= law.a && value < law.b;
            case Law::exponential:
                return value >= 0 && value * law.a < far;
            case Law::log_normal:
                return value > 0 && value < far * std::exp(law.a);
            case Law::normal:
                // One that stays away from zero does so for a reason.
                if (std::abs(law.a) > 4 * law.b) return std::abs(value - law.a) < near * law.b;
                return std::abs(value) < far * (std::abs(law.a) + law.b);
            case Law::cauchy:
                return std::abs(value) < far * (std::abs(law.a) + law.b);
            default:
                return false;
        }
    }

    uint32_t salt_, own_;
    Distribution law_;
    LeafRole role_;
    std::vector<double> values_;
};

/// Integers of a law, or flags, whose lines are equal, extreme or rising here and there.
void fill_integers(const Draw& draw, int64_t first, int64_t count, std::byte* out) {
    const Pattern pattern(draw.key, draw.law, draw.variant, 0, draw.shape);
    const Distribution law = integers_of(draw.law);
    const bool whole = draw.law.law == Law::integer;
    int64_t line = -1, held = -1;
    Pattern::Integers now;
    std::array<float, 4> values{};  // of four elements from 4 * held on
    for (int64_t i = first; i < first + count; ++i) {
        if (i / pattern.length() != line) now = pattern.integers(law, line = i / pattern.length());
        const bool drawn = now.kind == Pattern::Integers::Kind::drawn;
        if (drawn && !whole) {
            if (i / 4 != held)
                values = floats(draw.law, block(draw.key, static_cast<uint64_t>(held = i / 4)));
            store(out, i - first, draw.dtype, values[static_cast<size_t>(i % 4)]);
            continue;
        }
        uint64_t value = static_cast<uint64_t>(now.first);
        if (drawn)
            value = integer(draw.key, draw.law, static_cast<uint64_t>(i));
        else if (now.kind == Pattern::Integers::Kind::rising)
            value += static_cast<uint64_t>(i % pattern.length()) % law.count;
        else if (now.kind == Pattern::Integers::Kind::step)
            value = static_cast<uint64_t>(law.low) + (i % pattern.length() < now.first ? 0 : law.count - 1);
        store(out, i - first, draw.dtype, value);
    }
}

/// Whether the variant gives the draw as a whole few values.
bool few_values(const Draw& draw) {
    if (draw.variant.whole == Variant::Whole::drawn) return false;
    const bool integers = draw.law.law == Law::integer && draw.law.count > 1;
    if (!integers && !draws_flags(draw.law)) return false;
    return draw.variant.lines || integers_of(draw.law).count > 2;
}

void fill_few_values(const Draw& draw, int64_t first, int64_t count, std::byte* out) {
    const Distribution law = integers_of(draw.law);
    const bool one = draw.variant.whole == Variant::Whole::one;
    const auto value = [&](uint64_t of_law) { return static_cast<uint64_t>(law.low) + of_law; };
    const uint32_t salt = Pattern::mixed(static_cast<uint32_t>(draw.key.seed) ^
                                         Pattern::mixed(draw.key.ordinal)),
                   other = Pattern::mixed(salt);
    uint64_t a = salt % law.count, b = one ? a : (a + 1 + other % (law.count - 1)) % law.count;
    if (law.count == 2) a = b = one ? 0 : 1;
    for (int64_t i = 0; i < count; ++i) {
        const uint32_t which = Pattern::mixed(static_cast<uint32_t>(first + i) ^ salt);
        store(out, i, draw.dtype, value((which & 1) != 0 ? a : b));
    }
}

}  // namespace

void fill(const Draw& draw, int64_t first, int64_t count, std::byte* out) {
    const Distribution& law = draw.law;
    const Variant& variant = draw.variant;
    if (few_values(draw)) return fill_few_values(draw, first, count, out);
    const bool patterned = variant.pattern != Variant::Pattern::none && !draw.shape.empty();
    if (patterned && patterned_integers(draw)) return fill_integers(draw, first, count, out);
    if (law.law == Law::integer || law.law == Law::permutation) {
        const Planted planted(draw, {});
        for (int64_t i = 0; i < count; ++i) {
            const auto other = planted.empty() ? std::nullopt : planted.at(first + i);
            store(out, i, draw.dtype,
                  other ? static_cast<uint64_t>(static_cast<int64_t>(*other))
                        : integer(draw.key, law, static_cast<uint64_t>(first + i)));
        }
        return;
    }
    float factor = static_cast<float>(variant.sign * variant.scale),
          offset = static_cast<float>(variant.offset);
    const bool reals = holds_reals(draw.dtype);
    bool varied = reals && (factor != 1 || offset != 0);
    std::optional<Varied> pattern;
    if (patterned && reals) pattern.emplace(draw, usable_role(draw));
    Uneven scaled(draw.key);
    const Planted planted(reals ? draw : Draw{}, usable_role(draw));
    for (int64_t at = first / 4 * 4; at < first + count; at += 4) {
        const Words words = block(draw.key, static_cast<uint64_t>(at) / 4);
        std::array<float, 4> values = floats(law, words);
        for (int64_t lane = 0; lane < 4; ++lane) {
            int64_t i = at + lane - first;
            if (i < 0 || i >= count) continue;
            if (draw.uneven) values[lane] *= scaled.scale(at + lane, words[lane]);
            if (pattern) values[lane] = (*pattern)(at + lane, values[lane]);
            if (const auto other = planted.empty() ? std::nullopt : planted.at(at + lane))
                values[lane] = static_cast<float>(*other);
            store(out, i, draw.dtype, varied ? factor * values[lane] + offset : values[lane]);
        }
    }
}

void fill(const DrawKey& key, const Distribution& law, const Variant& variant, DType dtype, int64_t first,
          int64_t count, std::byte* out, bool uneven) {
    fill({key, law, dtype, variant, {}, {}, uneven}, first, count, out);
}

namespace {

std::optional<ttir::PageSource> source_of(const plan::AtenStep& step, const std::optional<StepLaw>& law,
                                          plan::Phase phase, uint64_t seed, const Variant& variant,
                                          bool uneven, const LeafRole& role) {
    const auto* tensor = std::get_if<plan::Tensor>(&step.result.v);
    if (!law || !tensor || tensor->offset != 0 || step.draw < 0) return std::nullopt;
    int64_t elements = 1;
    for (size_t i = tensor->shape.size(); i-- > 0;) {
        if (tensor->shape[i] != 1 && tensor->stride[i] != elements) return std::nullopt;
        elements *= tensor->shape[i];
    }
    int64_t width = 0;
    switch (tensor->dtype) {
        case DType::f64:
        case DType::i64:
        case DType::u64:
            width = 8;
            break;
        case DType::f32:
        case DType::i32:
        case DType::u32:
            width = 4;
            break;
        case DType::f16:
        case DType::bf16:
        case DType::i16:
        case DType::u16:
            width = 2;
            break;
        case DType::i8:
        case DType::u8:
        case DType::b1:
            width = 1;
            break;
        default:
            return std::nullopt;
    }
    Draw draw;
    draw.key = draw_key(seed, phase, step.draw);
    draw.law = law->distribution;
    draw.dtype = tensor->dtype;
    draw.shape = tensor->shape;
    draw.role = role;
    draw.uneven =
        uneven && law->variant_applies && holds_reals(tensor->dtype) && may_be_uneven(law->distribution);
    if (phase == plan::Phase::inputs) draw.variant = of_law(variant, *law, role.rank);
    return [draw, width, elements](int64_t offset, std::byte* out, int64_t count) {
        // Whole elements around the asked bytes; beyond the last element (alignment of the allocation) zeros.
        int64_t first = offset / width, last = std::min((offset + count + width - 1) / width, elements);
        std::memset(out, 0, static_cast<size_t>(count));
        if (last <= first) return;
        if (offset % width == 0 && (last - first) * width <= count) {
            fill(draw, first, last - first, out);
            return;
        }
        std::vector<std::byte> whole(static_cast<size_t>((last - first) * width));
        fill(draw, first, last - first, whole.data());
        int64_t skip = offset - first * width;
        std::memcpy(out, whole.data() + skip,
                    static_cast<size_t>(std::min(count, static_cast<int64_t>(whole.size()) - skip)));
    };
}

}  // namespace

std::optional<ttir::PageSource> draw_source(const plan::AtenStep& step, plan::Phase phase, uint64_t seed,
                                            const Variant& variant, bool uneven, const LeafRole& role) {
    return source_of(step, step_law(step), phase, seed, variant, uneven, role);
}

std::optional<ttir::PageSource> level_source(const plan::AtenStep& step, plan::Phase phase, uint64_t seed,
                                             const Variant& variant) {
    plan::AtenStep levels = step;
    if (auto* tensor = std::get_if<plan::Tensor>(&levels.result.v)) tensor->dtype = DType::f32;
    return source_of(levels, StepLaw{{Law::level}}, phase, seed, variant, false, {});
}

}  // namespace tritonsmith::run
