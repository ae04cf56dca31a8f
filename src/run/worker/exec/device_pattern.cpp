#include "run/worker/exec/device_pattern.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/copysign.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <functional>

#include "run/draw/pattern.h"

namespace tritonsmith::run {

namespace {

using Kind = Pattern::Kind;
using Sign = Pattern::Sign;

/// What lines or columns [first, last) have, each a column or a row of a matrix on the device.
struct Traits {
    at::Tensor kind, sign, final, factor, value, place, large, own_until, hash;
    bool kinds[Pattern::kKinds] = {}, scaled = false, starts_own = false;
};

Traits traits(const std::function<Pattern::Trait(int64_t)>& of, int64_t first, int64_t last, bool lines,
              at::Device device) {
    const int64_t count = last - first;
    auto make = [&](at::ScalarType type) { return at::empty({count}, at::TensorOptions(type)); };
    Traits t{make(at::kByte), make(at::kByte), make(at::kBool), make(at::kFloat), make(at::kFloat),
             make(at::kLong), make(at::kLong), make(at::kLong), make(at::kLong)};
    at::parallel_for(0, count, 1 << 12, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const Pattern::Trait trait = of(first + i);
            t.kind.data_ptr<uint8_t>()[i] = static_cast<uint8_t>(trait.kind);
            t.sign.data_ptr<uint8_t>()[i] = static_cast<uint8_t>(trait.sign);
            t.final.data_ptr<bool>()[i] = trait.final;
            t.factor.data_ptr<float>()[i] = trait.factor;
            t.value.data_ptr<float>()[i] = trait.value;
            t.place.data_ptr<int64_t>()[i] = trait.place;
            t.large.data_ptr<int64_t>()[i] = trait.large;
            t.own_until.data_ptr<int64_t>()[i] = trait.own_until;
            t.hash.data_ptr<int64_t>()[i] = trait.hash;
        }
    });
    for (int64_t i = 0; i < count; ++i) {
        t.kinds[t.kind.data_ptr<uint8_t>()[i]] = true;
        t.scaled |= t.factor.data_ptr<float>()[i] != 1;
        t.starts_own |= t.own_until.data_ptr<int64_t>()[i] > 0;
    }
    for (at::Tensor* each :
         {&t.kind, &t.sign, &t.final, &t.factor, &t.value, &t.place, &t.large, &t.own_until, &t.hash})
        *each = each->to(device).view(lines ? at::IntArrayRef{count, 1} : at::IntArrayRef{1, count});
    return t;
}

/// Pattern::mixed of 32-bit numbers in int64.
at::Tensor mixed_words(at::Tensor x) {
    constexpr int64_t kWord = 0xffffffff;
    x = x.bitwise_xor(x.bitwise_right_shift(16));
    x = x.mul(int64_t{0x7feb352d}).bitwise_and(kWord);
    x = x.bitwise_xor(x.bitwise_right_shift(15));
    x = x.mul(int64_t{0x846ca68b}).bitwise_and(kWord);
    return x.bitwise_xor(x.bitwise_right_shift(16));
}

/// One piece: `v` is [lines, columns] of drawn values, and is overwritten. As Pattern::element.
void apply(const at::Tensor& v, const Pattern& pattern, const Traits& line, const Traits& column,
           int64_t first_column) {
    const Pattern::Constants& k = pattern.constants();
    const bool by_lines = pattern.by_lines();
    auto chosen = [&](const at::Tensor& of_line, const at::Tensor& of_column) {
        return by_lines ? of_line : at::where(line.final, of_line, of_column);
    };
    auto present = [&](Kind kind) {
        const auto i = static_cast<size_t>(kind);
        return line.kinds[i] || (!by_lines && column.kinds[i]);
    };
    const at::Tensor kind = chosen(line.kind, column.kind);
    auto is = [&](Kind one) { return kind.eq(static_cast<int64_t>(one)); };
    const at::Tensor h = mixed_words(line.hash.bitwise_xor(column.hash)), x = v.sub(k.anchor);
    at::Tensor out = v;
    if (line.scaled || (!by_lines && column.scaled)) {
        const at::Tensor factor = chosen(line.factor, column.factor);
        out = at::where(is(Kind::own).logical_and(factor.ne(1)), x.mul(factor).add(k.anchor), out);
    }
    if (present(Kind::spikes)) {
        at::Tensor behind = column.place.sub(line.place);
        behind = at::where(behind.lt(0), behind.add(pattern.length()), behind);
        const at::Tensor half = at::copysign(at::full_like(x, k.unit / 2), x);
        const at::Tensor factor = chosen(line.factor, column.factor);
        const at::Tensor large = x.div(2).add(half).mul(factor).add(k.anchor);
        out = at::where(is(Kind::spikes),
                        at::where(behind.lt(line.large), large, x.mul(k.background).add(k.anchor)), out);
    }
    if (present(Kind::ties)) {
        const at::Tensor factor = chosen(line.factor, column.factor);
        const at::Tensor whole = v.div(factor.mul(k.step)).floor();
        out = at::where(is(Kind::ties), whole.mul(k.step).add(k.half_step).mul(factor), out);
    }
    if (present(Kind::heavy)) {
        at::Tensor exponent = at::zeros_like(h);
        for (int64_t bits = 1; bits <= 6; ++bits)
            exponent.add_(h.bitwise_and((int64_t{1} << bits) - 1).eq(0));
        const at::Tensor factor = at::pow(k.bounded ? 0.5F : 2.0F, exponent.to(at::kFloat));
        out = at::where(is(Kind::heavy), x.mul(factor).add(k.anchor), out);
    }
    if (present(Kind::sparse))
        out = at::where(is(Kind::sparse), at::where(h.bitwise_and(7).ne(0), at::zeros_like(v), v), out);
    if (present(Kind::rising)) {
        const at::Tensor c = at::arange(first_column, first_column + v.size(1), line.large.options());
        const at::Tensor along = c.mul(2).add(1).to(at::kFloat).div(static_cast<float>(pattern.length()));
        const at::Tensor rises = is(Kind::rising).logical_and(c.unsqueeze(0).lt(line.large));
        out = at::where(rises, along.sub(1).mul(k.unit).add(k.anchor).unsqueeze(0), out);
    }
    if (present(Kind::constant)) out = at::where(is(Kind::constant), chosen(line.value, column.value), out);
    if (k.bounded) {
        out = out.clamp(k.lowest, k.highest);
        if (k.ends) {
            const at::Tensor which =
                at::where(line.hash.eq(0), at::full_like(h, 2), h.bitwise_right_shift(16).bitwise_and(63));
            out = at::where(which.eq(0), k.lowest, at::where(which.eq(1), k.end, out));
        }
    } else {
        // A column's, where it has one and the line is not final.
        const at::Tensor sign =
            by_lines ? line.sign
                     : at::where(line.final.logical_or(column.sign.eq(0)), line.sign, column.sign);
        auto signs = [&](Sign one) { return sign.eq(static_cast<int64_t>(one)); };
        out = at::where(signs(Sign::flipped), out.neg(), out);
        out = at::where(signs(Sign::positive), out.abs(), out);
        out = at::where(signs(Sign::negative), out.abs().neg(), out);
        out = at::where(signs(Sign::by_element).logical_and(h.bitwise_right_shift(31).ne(0)), out.neg(), out);
    }
    if (line.starts_own) {
        const at::Tensor c = at::arange(first_column, first_column + v.size(1), line.own_until.options());
        out = at::where(c.unsqueeze(0).lt(line.own_until), v, out);
    }
    v.copy_(out);
}

