#include <limits>

#include "graph/lift/rules.h"
#include "plan/ir/json.h"

/// Operators of one tensor, element by element, with numbers as parameters.
namespace tritonsmith::graph {
namespace {

struct Unary {
    std::string_view name;
    ScalarOp op;
};
/// Computed in the result's dtype.
constexpr Unary kUnary[] = {
    {"neg", ScalarOp::neg},
    {"abs", ScalarOp::abs},
    {"sign", ScalarOp::sign},
    {"sgn", ScalarOp::sign},
    {"square", ScalarOp::square},
    {"reciprocal", ScalarOp::reciprocal},
    {"floor", ScalarOp::floor},
    {"ceil", ScalarOp::ceil},
    {"trunc", ScalarOp::trunc},
    {"frac", ScalarOp::frac},
    {"exp", ScalarOp::exp},
    {"exp2", ScalarOp::exp2},
    {"expm1", ScalarOp::expm1},
    {"log", ScalarOp::log},
    {"log2", ScalarOp::log2},
    {"log10", ScalarOp::log10},
    {"log1p", ScalarOp::log1p},
    {"sqrt", ScalarOp::sqrt},
    {"rsqrt", ScalarOp::rsqrt},
    {"sin", ScalarOp::sin},
    {"cos", ScalarOp::cos},
    {"tan", ScalarOp::tan},
    {"asin", ScalarOp::asin},
    {"acos", ScalarOp::acos},
    {"atan", ScalarOp::atan},
    {"sinh", ScalarOp::sinh},
    {"cosh", ScalarOp::cosh},
    {"tanh", ScalarOp::tanh},
    {"asinh", ScalarOp::asinh},
    {"acosh", ScalarOp::acosh},
    {"atanh", ScalarOp::atanh},
    {"erf", ScalarOp::erf},
    {"erfc", ScalarOp::erfc},
    {"erfinv", ScalarOp::erfinv},
    {"lgamma", ScalarOp::lgamma},
    {"digamma", ScalarOp::digamma},
    {"relu", ScalarOp::relu},
    {"relu6", ScalarOp::relu6},
    {"sigmoid", ScalarOp::sigmoid},
    {"silu", ScalarOp::silu},
    {"hardsigmoid", ScalarOp::hardsigmoid},
    {"hardswish", ScalarOp::hardswish},
    {"mish", ScalarOp::mish},
    {"sinc", ScalarOp::sinc},
    {"log_sigmoid", ScalarOp::log_sigmoid},
    {"positive", ScalarOp::cast},
};
/// Tests of the argument as it is.
constexpr Unary kTests[] = {
    {"isnan", ScalarOp::isnan}, {"isinf", ScalarOp::isinf}, {"isfinite", ScalarOp::isfinite}};

/// Parameters that are numbers: name, and what it is where it is not given.
struct Parameter {
    const char* name;
    double otherwise;
};
struct Parametric {
    std::string_view name;
    ScalarOp op;
    std::vector<Parameter> parameters;
};
const std::vector<Parametric>& parametric() {
    static const std::vector<Parametric> table = {
        {"elu", ScalarOp::elu, {{"alpha", 1}, {"scale", 1}, {"input_scale", 1}}},
        {"leaky_relu", ScalarOp::leaky_relu, {{"negative_slope", 0.01}}},
        {"hardtanh", ScalarOp::hardtanh, {{"min_val", -1}, {"max_val", 1}}},
        {"softplus", ScalarOp::softplus, {{"beta", 1}, {"threshold", 20}}},
        {"threshold", ScalarOp::threshold, {{"threshold", 0}, {"value", 0}}},
        {"hardshrink", ScalarOp::hardshrink, {{"lambd", 0.5}}},
        {"softshrink", ScalarOp::softshrink, {{"lambd", 0.5}}},
        {"logit", ScalarOp::logit, {{"eps", -1}}},
    };
    return table;
}

Results one_step(Lifter& lifter, const Call& call, ScalarOp op) {
    Elementwise node(lifter, call);
    const int x = node.in(call.tensor(0, "self"), node.result_dtype());
    if (op != ScalarOp::cast) node.of(op, {x});
    return node.results();
}

Results clamped(Lifter& lifter, const Call& call) {
    Elementwise node(lifter, call);
    const DType dtype = node.result_dtype();
    int x = node.in(call.tensor(0, "self"), dtype);
    const std::string_view base = call.name().base;
    const bool only_low = base.starts_with("clamp_min"), only_high = base.starts_with("clamp_max");
    const plan::Value* low = only_high ? nullptr : call.value(1, "min");
    const plan::Value* high = only_low ? nullptr : call.value(only_high ? 1 : 2, "max");
    const bool numbers = (!low || number_of(*low)) && (!high || number_of(*high));
    if (numbers && low && high) {
        const int least = node.in(*low, dtype), most = node.in(*high, dtype);
        node.of(ScalarOp::clamp, {x, least, most});
        return node.results();
    }
    if (low) x = node.of(ScalarOp::maximum, {x, node.in(*low, dtype)});
    if (high) node.of(ScalarOp::minimum, {x, node.in(*high, dtype)});
    return node.results();
}

Results gelu(Lifter& lifter, const Call& call) {
    const bool tanh = call.word(1, "approximate", "none") == "tanh";
    return one_step(lifter, call, tanh ? ScalarOp::gelu_tanh : ScalarOp::gelu);
}

Results celu(Lifter& lifter, const Call& call) {
    Elementwise node(lifter, call);
    const DType dtype = node.result_dtype();
    const double alpha = call.real(1, "alpha", 1);
    const int x = node.in(call.tensor(0, "self"), dtype);
    node.of(ScalarOp::elu,
            {x, node.number(alpha, dtype), node.number(1.0, dtype), node.number(1 / alpha, dtype)});
    return node.results();
}

Results gated(Lifter& lifter, const Call& call) {  // glu: the first half times sigmoid of the second
    const Operand x = lifter.read(call.tensor(0, "self"));
    const int axis = wrapped(call.integer(1, "dim", -1), x.shape().size());
    const int64_t half = x.shape()[static_cast<size_t>(axis)] / 2;
    Elementwise node(lifter, call);
    const int value = node.in(sliced(lifter.graph(), x, axis, 0, half), node.result_dtype());
    const int gate = node.in(sliced(lifter.graph(), x, axis, half, half), node.result_dtype());
    node.of(ScalarOp::mul, {value, node.of(ScalarOp::sigmoid, {gate}, node.compute())});
    return node.results();
}

Results logical_not(Lifter& lifter, const Call& call) {
    Elementwise node(lifter, call);
    const plan::Tensor& self = call.tensor(0, "self");
    const bool bitwise = call.name().base.starts_with("bitwise") && self.dtype != DType::b1;
    const int x = node.in(self, self.dtype);
    if (bitwise || self.dtype == DType::b1)
        node.of(ScalarOp::logical_not, {x}, self.dtype);
    else
        node.of(ScalarOp::eq, {x, node.number(int64_t{0}, self.dtype)}, DType::b1);
    return node.results();
}

Results rounded(Lifter& lifter, const Call& call) {
    if (call.integer(1, "decimals", 0) != 0) throw Unliftable{"decimals are not lifted"};
    return one_step(lifter, call, ScalarOp::round);
}

Results nan_to_num(Lifter& lifter, const Call& call) {
    Elementwise node(lifter, call);
    const DType dtype = node.result_dtype();
    double most = std::numeric_limits<float>::max();
    if (dtype == DType::f64) most = std::numeric_limits<double>::max();
    if (dtype == DType::f16) most = 65504;
    if (dtype == DType::bf16) most = 3.3895313892515355e38;
    const int x = node.in(call.tensor(0, "self"), dtype);
    if (!plan::is_floating(dtype)) return node.results();
    const double infinity = std::numeric_limits<double>::infinity();
    auto replaced = [&](int test, double by, int otherwise) {
        const int number = node.number(by, dtype);
        return node.of(ScalarOp::where, {test, number, otherwise});
    };
    int out = replaced(node.of(ScalarOp::isnan, {x}, DType::b1), call.real(1, "nan", 0), x);
    const int high = node.of(ScalarOp::eq, {x, node.number(infinity, dtype)}, DType::b1);
    out = replaced(high, call.real(2, "posinf", most), out);
    const int low = node.of(ScalarOp::eq, {x, node.number(-infinity, dtype)}, DType::b1);
    replaced(low, call.real(3, "neginf", -most), out);
    return node.results();
}

}  // namespace

void add_pointwise_rules(Rules& rules) {
    for (const Unary& entry : kUnary)
        rules[std::string(entry.name)] = [op = entry.op](Lifter& lifter, const Call& call) {
            return one_step(lifter, call, op);
        };
    for (const Unary& entry : kTests)
        rules[std::string(entry.name)] = [op = entry.op](Lifter& lifter, const Call& call) {
            Elementwise node(lifter, call);
            const plan::Tensor& self = call.tensor(0, "self");
            node.of(op, {node.in(self, self.dtype)}, DType::b1);
            return node.results();
        };
    for (const Parametric& entry : parametric())
        rules[std::string(entry.name)] = [&entry](Lifter& lifter, const Call& call) {
            Elementwise node(lifter, call);
            std::vector<int> args{node.in(call.tensor(0, "self"), node.result_dtype())};
            for (size_t i = 0; i < entry.parameters.size(); ++i)
                args.push_back(
                    node.number(call.real(i + 1, entry.parameters[i].name, entry.parameters[i].otherwise),
                                node.result_dtype()));
            node.of(entry.op, std::move(args));
            return node.results();
        };
    rules["gelu"] = gelu;
    rules["celu"] = celu;
    rules["glu"] = gated;
    rules["clamp"] = rules["clamp_min"] = rules["clamp_max"] = rules["clip"] = clamped;
    rules["logical_not"] = rules["bitwise_not"] = logical_not;
    rules["round"] = rounded;
    rules["nan_to_num"] = nan_to_num;
    rules["log_sigmoid_forward"] = [](Lifter& lifter, const Call& call) {
        Results out = one_step(lifter, call, ScalarOp::log_sigmoid);
        out.emplace_back();
        return out;
    };
}

}  // namespace tritonsmith::graph
