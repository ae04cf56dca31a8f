#include "forge/field/reader.h"

#include <algorithm>

#include "forge/emit/refused.h"
#include "forge/emit/scalar_code.h"

namespace tritonsmith::forge {

using graph::Operand;
using graph::ScalarOp;

bool is_inlined(const graph::Node& node) {
    if (std::holds_alternative<graph::Concat>(node.kind)) return node.operands.size() <= kMostInlinedParts;
    return std::holds_alternative<graph::Pointwise>(node.kind) ||
           std::holds_alternative<graph::Gather>(node.kind);
}

std::vector<Index> unravel(const Index& flat, const std::vector<int64_t>& shape, const Extents& extents) {
    const std::vector<int64_t> stride = graph::row_major(shape);
    std::vector<Index> out;
    for (size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] == 1) {
            out.emplace_back(0);
            continue;
        }
        const Index whole = graph::quotient(flat, stride[d], extents);
        out.push_back(graph::remainder(whole, shape[d], extents));
    }
    return out;
}

Index ravel(const std::vector<Index>& at, const std::vector<int64_t>& shape) {
    const std::vector<int64_t> stride = graph::row_major(shape);
    Index out;
    for (size_t d = 0; d < shape.size(); ++d) out.add(at[d], stride[d]);
    return out;
}

int Reader::under(const std::vector<Guard>& guards, int inside, graph::Number otherwise) {
    if (guards.empty()) return inside;
    const DType dtype = field_.dtype(inside);
    const int fill = field_.constant(otherwise, dtype);
    return field_.add({.kind = Term::Kind::choose, .dtype = dtype, .args = {inside, fill}, .guards = guards});
}

int Reader::operand(const Operand& operand, const std::vector<Index>& at, const std::vector<Guard>& guards) {
    std::vector<Index> inner;
    for (const Index& index : operand.view.index)
        inner.push_back(graph::substitute(index, at, field_.extents));
    std::vector<Guard> own;
    for (const Guard& guard : operand.view.guards) {
        Guard moved{graph::substitute(guard.at, at, field_.extents), guard.extent, guard.end};
        const Index::Range range = moved.at.range(field_.extents);
        const bool holds = range.low >= 0 && range.high < moved.extent && !moved.end;
        const bool known = std::find(guards.begin(), guards.end(), moved) != guards.end() ||
                           std::find(own.begin(), own.end(), moved) != own.end();
        if (!holds && !known) own.push_back(std::move(moved));
    }
    std::vector<Guard> all = guards;
    all.insert(all.end(), own.begin(), own.end());
    int term = value(operand.value, inner, all);
    if (!own.empty()) {
        const Term& made = field_.terms[static_cast<size_t>(term)];
        if (made.kind == Term::Kind::load && made.guards == own && guards.empty() && made.chosen.empty()) {
            Term filled = made;  // the load itself gives what is outside
            filled.number = operand.view.fill;
            term = field_.add(std::move(filled));
        } else {
            term = under(own, term, operand.view.fill);
        }
    }
    return field_.as(term, operand.dtype);
}

int Reader::value(int id, const std::vector<Index>& at, const std::vector<Guard>& guards) {
    const graph::Node& maker = context_.graph.maker(id);
    if (!context_.in_memory(id)) {
        if (is_inlined(maker)) {
            inlined.insert(id);
            return make(id, at, guards);
        }
        if (bound && guards.empty())
            if (const std::optional<int> term = bound(id, at)) {
                inlined.insert(id);
                return *term;
            }
    }
    return load(id, at, guards);
}

int Reader::make(int id, const std::vector<Index>& at, const std::vector<Guard>& guards) {
    const graph::Node& maker = context_.graph.maker(id);
    int term = -1;
    if (const auto* kind = std::get_if<graph::Pointwise>(&maker.kind))
        term = field_.as(pointwise(maker, *kind, at, guards), context_.value(id).dtype);
    else if (const auto* kind = std::get_if<graph::Concat>(&maker.kind))
        term = concat(maker, *kind, at, guards);
    else
        term = gather(maker, std::get<graph::Gather>(maker.kind), at, guards);
    Term& made = field_.terms[static_cast<size_t>(term)];
    if (made.name.empty() && made.kind == Term::Kind::op) made.name = context_.value(id).name;
    return term;
}

