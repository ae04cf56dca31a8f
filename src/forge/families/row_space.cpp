#include "forge/families/row_space.h"

#include <fmt/format.h>

#include <algorithm>

#include "forge/emit/refused.h"
#include "forge/emit/scalar_code.h"

namespace tritonsmith::forge {

using graph::ReduceKind;
using graph::ScalarOp;

Code identity(ReduceKind kind, DType dtype) {
    if (kind == ReduceKind::sum) return number_code(int64_t{0}, dtype);
    if (kind == ReduceKind::prod) return number_code(int64_t{1}, dtype);
    const bool low = kind == ReduceKind::max;
    if (is_float(dtype)) return {low ? "float(\"-inf\")" : "float(\"inf\")"};
    if (dtype == DType::b1) return {low ? "False" : "True"};
    const int bits = dtype == DType::i64 ? 63 : dtype == DType::i32 ? 31 : dtype == DType::i16 ? 15 : 7;
    return low ? Code{fmt::format("-{}", uint64_t{1} << bits), Binding::unary}
               : Code{std::to_string((uint64_t{1} << bits) - 1)};
}

RowSpace::RowSpace(std::vector<int64_t> of, std::vector<int> reduced)
    : shape(std::move(of)), axes(std::move(reduced)) {
    std::vector<int64_t> inner;
    for (size_t d = 0; d < shape.size(); ++d)
        (std::find(axes.begin(), axes.end(), static_cast<int>(d)) == axes.end() ? kept : inner)
            .push_back(shape[d]);
    rows = graph::element_count(kept);
    cols = graph::element_count(inner);
    const std::vector<Index> outer = unravel(Index::axis(0), kept, extents());
    const std::vector<Index> within = unravel(Index::axis(1), inner, extents());
    size_t k = 0, r = 0;
    for (size_t d = 0; d < shape.size(); ++d)
        at.push_back(std::find(axes.begin(), axes.end(), static_cast<int>(d)) == axes.end() ? outer[k++]
                                                                                            : within[r++]);
}

bool RowSpace::columns() const {
    for (size_t d = shape.size(); d-- > 0;)
        if (shape[d] > 1) return std::find(axes.begin(), axes.end(), static_cast<int>(d)) == axes.end();
    return false;
}

int RowReductions::level_of(int term) const {
    const Term& of = field_.terms[static_cast<size_t>(term)];
    int level = 0;
    if (of.kind == Term::Kind::local)
        for (const Primitive& known : primitives)
            if (known.result == term) level = known.level;
    for (const int arg : of.args) level = std::max(level, level_of(arg));
    for (const int arg : of.chosen)
        if (arg >= 0) level = std::max(level, level_of(arg));
    return level;
}

int RowReductions::primitive(ReduceKind kind, int input, const std::string& name) {
    const Term& of = field_.terms[static_cast<size_t>(input)];
    if (kind == ReduceKind::sum && of.kind == Term::Kind::constant) {
        const int columns = field_.as(count(), of.dtype);
        const bool one = graph::as_double(of.number) == 1;
        return one ? columns : field_.apply(ScalarOp::mul, {input, columns}, field_.dtype(input));
    }
    for (const Primitive& known : primitives)
        if (known.kind == kind && known.input == input) return known.result;
    Primitive out;
    out.kind = kind;
    out.input = input;
    out.dtype = field_.dtype(input);
    out.level = level_of(input) + 1;
    out.name = kernel_.unique(name);
    out.result = field_.local(out.name, out.dtype);
    primitives.push_back(out);
    return out.result;
}

int RowReductions::count() {
    return field_.add({.kind = Term::Kind::index, .dtype = DType::i64, .position = Index(space_.cols)});
}

std::optional<int> RowReductions::result(int value) {
    if (const auto found = done_.find(value); found != done_.end()) return found->second;
    const graph::Node& node = context_.graph.maker(value);
    const auto* kind = std::get_if<graph::Reduce>(&node.kind);
    if (!kind || !space_.same(node.operands[0].shape(), kind->axes)) return std::nullopt;
    const graph::Value& of = context_.value(value);
    const int input = reader_.operand(node.operands[0], space_.at);
    const int term = field_.as(reduce(node, *kind, input, of.dtype, of.result, of.name), of.dtype);
    done_[value] = term;
    return term;
}

/// The first column whose element is the row's extreme, as i64.
int RowReductions::first_place(int input, int extreme) {
    const DType dtype = space_.cols < (int64_t{1} << 31) ? DType::i32 : DType::i64;
    const int here = field_.apply(ScalarOp::eq, {input, extreme}, DType::b1);
    auto index = [&](Index position) {
        return field_.add({.kind = Term::Kind::index, .dtype = dtype, .position = std::move(position)});
    };
    const int column = index(Index::axis(1)), none = index(Index(space_.cols));
    const int place =
        primitive(ReduceKind::min, field_.apply(ScalarOp::where, {here, column, none}, dtype), "first");
    for (Primitive& known : primitives)
        if (known.result == place) known.extreme = extreme;
    return field_.as(place, DType::i64);
}

int RowReductions::reduce(const graph::Node& node, const graph::Reduce& kind, int input, DType dtype,
                          int which, const std::string& given) {
    const DType wide = compute_dtype(dtype);
    auto named = [&](const char* word) { return given.empty() ? std::string(word) : identifier(given); };
    auto number = [&](double value) { return field_.constant(value, field_.dtype(input)); };
    switch (kind.kind) {
        case ReduceKind::sum:
            return primitive(kind.kind, field_.as(input, wide), named("row_sum"));
        case ReduceKind::prod:
            return primitive(kind.kind, field_.as(input, wide), named("row_product"));
        case ReduceKind::max:
            return primitive(kind.kind, input, named("highest"));
        case ReduceKind::min:
            return primitive(kind.kind, input, named("lowest"));
        case ReduceKind::mean:
            return field_.apply(ScalarOp::div,
                                {primitive(ReduceKind::sum, field_.as(input, wide), "row_sum"), count()},
                                dtype);
        case ReduceKind::var:
        case ReduceKind::std: {
            const int x = field_.as(input, wide);
            const int mean =
                field_.apply(ScalarOp::div, {primitive(ReduceKind::sum, x, "row_sum"), count()}, dtype);
            Term& average = field_.terms[static_cast<size_t>(mean)];
            if (average.name.empty()) average.name = "mean";
            const int centred = field_.apply(ScalarOp::sub, {x, mean}, dtype);
            field_.terms[static_cast<size_t>(centred)].name = "centred";
            const int squares =
                primitive(ReduceKind::sum, field_.apply(ScalarOp::square, {centred}, dtype), "squares");
            const auto correction = static_cast<int64_t>(kind.correction);
            const int divisor = correction == 0 ? count()
                                                : field_.add({.kind = Term::Kind::index,
                                                              .dtype = DType::i64,
                                                              .position = Index(space_.cols - correction)});
            const int var = field_.apply(ScalarOp::div, {squares, divisor}, dtype);
            return kind.kind == ReduceKind::var ? var : field_.apply(ScalarOp::sqrt, {var}, dtype);
        }
        case ReduceKind::norm: {
            const int x = field_.as(input, wide);
            if (kind.p == 2)
                return field_.apply(
                    ScalarOp::sqrt,
                    {primitive(ReduceKind::sum, field_.apply(ScalarOp::square, {x}, dtype), "squares")},
                    dtype);
            const int size = field_.apply(ScalarOp::abs, {x}, dtype);
            if (kind.p == 1) return primitive(ReduceKind::sum, size, "norm");
            if (kind.p > 1e300) return primitive(ReduceKind::max, size, "norm");
            if (kind.p < -1e300) return primitive(ReduceKind::min, size, "norm");
            if (kind.p == 0)
                return primitive(
                    ReduceKind::sum,
                    field_.as(field_.apply(ScalarOp::ne, {x, field_.constant(0.0, dtype)}, DType::b1), dtype),
                    "norm");
            const int power = field_.constant(kind.p, dtype);
            const int total =
                primitive(ReduceKind::sum, field_.apply(ScalarOp::pow, {size, power}, dtype), "powers");
            return field_.apply(ScalarOp::pow, {total, field_.constant(1 / kind.p, dtype)}, dtype);
        }
        case ReduceKind::logsumexp: {
            const int x = field_.as(input, wide);
            const int highest = primitive(ReduceKind::max, x, "highest");
            // A row of infinities of one sign is its own log-sum.
            const int finite = field_.apply(ScalarOp::isinf, {highest}, DType::b1);
            const int shift =
                field_.apply(ScalarOp::where, {finite, field_.constant(0.0, dtype), highest}, dtype);
            field_.terms[static_cast<size_t>(shift)].name = "shift";
            const int total = primitive(
                ReduceKind::sum,
                field_.apply(ScalarOp::exp, {field_.apply(ScalarOp::sub, {x, shift}, dtype)}, dtype),
                "exp_sum");
            return field_.apply(ScalarOp::add, {field_.apply(ScalarOp::log, {total}, dtype), shift}, dtype);
        }
        case ReduceKind::any:
        case ReduceKind::all: {
            const int truth = field_.as(field_.as(input, DType::b1), DType::i32);
            return field_.as(
                primitive(kind.kind == ReduceKind::any ? ReduceKind::max : ReduceKind::min, truth, "found"),
                DType::b1);
        }
        case ReduceKind::count_nonzero:
            return primitive(ReduceKind::sum, field_.as(field_.as(input, DType::b1), DType::i64), "nonzero");
        case ReduceKind::argmax:
        case ReduceKind::argmin:
        case ReduceKind::max_index:
        case ReduceKind::min_index: {
            const bool most = kind.kind == ReduceKind::argmax || kind.kind == ReduceKind::max_index;
            const int extreme =
                primitive(most ? ReduceKind::max : ReduceKind::min, input, most ? "highest" : "lowest");
            if ((kind.kind == ReduceKind::max_index || kind.kind == ReduceKind::min_index) && which == 0)
                return extreme;
            return first_place(input, extreme);
        }
    }
    (void)number;
    throw Refused("a reduction that no kernel knows", node.op, node.line);
}

}  // namespace tritonsmith::forge