/// Calls `piece(values [lines, columns], first line, first column)` for all of a flat tensor.
void in_rectangles(const at::Tensor& flat, int64_t length, int64_t at_a_time,
                   const std::function<void(const at::Tensor&, int64_t, int64_t)>& piece) {
    const int64_t whole = flat.numel() / length, lines = std::max<int64_t>(at_a_time / length, 1);
    for (int64_t line = 0; line < whole; line += lines) {
        const int64_t count = std::min(lines, whole - line);
        const at::Tensor rows = flat.narrow(0, line * length, count * length).view({count, length});
        for (int64_t c = 0; c < length; c += at_a_time)
            piece(rows.narrow(1, c, std::min(at_a_time, length - c)), line, c);
    }
    const int64_t rest = flat.numel() - whole * length;
    if (rest > 0) piece(flat.narrow(0, whole * length, rest).view({1, rest}), whole, 0);
}

}  // namespace

void apply_pattern(const at::Tensor& values, const Draw& draw, int64_t at_a_time) {
    at::NoGradGuard no_grad;
    const LeafRole role = usable_role(draw);
    const Pattern pattern(draw.key, image_law(draw.law, role), draw.variant, role.rank, draw.shape);
    const at::Tensor flat = values.view({-1});
    const at::Device device = values.device();
    if (role.affine()) flat.mul_(static_cast<float>(role.factor)).add_(static_cast<float>(role.offset));
    Traits columns;
    int64_t first = -1, count = 0;
    in_rectangles(
        flat, pattern.length(), at_a_time, [&](const at::Tensor& piece, int64_t line, int64_t column) {
            if (column != first || piece.size(1) != count) {
                first = column;
                count = piece.size(1);
                columns =
                    traits([&](int64_t i) { return pattern.column(i); }, first, first + count, false, device);
            }
            const Traits lines =
                traits([&](int64_t i) { return pattern.line(i); }, line, line + piece.size(0), true, device);
            apply(piece, pattern, lines, columns, column);
        });
    if (role.affine()) flat.sub_(static_cast<float>(role.offset)).div_(static_cast<float>(role.factor));
}

void apply_integers(const at::Tensor& values, const Draw& draw, int64_t at_a_time) {
    at::NoGradGuard no_grad;
    using Integers = Pattern::Integers;
    const Pattern pattern(draw.key, draw.law, draw.variant, 0, draw.shape);
    const Distribution law = integers_of(draw.law);
    const auto range = static_cast<int64_t>(law.count);
    in_rectangles(
        values.view({-1}), pattern.length(), at_a_time,
        [&](const at::Tensor& piece, int64_t line, int64_t column) {
            const int64_t lines = piece.size(0);
            at::Tensor kind = at::empty({lines, 1}, at::kByte), at_first = at::empty({lines, 1}, at::kLong);
            for (int64_t i = 0; i < lines; ++i) {
                const Integers now = pattern.integers(law, line + i);
                kind.data_ptr<uint8_t>()[i] = static_cast<uint8_t>(now.kind);
                at_first.data_ptr<int64_t>()[i] = now.first;
            }
            kind = kind.to(piece.device());
            at_first = at_first.to(piece.device());
            auto is = [&](Integers::Kind one) { return kind.eq(static_cast<int64_t>(one)); };
            const at::Tensor along =
                at::arange(column, column + piece.size(1), at_first.options()).unsqueeze(0);
            const at::Tensor rising = along.remainder(range).add(at_first);
            const at::Tensor step = along.ge(at_first).to(at::kLong).mul(range - 1).add(law.low);
            const at::ScalarType type = piece.scalar_type();
            at::Tensor out = at::where(is(Integers::Kind::equal), at_first.to(type), piece);
            out = at::where(is(Integers::Kind::rising), rising.to(type), out);
            piece.copy_(at::where(is(Integers::Kind::step), step.to(type), out));
        });
}

}  // namespace tritonsmith::run