int Reader::load(int id, const std::vector<Index>& at, const std::vector<Guard>& outer,
                 std::vector<int> chosen) {
    const graph::Value& value = context_.value(id);
    if (!graph::is_leaf(context_.graph.maker(id))) loaded.insert(id);
    // A guard over axes that the address does not have would give the load another shape; it does not keep
    // the address inside of the tensor either.
    auto mentioned = [&](const Guard& guard) {
        for (int axis = 0; axis < static_cast<int>(field_.extents.size()); ++axis) {
            if (!guard.at.mentions(axis)) continue;
            bool used =
                std::any_of(at.begin(), at.end(), [&](const Index& index) { return index.mentions(axis); });
            for (const int term : chosen) used = used || (term >= 0 && field_.mentions(term, axis));
            if (!used) return false;
        }
        return true;
    };
    std::vector<Guard> guards;
    std::copy_if(outer.begin(), outer.end(), std::back_inserter(guards), mentioned);
    return field_.add({.kind = Term::Kind::load,
                       .dtype = value.dtype,
                       .number = int64_t{0},
                       .value = id,
                       .at = at,
                       .chosen = std::move(chosen),
                       .guards = guards});
}

int Reader::pointwise(const graph::Node& node, const graph::Pointwise& kind, const std::vector<Index>& at,
                      const std::vector<Guard>& guards) {
    std::vector<int> made;
    for (const graph::Scalar& step : kind.body.steps) {
        std::vector<int> args;
        for (const int arg : step.args) args.push_back(made[static_cast<size_t>(arg)]);
        switch (step.op) {
            case ScalarOp::operand:
                made.push_back(field_.as(operand(node.operands[static_cast<size_t>(step.which)], at, guards),
                                         step.dtype));
                break;
            case ScalarOp::constant:
                made.push_back(field_.constant(step.number, step.dtype));
                break;
            case ScalarOp::index:
                made.push_back(
                    field_.add({.kind = Term::Kind::index,
                                .dtype = DType::i64,
                                .position = graph::substitute(step.position, at, field_.extents)}));
                break;
            case ScalarOp::cast:
                made.push_back(field_.as(args[0], step.dtype));
                break;
            default:
                made.push_back(operation(step, args));
        }
    }
    return made.back();
}

/// What Triton has no word for is written by its definition.
int Reader::operation(const graph::Scalar& step, const std::vector<int>& args) {
    const DType of = field_.dtype(args[0]);
    const std::vector<Code> names(args.size(), Code{"x"});
    if (scalar_code(step.op, names, compute_dtype(step.dtype), of))
        return field_.apply(step.op, args, step.dtype);
    graph::Expression alone;
    std::vector<int> inputs;
    for (size_t i = 0; i < args.size(); ++i)
        inputs.push_back(alone.operand(static_cast<int>(i), field_.dtype(args[i])));
    alone.apply(step.op, inputs, compute_dtype(step.dtype));
    const graph::Expression defined = graph::expand(alone);
    if (defined.steps.back().op == step.op)
        throw Refused("the operation " + std::string(graph::name_of(step.op)) + " has no form in Triton");
    std::vector<int> made;
    for (const graph::Scalar& part : defined.steps) {
        std::vector<int> inner;
        for (const int arg : part.args) inner.push_back(made[static_cast<size_t>(arg)]);
        if (part.op == ScalarOp::operand)
            made.push_back(field_.as(args[static_cast<size_t>(part.which)], part.dtype));
        else if (part.op == ScalarOp::constant)
            made.push_back(field_.constant(part.number, part.dtype));
        else if (part.op == ScalarOp::cast)
            made.push_back(field_.as(inner[0], part.dtype));
        else
            made.push_back(field_.apply(part.op, inner, part.dtype));
    }
    return made.back();
}

