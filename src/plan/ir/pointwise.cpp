#include "plan/ir/pointwise.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>

#include "base/float_format.h"
#include "plan/ir/element.h"
#include "plan/ir/json.h"

namespace tritonsmith::plan {

namespace {

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}
double softplus(double x) {
    return x > 30 ? x : std::log1p(std::exp(x));
}

/// With the sign of the divisor, as Python has it.
double remainder_of(double x, double y) {
    const double rest = std::fmod(x, y);
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}
/// Integers that float64 holds.
int64_t integer(double x) {
    if (!(std::abs(x) < 0x1p53)) throw CannotEvaluate("the bits of a large integer");
    return static_cast<int64_t>(x);
}
template <class F>
double of_bits(double x, double y, F f) {
    return static_cast<double>(f(integer(x), integer(y)));
}
double shifted_left(double x, double by, double) {
    return by >= 0 && by < 63 ? std::ldexp(x, static_cast<int>(by))
                              : throw CannotEvaluate("a shift beyond the width");
}
double shifted_right(double x, double by, double) {
    return by >= 0 && by < 63 ? static_cast<double>(integer(x) >> static_cast<int>(by))
                              : throw CannotEvaluate("a shift beyond the width");
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
        {"aten::tan", [](double x) { return std::tan(x); }},
        {"aten::asin", [](double x) { return std::asin(x); }},
        {"aten::acos", [](double x) { return std::acos(x); }},
        {"aten::atan", [](double x) { return std::atan(x); }},
        {"aten::sinh", [](double x) { return std::sinh(x); }},
        {"aten::cosh", [](double x) { return std::cosh(x); }},
        {"aten::asinh", [](double x) { return std::asinh(x); }},
        {"aten::acosh", [](double x) { return std::acosh(x); }},
        {"aten::atanh", [](double x) { return std::atanh(x); }},
        {"aten::erfc", [](double x) { return std::erfc(x); }},
        {"aten::lgamma", [](double x) { return std::lgamma(x); }},
        {"aten::log10", [](double x) { return std::log10(x); }},
        {"aten::trunc", [](double x) { return std::trunc(x); }},
        {"aten::frac", [](double x) { return x - std::trunc(x); }},
        {"aten::isnan", [](double x) -> double { return std::isnan(x); }},
        {"aten::isinf", [](double x) -> double { return std::isinf(x); }},
        {"aten::isfinite", [](double x) -> double { return std::isfinite(x); }},
        {"aten::logical_not", [](double x) -> double { return x == 0; }},
        {"aten::deg2rad", [](double x) { return x * (std::numbers::pi / 180); }},
        {"aten::rad2deg", [](double x) { return x * (180 / std::numbers::pi); }},
        {"aten::sinc",
         [](double x) { return x == 0 ? 1 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x); }},
        {"aten::special_entr", [](double x) { return x > 0    ? -x * std::log(x)
                                                     : x == 0 ? 0
                                                              : -INFINITY; }},
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
    if (plain == "aten::celu") {
        const double alpha = a.real(1, "alpha", 1);
        return std::max(x, 0.0) + std::min(alpha * std::expm1(x / alpha), 0.0);
    }
    if (plain == "aten::hardshrink") return std::abs(x) <= a.real(1, "lambd", 0.5) ? 0 : x;
    if (plain == "aten::softshrink") {
        const double by = a.real(1, "lambd", 0.5);
        return x > by ? x - by : x < -by ? x + by : x * 0;
    }
    if (plain == "aten::threshold") return x <= a.real(1, "threshold", 0) ? a.real(2, "value", 0) : x;
    if (plain == "aten::logit") {
        const double eps = a.real(1, "eps", -1);
        const double p = eps < 0 ? x : std::min(std::max(x, eps), 1 - eps);
        return std::log(p / (1 - p));
    }
    if (plain == "aten::nan_to_num") {
        const DType type = a.tensor(0).dtype;
        const double most = type == DType::f64 ? std::numeric_limits<double>::max()
                                               : largest_number(float_format(type).value_or(kBinary32));
        if (std::isnan(x)) return a.real(1, "nan", 0);
        return !std::isinf(x) ? x : x > 0 ? a.real(2, "posinf", most) : a.real(3, "neginf", -most);
    }
    if (plain == "aten::bitwise_not") return a.tensor(0).dtype == DType::b1 ? x == 0 : -x - 1;
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
        {"aten::ne", [](double x, double y, double) -> double { return x != y; }},
        {"aten::fmax", [](double x, double y, double) { return std::fmax(x, y); }},
        {"aten::fmin", [](double x, double y, double) { return std::fmin(x, y); }},
        {"aten::fmod", [](double x, double y, double) { return std::fmod(x, y); }},
        {"aten::remainder", [](double x, double y, double) { return remainder_of(x, y); }},
        {"aten::floor_divide", [](double x, double y, double) { return (x - remainder_of(x, y)) / y; }},
        {"aten::atan2", [](double x, double y, double) { return std::atan2(x, y); }},
        {"aten::hypot", [](double x, double y, double) { return std::hypot(x, y); }},
        {"aten::copysign", [](double x, double y, double) { return std::copysign(x, y); }},
        {"aten::logaddexp",
         [](double x, double y, double) { return std::max(x, y) + std::log1p(std::exp(-std::abs(x - y))); }},
        {"aten::xlogy",
         [](double x, double y, double) { return x == 0 && !std::isnan(y) ? 0 : x * std::log(y); }},
        {"aten::logical_and", [](double x, double y, double) -> double { return x != 0 && y != 0; }},
        {"aten::logical_or", [](double x, double y, double) -> double { return x != 0 || y != 0; }},
        {"aten::logical_xor", [](double x, double y, double) -> double { return (x != 0) != (y != 0); }},
        {"aten::bitwise_and", [](double x, double y, double) { return of_bits(x, y, std::bit_and<>()); }},
        {"aten::bitwise_or", [](double x, double y, double) { return of_bits(x, y, std::bit_or<>()); }},
        {"aten::bitwise_xor", [](double x, double y, double) { return of_bits(x, y, std::bit_xor<>()); }},
        {"aten::__and_", [](double x, double y, double) { return of_bits(x, y, std::bit_and<>()); }},
        {"aten::__or_", [](double x, double y, double) { return of_bits(x, y, std::bit_or<>()); }},
        {"aten::__xor_", [](double x, double y, double) { return of_bits(x, y, std::bit_xor<>()); }},
        {"aten::bitwise_left_shift", shifted_left},
        {"aten::__lshift_", shifted_left},
        {"aten::bitwise_right_shift", shifted_right},
        {"aten::__rshift_", shifted_right}};
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
