#include "graph/scalar.h"

#include <fmt/format.h>

#include <cmath>

#include "plan/ir/json.h"

namespace tritonsmith::graph {
namespace {

struct Known {
    ScalarOp op;
    std::string_view name;
    int arity;
};
constexpr Known kKnown[] = {
    {ScalarOp::operand, "operand", 0},
    {ScalarOp::constant, "constant", 0},
    {ScalarOp::index, "index", 0},
    {ScalarOp::cast, "cast", 1},
    {ScalarOp::add, "add", 2},
    {ScalarOp::sub, "sub", 2},
    {ScalarOp::mul, "mul", 2},
    {ScalarOp::div, "div", 2},
    {ScalarOp::floor_div, "floor_div", 2},
    {ScalarOp::trunc_div, "trunc_div", 2},
    {ScalarOp::remainder, "remainder", 2},
    {ScalarOp::fmod, "fmod", 2},
    {ScalarOp::pow, "pow", 2},
    {ScalarOp::fma, "fma", 3},
    {ScalarOp::neg, "neg", 1},
    {ScalarOp::abs, "abs", 1},
    {ScalarOp::sign, "sign", 1},
    {ScalarOp::reciprocal, "reciprocal", 1},
    {ScalarOp::square, "square", 1},
    {ScalarOp::maximum, "maximum", 2},
    {ScalarOp::minimum, "minimum", 2},
    {ScalarOp::fmax, "fmax", 2},
    {ScalarOp::fmin, "fmin", 2},
    {ScalarOp::atan2, "atan2", 2},
    {ScalarOp::hypot, "hypot", 2},
    {ScalarOp::copysign, "copysign", 2},
    {ScalarOp::floor, "floor", 1},
    {ScalarOp::ceil, "ceil", 1},
    {ScalarOp::round, "round", 1},
    {ScalarOp::trunc, "trunc", 1},
    {ScalarOp::frac, "frac", 1},
    {ScalarOp::exp, "exp", 1},
    {ScalarOp::exp2, "exp2", 1},
    {ScalarOp::expm1, "expm1", 1},
    {ScalarOp::log, "log", 1},
    {ScalarOp::log2, "log2", 1},
    {ScalarOp::log10, "log10", 1},
    {ScalarOp::log1p, "log1p", 1},
    {ScalarOp::sqrt, "sqrt", 1},
    {ScalarOp::rsqrt, "rsqrt", 1},
    {ScalarOp::sin, "sin", 1},
    {ScalarOp::cos, "cos", 1},
    {ScalarOp::tan, "tan", 1},
    {ScalarOp::asin, "asin", 1},
    {ScalarOp::acos, "acos", 1},
    {ScalarOp::atan, "atan", 1},
    {ScalarOp::sinh, "sinh", 1},
    {ScalarOp::cosh, "cosh", 1},
    {ScalarOp::tanh, "tanh", 1},
    {ScalarOp::asinh, "asinh", 1},
    {ScalarOp::acosh, "acosh", 1},
    {ScalarOp::atanh, "atanh", 1},
    {ScalarOp::erf, "erf", 1},
    {ScalarOp::erfc, "erfc", 1},
    {ScalarOp::erfinv, "erfinv", 1},
    {ScalarOp::lgamma, "lgamma", 1},
    {ScalarOp::digamma, "digamma", 1},
    {ScalarOp::lt, "lt", 2},
    {ScalarOp::le, "le", 2},
    {ScalarOp::gt, "gt", 2},
    {ScalarOp::ge, "ge", 2},
    {ScalarOp::eq, "eq", 2},
    {ScalarOp::ne, "ne", 2},
    {ScalarOp::isnan, "isnan", 1},
    {ScalarOp::isinf, "isinf", 1},
    {ScalarOp::isfinite, "isfinite", 1},
    {ScalarOp::logical_and, "and", 2},
    {ScalarOp::logical_or, "or", 2},
    {ScalarOp::logical_xor, "xor", 2},
    {ScalarOp::logical_not, "not", 1},
    {ScalarOp::shift_left, "shift_left", 2},
    {ScalarOp::shift_right, "shift_right", 2},
    {ScalarOp::where, "where", 3},
    {ScalarOp::relu, "relu", 1},
    {ScalarOp::relu6, "relu6", 1},
    {ScalarOp::sigmoid, "sigmoid", 1},
    {ScalarOp::silu, "silu", 1},
    {ScalarOp::gelu, "gelu", 1},
    {ScalarOp::gelu_tanh, "gelu_tanh", 1},
    {ScalarOp::softplus, "softplus", 3},
    {ScalarOp::elu, "elu", 4},
    {ScalarOp::leaky_relu, "leaky_relu", 2},
    {ScalarOp::hardtanh, "hardtanh", 3},
    {ScalarOp::hardsigmoid, "hardsigmoid", 1},
    {ScalarOp::hardswish, "hardswish", 1},
    {ScalarOp::mish, "mish", 1},
    {ScalarOp::softsign, "softsign", 1},
    {ScalarOp::log_sigmoid, "log_sigmoid", 1},
    {ScalarOp::hardshrink, "hardshrink", 2},
    {ScalarOp::softshrink, "softshrink", 2},
    {ScalarOp::threshold, "threshold", 3},
    {ScalarOp::clamp, "clamp", 3},
    {ScalarOp::xlogy, "xlogy", 2},
    {ScalarOp::logit, "logit", 2},
    {ScalarOp::sinc, "sinc", 1},
    {ScalarOp::logaddexp, "logaddexp", 2},
    {ScalarOp::lerp, "lerp", 3},
};

const Known& known(ScalarOp op) {
    const Known& entry = kKnown[static_cast<size_t>(op)];
    return entry;
}
constexpr bool in_order() {
    for (size_t i = 0; i < std::size(kKnown); ++i)
        if (static_cast<size_t>(kKnown[i].op) != i) return false;
    return std::size(kKnown) == static_cast<size_t>(ScalarOp::lerp) + 1;
}
static_assert(in_order(), "kKnown has an entry for each ScalarOp, in its order");

}  // namespace

std::string_view name_of(ScalarOp op) {
    return known(op).name;
}
int arity(ScalarOp op) {
    return known(op).arity;
}

int Expression::operand(int which, DType dtype) {
    steps.push_back({ScalarOp::operand, dtype, {}, which});
    return static_cast<int>(steps.size()) - 1;
}
int Expression::constant(Number number, DType dtype) {
    steps.push_back({ScalarOp::constant, dtype, {}, -1, number});
    return static_cast<int>(steps.size()) - 1;
}
int Expression::index(Index position) {
    steps.push_back({ScalarOp::index, DType::i64, {}, -1, 0.0, std::move(position)});
    return static_cast<int>(steps.size()) - 1;
}
int Expression::as(int step, DType dtype) {
    if (steps[static_cast<size_t>(step)].dtype == dtype) return step;
    return apply(ScalarOp::cast, {step}, dtype);
}
int Expression::apply(ScalarOp op, std::vector<int> args, DType dtype) {
    steps.push_back({op, dtype, std::move(args)});
    return static_cast<int>(steps.size()) - 1;
}

double as_double(const Number& number) {
    return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

std::string text(const Number& number) {
    if (const bool* flag = std::get_if<bool>(&number)) return *flag ? "True" : "False";
    if (const int64_t* whole = std::get_if<int64_t>(&number)) return std::to_string(*whole);
    const double value = std::get<double>(number);
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    std::string out = fmt::format("{}", value);
    for (int digits = 6; digits < 17; digits += 3)  // "0.1" for a float's 0.10000000149011612
        if (std::string brief = fmt::format("{:.{}g}", value, digits);
            static_cast<float>(std::strtod(brief.c_str(), nullptr)) == static_cast<float>(value) &&
            std::strtod(brief.c_str(), nullptr) == value)
            out = brief;
    if (out.find_first_of(".en") == std::string::npos) out += ".0";
    return out;
}

namespace {

std::string_view infix(ScalarOp op) {
    switch (op) {
        case ScalarOp::add:
            return "+";
        case ScalarOp::sub:
            return "-";
        case ScalarOp::mul:
            return "*";
        case ScalarOp::div:
            return "/";
        case ScalarOp::floor_div:
            return "//";
        case ScalarOp::remainder:
            return "%";
        case ScalarOp::pow:
            return "**";
        case ScalarOp::lt:
            return "<";
        case ScalarOp::le:
            return "<=";
        case ScalarOp::gt:
            return ">";
        case ScalarOp::ge:
            return ">=";
        case ScalarOp::eq:
            return "==";
        case ScalarOp::ne:
            return "!=";
        case ScalarOp::logical_and:
            return "&";
        case ScalarOp::logical_or:
            return "|";
        case ScalarOp::logical_xor:
            return "^";
        default:
            return "";
    }
}

}  // namespace

std::string text(const Expression& expression, const std::vector<std::string>& operands,
                 const std::vector<std::string>& axes) {
    struct Part {
        std::string text;
        bool atom = true;
    };
    std::vector<Part> parts;
    for (const Scalar& step : expression.steps) {
        auto arg = [&](size_t i) -> const Part& { return parts[static_cast<size_t>(step.args[i])]; };
        auto closed = [&](size_t i) { return arg(i).atom ? arg(i).text : "(" + arg(i).text + ")"; };
        Part part;
        if (step.op == ScalarOp::operand) {
            part.text = operands[static_cast<size_t>(step.which)];
        } else if (step.op == ScalarOp::constant) {
            part.text = text(step.number);
        } else if (step.op == ScalarOp::index) {
            part = {step.position.text(axes), step.position.plain_axis() >= 0};
        } else if (step.op == ScalarOp::cast) {
            part.text = fmt::format("{}({})", plan::dtype_name(step.dtype), arg(0).text);
        } else if (step.op == ScalarOp::neg) {
            part = {"-" + closed(0), false};
        } else if (std::string_view sign = infix(step.op); !sign.empty()) {
            part = {fmt::format("{} {} {}", closed(0), sign, closed(1)), false};
        } else {
            part.text = fmt::format("{}(", name_of(step.op));
            for (size_t i = 0; i < step.args.size(); ++i) part.text += (i ? ", " : "") + arg(i).text;
            part.text += ")";
        }
        parts.push_back(std::move(part));
    }
    return parts.empty() ? "" : parts.back().text;
}

}  // namespace tritonsmith::graph