int Reader::concat(const graph::Node& node, const graph::Concat& kind, const std::vector<Index>& at,
                   const std::vector<Guard>& guards) {
    const auto axis = static_cast<size_t>(kind.axis);
    int out = -1;
    int64_t begin = 0;
    for (const Operand& operand : node.operands) begin += operand.shape()[axis];
    for (size_t i = node.operands.size();
         i-- > 0;) {  // from the last: where(first, …, where(second, …, last))
        const Operand& part = node.operands[i];
        begin -= part.shape()[axis];
        std::vector<Index> inner = at;
        inner[axis] = at[axis] - begin;
        const Guard within{inner[axis], part.shape()[axis]};
        const Index::Range range = within.at.range(field_.extents);
        if (range.high < 0 || range.low >= within.extent) continue;  // none of it is read here
        std::vector<Guard> all = guards;
        const bool everywhere = range.low >= 0 && range.high < within.extent;
        if (!everywhere) all.push_back(within);
        const int term = operand(part, inner, all);
        if (everywhere || out < 0) {
            out = term;
            continue;
        }
        // Parts behind this one lie above it, and those before it choose before this one does.
        out = field_.add({.kind = Term::Kind::choose,
                          .dtype = field_.dtype(term),
                          .args = {term, out},
                          .guards = {{at[axis] - begin, part.shape()[axis]}}});
    }
    return out;
}

int Reader::position(const Operand& of, const std::vector<Index>& at, bool wrap, int64_t size,
                     const std::vector<Guard>& guards) {
    const int term = field_.as(operand(of, at, guards), DType::i64);
    if (!wrap) return term;
    const int whole = field_.add({.kind = Term::Kind::index, .dtype = DType::i64, .position = Index(size)});
    const int below = field_.apply(ScalarOp::lt, {term, field_.constant(int64_t{0}, DType::i64)}, DType::b1);
    return field_.apply(ScalarOp::where,
                        {below, field_.apply(ScalarOp::add, {term, whole}, DType::i64), term}, DType::i64);
}

int Reader::gather(const graph::Node& node, const graph::Gather& kind, const std::vector<Index>& at,
                   const std::vector<Guard>& guards) {
    const Operand& source = node.operands[0];
    // Only a plain source can be addressed by what is not known when the kernel is written.
    const std::vector<int64_t>& base = context_.value(source.value).shape;
    std::vector<int> chosen_of(kind.places.size(), -1);
    std::vector<Index> place;
    for (size_t d = 0; d < kind.places.size(); ++d) {
        const graph::Place& from = kind.places[d];
        if (from.operand < 0) {
            place.push_back(graph::substitute(from.at, at, field_.extents));
            continue;
        }
        chosen_of[d] = position(node.operands[static_cast<size_t>(from.operand) + 1], at, kind.wrap,
                                source.shape()[d], guards);
        place.emplace_back(0);
    }
    std::vector<Index> inner(base.size());
    std::vector<int> chosen(base.size(), -1);
    for (size_t d = 0; d < base.size(); ++d) {
        const Index& index = source.view.index[d];
        const int axis = index.plain_axis();
        if (axis >= 0) {
            inner[d] = place[static_cast<size_t>(axis)];
            chosen[d] = chosen_of[static_cast<size_t>(axis)];
        } else if (index.is_constant()) {
            inner[d] = index;
        } else {
            bool dynamic = false;
            for (size_t axis = 0; axis < chosen_of.size(); ++axis)
                dynamic |= chosen_of[axis] >= 0 && index.mentions(static_cast<int>(axis));
            if (dynamic || !source.view.guards.empty()) {
                throw Refused("a gather through a view that is no permutation", node.op, node.line);
            }
            inner[d] = graph::substitute(index, place, field_.extents);
        }
    }
    return field_.as(load(source.value, inner, guards, chosen), source.dtype);
}

}  // namespace tritonsmith::forge
