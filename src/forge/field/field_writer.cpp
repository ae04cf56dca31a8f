#include "forge/field/field_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "forge/emit/refused.h"
#include "forge/emit/scalar_code.h"
#include "forge/field/invert.h"
#include "forge/field/reader.h"

namespace tritonsmith::forge {

void FieldWriter::plan(const std::vector<int>& roots) {
    uses_.assign(field_.terms.size(), 0);
    std::set<int> seen;
    std::vector<int> open = roots;
    for (const int root : roots) ++uses_[static_cast<size_t>(root)];
    while (!open.empty()) {
        const int term = open.back();
        open.pop_back();
        if (!seen.insert(term).second) continue;
        const Term& of = field_.terms[static_cast<size_t>(term)];
        std::vector<int> inputs = of.args;
        for (const int chosen : of.chosen)
            if (chosen >= 0) inputs.push_back(chosen);
        for (const int input : inputs) {
            ++uses_[static_cast<size_t>(input)];
            open.push_back(input);
        }
    }
}

std::vector<int> FieldWriter::axes_of(const Term& term, const Space& space) const {
    std::vector<int> out;
    for (int axis = 0; axis < static_cast<int>(space.axes.names.size()); ++axis) {
        bool used = std::any_of(term.at.begin(), term.at.end(),
                                [&](const Index& index) { return index.mentions(axis); });
        for (const int chosen : term.chosen) used |= chosen >= 0 && field_.mentions(chosen, axis);
        for (const Guard& guard : term.guards) used |= guard.at.mentions(axis);
        if (used) out.push_back(axis);
    }
    return out;
}

std::string FieldWriter::place(const Index& index, const Space& space) const {
    const auto found = places.find(index.text(space.axes.names));
    return found == places.end() ? "" : found->second;
}

namespace {

/// What a position along an axis of a tensor is called.
const char* position_name(size_t rank, size_t axis, bool weight) {
    constexpr const char* names[][5] = {{"position"},
                                        {"source_row", "source_col"},
                                        {"sample", "position", "feature"},
                                        {"image", "channel", "source_y", "source_x"},
                                        {"image", "channel", "source_z", "source_y", "source_x"}};
    constexpr const char* of_weight[][5] = {{"position"},
                                            {"weight_row", "weight_col"},
                                            {"out_channel", "in_channel", "tap"},
                                            {"out_channel", "in_channel", "tap_y", "tap_x"},
                                            {"out_channel", "in_channel", "tap_z", "tap_y", "tap_x"}};
    return rank < 1 || rank > 5 ? "position" : (weight ? of_weight : names)[rank - 1][axis];
}

/// The affine expression that this is at every point, where there is one: nested quotients and remainders
/// that belong together.
Index straightened(const Index& index, const graph::Extents& extents) {
    if (index.affine()) return index;
    std::vector<int64_t> point(extents.size(), 0);
    const int64_t origin = index.at(point);
    Index out(origin);
    for (size_t d = 0; d < extents.size(); ++d) {
        if (extents[d] < 2) continue;
        point[d] = 1;
        out.add(Index::axis(static_cast<int>(d)), index.at(point) - origin);
        point[d] = 0;
    }
    return same_index(index, out, extents) ? out : index;
}

/// Whether an address is written axis by axis: one quotient or remainder alone stays in the sum.
bool has_coordinates(const Index& whole) {
    return std::count_if(whole.terms().begin(), whole.terms().end(),
                         [](const Index::Term& term) { return term.factor != Index::Factor::axis; }) > 1;
}

bool is_simple(const Index& index) {
    return index.is_constant() || (index.terms().size() == 1 && index.affine() && index.constant() == 0);
}

}  // namespace

std::string FieldWriter::mask(const std::vector<int>& axes, const std::vector<Guard>& guards,
                              const Space& space) {
    std::vector<std::string> parts;
    for (const int axis : axes)
        if (!space.masks[static_cast<size_t>(axis)].empty())
            parts.push_back(space.masks[static_cast<size_t>(axis)]);
    for (size_t i = 0; i < guards.size(); ++i) {
        if (is_simple(guards[i].at)) continue;
        std::string& name = places[guards[i].at.text(space.axes.names)];
        if (!name.empty()) continue;
        static const char* const names[] = {"source_z", "source_y", "source_x"};
        name = kernel_.unique(guards[i].extent == 1                     ? "rest"
                              : guards.size() == 1 || guards.size() > 3 ? "place"
                                                                        : names[3 - guards.size() + i]);
        kernel_.body.add(name + " = " + index_code(guards[i].at, space.axes, context_.numbers).text);
    }
    for (const Guard& guard : guards)
        if (std::string text = guard_code(guard, space.axes, context_.numbers, place(guard.at, space));
            !text.empty())
            parts.push_back(text);
    if (parts.size() == 1 && parts[0].starts_with("(") && parts[0].ends_with(")") &&
        parts[0].find('&') == std::string::npos && parts[0].find('(', 1) == std::string::npos)
        return parts[0].substr(1, parts[0].size() - 2);
    return fmt::format("{}", fmt::join(parts, " & "));
}

std::vector<Code> FieldWriter::coordinates(int value, const std::vector<Index>& at,
                                           const std::vector<Guard>& guards, const Space& space) {
    std::vector<Code> out;
    for (size_t d = 0; d < at.size(); ++d) {
        const Code code = index_code(at[d], space.axes, context_.numbers);
        const bool guarded =
            std::any_of(guards.begin(), guards.end(), [&](const Guard& guard) { return guard.at == at[d]; });
        if (is_simple(at[d]) && !(guarded && !at[d].is_constant() && at[d].plain_axis() < 0)) {
            out.push_back(code);
            continue;
        }
        out.push_back({named_position(value, d, at[d], space)});
    }
    return out;
}

std::string FieldWriter::named_position(int value, size_t axis, const Index& at, const Space& space) {
    std::string& name = places[at.text(space.axes.names)];
    if (!name.empty()) return name;
    const graph::Node& maker = context_.graph.maker(value);
    const bool weight = graph::is_leaf(maker) && !std::holds_alternative<graph::Input>(maker.kind);
    name = kernel_.unique(position_name(context_.value(value).shape.size(), axis, weight));
    kernel_.body.add(name + " = " + index_code(at, space.axes, context_.numbers).text);
    return name;
}

void FieldWriter::hoist_positions(int id, const std::vector<int>& moving, const Space& space) {
    const Term& term = field_.terms[static_cast<size_t>(id)];
    for (const int arg : term.args) hoist_positions(arg, moving, space);
    for (const int arg : term.chosen)
        if (arg >= 0) hoist_positions(arg, moving, space);
    if (term.kind != Term::Kind::load || known.contains(id)) return;
    auto moves = [&](const Index& at) {
        return std::any_of(moving.begin(), moving.end(), [&](int axis) { return at.mentions(axis); });
    };
    if (!has_coordinates(flat_position(term.value, term.at, space)) ||
        std::none_of(term.at.begin(), term.at.end(), moves))
        return;
    for (size_t d = 0; d < term.at.size(); ++d)
        if (!moves(term.at[d]) && !is_simple(term.at[d])) named_position(term.value, d, term.at[d], space);
}

Index FieldWriter::flat_position(int value, const std::vector<Index>& at, const Space& space) const {
    return straightened(ravel(at, context_.value(value).shape), space.axes.extents);
}

std::string FieldWriter::address(int value, const std::vector<Index>& at, const std::vector<int>& chosen,
                                 const Space& space) {
    const std::vector<int64_t> stride = graph::row_major(context_.value(value).shape);
    const Index whole = flat_position(value, at, space);
    Code out;
    bool zero = true;
    if (!has_coordinates(whole)) {
        out = index_code(whole, space.axes, context_.numbers);
        zero = out.text == "0";
    } else {
        const std::vector<Code> positions = coordinates(value, at, {}, space);
        for (size_t d = 0; d < at.size(); ++d) {
            if (at[d] == Index(0)) continue;
            Code step = positions[d];
            if (stride[d] != 1) step = binary(step, "*", {context_.numbers.open(stride[d])});
            out = zero ? step : binary(out, "+", step);
            zero = false;
        }
    }
    for (size_t d = 0; d < chosen.size(); ++d) {
        if (chosen[d] < 0) continue;
        Code step = named(chosen[d], space);
        if (stride[d] != 1) step = binary(step, "*", {context_.numbers.open(stride[d])});
        out = zero ? step : binary(step, "+", out);
        zero = false;
    }
    return zero ? "" : out.in(Binding::sum);
}

Code FieldWriter::load(const Term& term, int id, const Space& space) {
    const graph::Node& maker = context_.graph.maker(term.value);
    if (const auto* constant = std::get_if<graph::Constant>(&maker.kind)) {
        if (graph::element_count(context_.value(term.value).shape) == 1)
            return this->constant(constant_number(*constant, context_.value(term.value).dtype), term.dtype);
    }
    if (!term.guards.empty()) coordinates(term.value, term.at, term.guards, space);
    const std::string at = address(term.value, term.at, term.chosen, space);
    const std::string condition = mask(axes_of(term, space), term.guards, space);
    std::string text = "tl.load(" +
                       kernel_.pointer(context_.variable(term.value), context_.role(term.value)) +
                       (at.empty() ? "" : " + " + at);
    if (!condition.empty()) {
        text += ", mask=" + condition;
        if (space.fill || !term.guards.empty())
            text += ", other=" + number_code(term.number, term.dtype).text;
    }
    text += ")";
    (void)id;
    return {text};
}

std::string FieldWriter::preferred_name(const Term& term) const {
    if (term.kind == Term::Kind::load && term.name.empty()) return context_.role(term.value);
    if (!term.name.empty()) return identifier(term.name);
    static const std::map<ScalarOp, std::string> words = {
        {ScalarOp::exp, "exponent"},  {ScalarOp::mul, "product"},       {ScalarOp::sub, "difference"},
        {ScalarOp::add, "total"},     {ScalarOp::sigmoid, "gate"},      {ScalarOp::div, "ratio"},
        {ScalarOp::rsqrt, "scale"},   {ScalarOp::sqrt, "root"},         {ScalarOp::relu, "activated"},
        {ScalarOp::tanh, "squashed"}, {ScalarOp::lt, "below"},          {ScalarOp::gt, "above"},
        {ScalarOp::eq, "same"},       {ScalarOp::ne, "differs"},        {ScalarOp::le, "at_most"},
        {ScalarOp::ge, "at_least"},   {ScalarOp::maximum, "larger"},    {ScalarOp::minimum, "smaller"},
        {ScalarOp::abs, "size"},      {ScalarOp::log, "logarithm"},     {ScalarOp::pow, "power"},
        {ScalarOp::square, "square"}, {ScalarOp::erf, "erf"},           {ScalarOp::isinf, "infinite"},
        {ScalarOp::neg, "negated"},   {ScalarOp::reciprocal, "inverse"}};
    if (term.kind == Term::Kind::op) {
        if (term.op == ScalarOp::cast) {
            const Term& of = field_.terms[static_cast<size_t>(term.args[0])];
            return preferred_name(of);
        }
        if (const auto found = words.find(term.op); found != words.end()) return found->second;
        const std::string name(graph::name_of(term.op));
        if (name != "and" && name != "or" && name != "not")
            return name == "where" ? "chosen" : name + "_value";
    }
    if (term.kind != Term::Kind::choose) return "result";
    return field_.terms[static_cast<size_t>(term.args[1])].kind == Term::Kind::constant ? "padded" : "joined";
}

/// What a float is at other sizes, and with other arguments, is seen later (Numbers).
Code FieldWriter::constant(const graph::Number& number, DType dtype) {
    const Code literal = number_code(number, dtype);
    const double value = graph::as_double(number), size = std::abs(value);
    if (!is_float(dtype) || !std::isfinite(value) || size == 0 || size == 1) return literal;
    if (value < 0 && context_.numbers.arguments) return {context_.numbers.open_real(value, literal.text)};
    if (value < 0) return {"-" + context_.numbers.open_real(size, literal.text.substr(1)), Binding::unary};
    return {context_.numbers.open_real(size, literal.text)};
}

Code FieldWriter::make(int id, const Space& space) {
    const Term& term = field_.terms[static_cast<size_t>(id)];
    switch (term.kind) {
        case Term::Kind::local:
            return {term.name};
        case Term::Kind::constant:
            return constant(term.number, term.dtype);
        case Term::Kind::index:
            return index_code(term.position, space.axes, context_.numbers);
        case Term::Kind::load:
            return load(term, id, space);
        case Term::Kind::choose: {
            // First what is read there: that names the positions.
            const Code yes = write(term.args[0], space), no = write(term.args[1], space);
            const std::string condition = mask({}, term.guards, space);
            return condition.empty() ? yes : call("tl.where", {condition, yes.text, no.text});
        }
        case Term::Kind::op:
            break;
    }
    std::vector<Code> args;
    const DType of = field_.dtype(term.args.empty() ? id : term.args[0]);
    for (size_t i = 0; i < term.args.size(); ++i)
        args.push_back(repeats_argument(term.op, i) ? named(term.args[i], space)
                                                    : write(term.args[i], space));
    if (term.op == ScalarOp::cast) {
        const Term& from = field_.terms[static_cast<size_t>(term.args[0])];
        if (from.kind == Term::Kind::index) return {call("tl.cast", {args[0].text, triton_name(term.dtype)})};
        return cast_code(args[0], of, term.dtype);
    }
    const std::optional<Code> code = scalar_code(term.op, args, term.dtype, of);
    if (!code)
        throw Refused(fmt::format("the operation {} of {} has no form in Triton", graph::name_of(term.op),
                                  triton_name(of)));
    return *code;
}

Code FieldWriter::write(int id, const Space& space) {
    if (const auto found = known.find(id); found != known.end()) return found->second;
    const Term& term = field_.terms[static_cast<size_t>(id)];
    Code code = make(id, space);
    // A load of a small float is named once it has been widened.
    const bool widened = term.kind == Term::Kind::op && term.op == ScalarOp::cast &&
                         field_.terms[static_cast<size_t>(term.args[0])].kind == Term::Kind::load;
    const bool bare = term.kind == Term::Kind::load && uses_[static_cast<size_t>(id)] <= 1 &&
                      code.text.starts_with("tl.load") && compute_dtype(term.dtype) != term.dtype;
    const bool simple = term.kind == Term::Kind::constant || term.kind == Term::Kind::local || bare ||
                        (term.kind == Term::Kind::load && !code.text.starts_with("tl.load"));
    const bool wanted = (term.kind == Term::Kind::load && !simple) || widened ||
                        uses_[static_cast<size_t>(id)] > 1 || code.text.size() > 70;
    if (simple || !wanted ||
        (code.binding == Binding::atom && code.text.find_first_of("( ") == std::string::npos)) {
        if (simple) known[id] = code;
        return code;
    }
    const std::string name = kernel_.unique(preferred_name(term));
    kernel_.body.add(name + " = " + code.text);
    return known[id] = {name};
}

Code FieldWriter::named(int id, const Space& space, const std::string& preferred) {
    Code code = write(id, space);
    const bool name = code.text.find_first_of("( .") == std::string::npos && code.binding == Binding::atom;
    const Term& term = field_.terms[static_cast<size_t>(id)];
    if (name || term.kind == Term::Kind::constant) return code;
    const std::string made = kernel_.unique(preferred.empty() ? preferred_name(term) : preferred);
    kernel_.body.add(made + " = " + code.text);
    return known[id] = {made};
}

}  // namespace tritonsmith::forge
