#include "plan/ir/pointwise.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "plan/ir/json.h"

namespace tritonsmith::plan {

namespace {

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}
double softplus(double x) {
    return x > 30 ? x : std::log1p(std::exp(x));
}

double gelu(double x, bool by_tanh) {
    if (!by_tanh) return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2));
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

using Function = double (*)(double);
const std::map<std::string, Function>& plain_functions() {
    static const std::map<std::string, Function> functions = {
        {"aten::relu", [](double x) { return x > 0 ? x : 0.0; }},
        {"aten::sigmoid", sigmoid},
        {"aten::tanh", [](double x) { return std::tanh(x); }},
        {"aten::exp", [](double x) { return std::exp(x); }},
        {"aten::exp2", [](double x) { return std::exp2(x); }},
        {"aten::expm1", [](double x) { return std::expm1(x); }},
        {"aten::log", [](double x) { return std::log(x); }},
        {"aten::log2", [](double x) { return std::log2(x); }},
        {"aten::log1p", [](double x) { return std::log1p(x); }},
        {"aten::sqrt", [](double x) { return std::sqrt(x); }},
        {"aten::rsqrt", [](double x) { return 1 / std::sqrt(x); }},
        {"aten::reciprocal", [](double x) { return 1 / x; }},
        {"aten::neg", [](double x) { return -x; }},
        {"aten::abs", [](double x) { return std::abs(x); }},
        {"aten::sin", [](double x) { return std::sin(x); }},
        {"aten::cos", [](double x) { return std::cos(x); }},
        {"aten::erf", [](double x) { return std::erf(x); }},
        {"aten::floor", [](double x) { return std::floor(x); }},
        {"aten::ceil", [](double x) { return std::ceil(x); }},
        {"aten::round", [](double x) { return std::nearbyint(x); }},
        {"aten::sign", [](double x) { return x > 0   ? 1.0
                                             : x < 0 ? -1.0
                                                     : 0.0; }},
        {"aten::square", [](double x) { return x * x; }},
        {"aten::silu", [](double x) { return x * sigmoid(x); }},
        {"aten::mish", [](double x) { return x * std::tanh(softplus(x)); }},
        {"aten::hardsigmoid", [](double x) { return std::min(std::max(x + 3, 0.0), 6.0) / 6; }},
        {"aten::hardswish", [](double x) { return x * std::min(std::max(x + 3, 0.0), 6.0) / 6; }},
        {"aten::log_sigmoid_forward", [](double x) { return -softplus(-x); }},
        {"aten::clone", [](double x) { return x; }},
        {"aten::_to_copy", [](double x) { return x; }},
        {"aten::contiguous", [](double x) { return x; }},
    };
    return functions;
}

}  // namespace

std::optional<double> pointwise(const std::string& op, double x, const StepArguments& a) {
    // In-place forms compute the same element.
    const std::string plain = op.ends_with('_') ? op.substr(0, op.size() - 1) : op;
    if (auto found = plain_functions().find(plain); found != plain_functions().end()) return found->second(x);
    if (plain == "aten::gelu") return gelu(x, a.text(1, "approximate", "none") == "tanh");
    if (plain == "aten::leaky_relu") return x > 0 ? x : x * a.real(1, "negative_slope", 0.01);
    if (plain == "aten::elu") {
        const double alpha = a.real(1, "alpha", 1), scale = a.real(2, "scale", 1),
                     input = a.real(3, "input_scale", 1);
        return scale * (x > 0 ? x : alpha * std::expm1(x * input));
    }
    if (plain == "aten::softplus") {
        const double beta = a.real(1, "beta", 1), threshold = a.real(2, "threshold", 20);
        return x * beta > threshold ? x : std::log1p(std::exp(x * beta)) / beta;
    }
    if (plain == "aten::hardtanh")
        return std::min(std::max(x, a.real(1, "min_val", -1)), a.real(2, "max_val", 1));
    if (plain == "aten::clamp")
        return std::min(std::max(x, a.real(1, "min", -INFINITY)), a.real(2, "max", INFINITY));
    if (plain == "aten::clamp_min") return std::max(x, a.real(1, "min", -INFINITY));
    if (plain == "aten::clamp_max") return std::min(x, a.real(1, "max", INFINITY));
    if (plain == "aten::pow.Tensor_Scalar") return std::pow(x, a.real(1, "exponent", 1));
    return std::nullopt;
}

std::string base_name(const std::string& op) {
    std::string name = op.substr(0, op.find('.'));
    if (name.ends_with('_')) name.pop_back();
    return name;
}

BinaryFunction binary_function(const std::string& base) {
    static const std::map<std::string, BinaryFunction> functions = {
        {"aten::add", [](double x, double y, double alpha) { return x + alpha * y; }},
        {"aten::sub", [](double x, double y, double alpha) { return x - alpha * y; }},
        {"aten::rsub", [](double x, double y, double alpha) { return y - alpha * x; }},
        {"aten::mul", [](double x, double y, double) { return x * y; }},
        {"aten::div", [](double x, double y, double) { return x / y; }},
        {"aten::maximum", [](double x, double y, double) { return std::max(x, y); }},
        {"aten::minimum", [](double x, double y, double) { return std::min(x, y); }},
        {"aten::pow", [](double x, double y, double) { return std::pow(x, y); }},
        {"aten::gt", [](double x, double y, double) -> double { return x > y; }},
        {"aten::ge", [](double x, double y, double) -> double { return x >= y; }},
        {"aten::lt", [](double x, double y, double) -> double { return x < y; }},
        {"aten::le", [](double x, double y, double) -> double { return x <= y; }},
        {"aten::eq", [](double x, double y, double) -> double { return x == y; }},
        {"aten::ne", [](double x, double y, double) -> double { return x != y; }}};
    const auto found = functions.find(base);
    return found == functions.end() ? nullptr : found->second;
}

double cast_value(double value, DType type) {
    const int bits = 8 * element_size(type);
    if (type == DType::b1) return value != 0 ? 1 : 0;
    if (is_floating(type)) return value;
    value = std::trunc(value);
    const bool is_unsigned =
        type == DType::u8 || type == DType::u16 || type == DType::u32 || type == DType::u64;
    const double most = std::ldexp(1.0, is_unsigned ? bits : bits - 1);
    if (!(value < most && value >= (is_unsigned ? 0 : -most))) throw CannotEvaluate("a cast that overflows");
    return value;
}

}  // namespace tritonsmith::plan
