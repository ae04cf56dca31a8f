#include "forge/field/field.h"

#include <algorithm>
#include <optional>

#include "forge/emit/scalar_code.h"

namespace tritonsmith::forge {
namespace {

bool same(const Term& a, const Term& b) {
    return a.kind == b.kind && a.dtype == b.dtype && a.op == b.op && a.args == b.args &&
           a.number == b.number && a.position == b.position && a.value == b.value && a.at == b.at &&
           a.chosen == b.chosen && a.guards == b.guards && (a.kind != Term::Kind::local || a.name == b.name);
}

}  // namespace

int Field::add(Term term) {
    for (size_t i = terms.size(); i-- > 0;)
        if (same(terms[i], term)) return static_cast<int>(i);
    terms.push_back(std::move(term));
    return static_cast<int>(terms.size()) - 1;
}

int Field::constant(graph::Number number, DType dtype) {
    return add({.kind = Term::Kind::constant, .dtype = compute_dtype(dtype), .number = number});
}

int Field::apply(graph::ScalarOp op, std::vector<int> args, DType dtype) {
    const bool product = op == graph::ScalarOp::mul, quotient = op == graph::ScalarOp::div;
    if ((product || quotient) && is_float(dtype)) {  // by one: exact
        auto number = [&](int term) {
            const Term& of = terms[static_cast<size_t>(term)];
            return of.kind == Term::Kind::constant ? std::optional(graph::as_double(of.number))
                                                   : std::nullopt;
        };
        const std::optional<double> left = number(args[0]), right = number(args[1]);
        if (product && left && right) return constant(*left * *right, dtype);
        if (right == 1.0) return args[0];
        if (product && left == 1.0) return args[1];
    }
    return add({.kind = Term::Kind::op, .dtype = compute_dtype(dtype), .op = op, .args = std::move(args)});
}

int Field::as(int term, DType dtype) {
    dtype = compute_dtype(dtype);
    const Term& of = terms[static_cast<size_t>(term)];
    if (of.dtype == dtype) return term;
    if (of.kind == Term::Kind::constant && dtype != DType::b1 && is_float(dtype)) {
        return constant(graph::as_double(of.number), dtype);
    }
    return apply(graph::ScalarOp::cast, {term}, dtype);
}

int Field::local(const std::string& name, DType dtype) {
    return add({.kind = Term::Kind::local, .dtype = compute_dtype(dtype), .name = name});
}

bool Field::mentions(int term, int axis) const {
    const Term& of = terms[static_cast<size_t>(term)];
    auto uses = [&](const Index& index) { return index.mentions(axis); };
    return uses(of.position) || std::any_of(of.at.begin(), of.at.end(), uses) ||
           std::any_of(of.guards.begin(), of.guards.end(),
                       [&](const Guard& guard) { return uses(guard.at); }) ||
           std::any_of(of.args.begin(), of.args.end(), [&](int arg) { return mentions(arg, axis); }) ||
           std::any_of(of.chosen.begin(), of.chosen.end(),
                       [&](int arg) { return arg >= 0 && mentions(arg, axis); });
}

}  // namespace tritonsmith::forge
