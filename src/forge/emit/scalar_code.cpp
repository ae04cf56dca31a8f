#include "forge/emit/scalar_code.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace tritonsmith::forge {

DType compute_dtype(DType dtype) {
    switch (dtype) {
        case DType::f16:
        case DType::bf16:
        case DType::f8e4m3fn:
        case DType::f8e5m2:
        case DType::f8e4m3fnuz:
        case DType::f8e5m2fnuz:
            return DType::f32;
        default:
            return dtype;
    }
}

bool is_float(DType dtype) {
    return compute_dtype(dtype) == DType::f32 || dtype == DType::f64;
}

namespace {
std::string width_name(DType dtype) {
    static const std::map<DType, std::string> names = {
        {DType::f64, "float64"}, {DType::f32, "float32"}, {DType::f16, "float16"}, {DType::bf16, "bfloat16"},
        {DType::i64, "int64"},   {DType::i32, "int32"},   {DType::i16, "int16"},   {DType::i8, "int8"},
        {DType::u64, "uint64"},  {DType::u32, "uint32"},  {DType::u16, "uint16"},  {DType::u8, "uint8"}};
    const auto found = names.find(dtype);
    return found == names.end() ? "" : found->second;
}
}  // namespace

std::string triton_name(DType dtype) {
    switch (dtype) {
        case DType::b1:
            return "tl.int1";
        case DType::f8e4m3fn:
            return "tl.float8e4nv";
        case DType::f8e5m2:
            return "tl.float8e5";
        default:
            return "tl." + width_name(dtype);
    }
}

std::string torch_name(DType dtype) {
    switch (dtype) {
        case DType::b1:
            return "torch.bool";
        case DType::f8e4m3fn:
            return "torch.float8_e4m3fn";
        case DType::f8e5m2:
            return "torch.float8_e5m2";
        default:
            return "torch." + width_name(dtype);
    }
}

Code number_code(const graph::Number& number, DType dtype) {
    if (dtype == DType::b1) return {graph::as_double(number) != 0 ? "True" : "False"};
    if (!is_float(dtype)) {
        const auto* whole = std::get_if<int64_t>(&number);
        const int64_t value = whole ? *whole : static_cast<int64_t>(graph::as_double(number));
        return {std::to_string(value), value < 0 ? Binding::unary : Binding::atom};
    }
    const double value = graph::as_double(number);
    if (std::isnan(value)) return {"float(\"nan\")"};
    if (std::isinf(value)) return {value < 0 ? "float(\"-inf\")" : "float(\"inf\")"};
    std::string text = fmt::format("{}", value);
    if (dtype != DType::f64) {  // 0.1 rather than 0.10000000149011612
        const auto narrow = static_cast<float>(value);
        if (static_cast<double>(narrow) == value) text = fmt::format("{}", narrow);
    }
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return {text, value < 0 || std::signbit(value) ? Binding::unary : Binding::atom};
}

Code cast_code(const Code& x, DType from, DType to) {
    if (to == DType::b1) return binary(x, "!=", {is_float(from) ? "0.0" : "0"});
    return {x.in(Binding::atom) + ".to(" + triton_name(to) + ")"};
}

bool needs_libdevice(const std::string& text) {
    return text.find("libdevice.") != std::string::npos;
}

bool repeats_argument(ScalarOp op, size_t argument) {
    switch (op) {
        case ScalarOp::relu:
        case ScalarOp::square:
        case ScalarOp::silu:
        case ScalarOp::gelu:
        case ScalarOp::sign:
        case ScalarOp::leaky_relu:
            return argument == 0;
        case ScalarOp::isnan:
        case ScalarOp::remainder:
        case ScalarOp::floor_div:
            return true;
        default:
            return false;
    }
}

namespace {

Code lib(const std::string& name, const std::vector<Code>& args) {
    std::vector<std::string> texts;
    for (const Code& arg : args) texts.push_back(arg.text);
    return call("libdevice." + name, texts);
}

const std::map<ScalarOp, std::string>& operators() {
    static const std::map<ScalarOp, std::string> out = {
        {ScalarOp::add, "+"},         {ScalarOp::sub, "-"},         {ScalarOp::mul, "*"},
        {ScalarOp::lt, "<"},          {ScalarOp::le, "<="},         {ScalarOp::gt, ">"},
        {ScalarOp::ge, ">="},         {ScalarOp::eq, "=="},         {ScalarOp::ne, "!="},
        {ScalarOp::logical_and, "&"}, {ScalarOp::logical_or, "|"},  {ScalarOp::logical_xor, "^"},
        {ScalarOp::shift_left, "<<"}, {ScalarOp::shift_right, ">>"}};
    return out;
}
const std::map<ScalarOp, std::string>& functions() {
    static const std::map<ScalarOp, std::string> out = {
        {ScalarOp::exp, "tl.exp"},        {ScalarOp::exp2, "tl.exp2"},    {ScalarOp::log, "tl.log"},
        {ScalarOp::log2, "tl.log2"},      {ScalarOp::sqrt, "tl.sqrt_rn"}, {ScalarOp::rsqrt, "tl.rsqrt"},
        {ScalarOp::sin, "tl.sin"},        {ScalarOp::cos, "tl.cos"},      {ScalarOp::erf, "tl.erf"},
        {ScalarOp::abs, "tl.abs"},        {ScalarOp::floor, "tl.floor"},  {ScalarOp::ceil, "tl.ceil"},
        {ScalarOp::sigmoid, "tl.sigmoid"}};
    return out;
}
const std::map<ScalarOp, std::string>& library() {
    static const std::map<ScalarOp, std::string> out = {
        {ScalarOp::expm1, "expm1"},       {ScalarOp::log10, "log10"}, {ScalarOp::log1p, "log1p"},
        {ScalarOp::tan, "tan"},           {ScalarOp::asin, "asin"},   {ScalarOp::acos, "acos"},
        {ScalarOp::atan, "atan"},         {ScalarOp::sinh, "sinh"},   {ScalarOp::cosh, "cosh"},
        {ScalarOp::tanh, "tanh"},         {ScalarOp::asinh, "asinh"}, {ScalarOp::acosh, "acosh"},
        {ScalarOp::atanh, "atanh"},       {ScalarOp::erfc, "erfc"},   {ScalarOp::erfinv, "erfinv"},
        {ScalarOp::lgamma, "lgamma"},     {ScalarOp::atan2, "atan2"}, {ScalarOp::hypot, "hypot"},
        {ScalarOp::copysign, "copysign"}, {ScalarOp::fmod, "fmod"},   {ScalarOp::pow, "pow"},
        {ScalarOp::round, "rint"},        {ScalarOp::trunc, "trunc"}};
    return out;
}

}  // namespace

std::optional<Code> scalar_code(ScalarOp op, const std::vector<Code>& a, DType dtype, DType of) {
    const bool real = is_float(of);
    const Code zero{real ? "0.0" : "0"}, one{real ? "1.0" : "1"};
    auto where = [](const Code& condition, const Code& yes, const Code& no) {
        return call("tl.where", {condition.text, yes.text, no.text});
    };
    if (op == ScalarOp::add && a[1].text.starts_with("-") && a[1].binding == Binding::unary)
        return binary(a[0], "-", {a[1].text.substr(1)});
    if (const auto found = operators().find(op); found != operators().end())
        return binary(a[0], found->second, a[1]);
    if (op == ScalarOp::abs && dtype == DType::b1) return a[0];
    if (const auto found = functions().find(op);
        found != functions().end() && (real || op == ScalarOp::abs)) {
        if (op == ScalarOp::sqrt && of != DType::f32) return call("tl.sqrt", {a[0].text});
        return call(found->second, {a[0].text});
    }
    if (op == ScalarOp::pow && !real) return std::nullopt;
    if (op == ScalarOp::fmod && !real) return binary(a[0], "%", a[1]);
    if ((op == ScalarOp::round || op == ScalarOp::trunc) && !real) return a[0];
    if (const auto found = library().find(op); found != library().end()) return lib(found->second, a);
    switch (op) {
        case ScalarOp::div:
            return real ? std::optional(binary(a[0], "/", a[1])) : std::nullopt;
        case ScalarOp::trunc_div:
            return real ? lib("trunc", {binary(a[0], "/", a[1])}) : binary(a[0], "//", a[1]);
        case ScalarOp::floor_div: {
            if (real) return call("tl.floor", {binary(a[0], "/", a[1]).text});
            const Code toward_zero = binary(a[0], "//", a[1]);
            const std::string rest = binary(binary(a[0], "%", a[1]), "!=", zero).text;
            return where({fmt::format("({}) & (({} < 0) != ({} < 0))", rest, a[0].in(Binding::product),
                                      a[1].in(Binding::product))},
                         binary(toward_zero, "-", one), toward_zero);
        }
        case ScalarOp::remainder: {
            const Code rest = real ? lib("fmod", a) : binary(a[0], "%", a[1]);
            return where({fmt::format("({} != 0) & (({} < 0) != ({} < 0))", rest.in(Binding::product),
                                      rest.in(Binding::product), a[1].in(Binding::product))},
                         binary(rest, "+", a[1]), rest);
        }
        case ScalarOp::fma:
            return binary(binary(a[0], "*", a[1]), "+", a[2]);
        case ScalarOp::neg:
            return Code{"-" + a[0].in(Binding::unary), Binding::unary};
        case ScalarOp::sign:
            return binary(
                Code{fmt::format("({} > 0).to({})", a[0].in(Binding::product), triton_name(dtype))}, "-",
                Code{fmt::format("({} < 0).to({})", a[0].in(Binding::product), triton_name(dtype))});
        case ScalarOp::reciprocal:
            return binary(one, "/", a[0]);
        case ScalarOp::square:
            return binary(a[0], "*", a[0]);
        case ScalarOp::maximum:
        case ScalarOp::minimum: {
            const bool most = op == ScalarOp::maximum;
            const std::string name = most ? "tl.maximum" : "tl.minimum";
            if (!real) return call(name, {a[0].text, a[1].text});
            return call(name, {a[0].text, a[1].text, "propagate_nan=tl.PropagateNan.ALL"});
        }
        case ScalarOp::fmax:
            return call("tl.maximum", {a[0].text, a[1].text});
        case ScalarOp::fmin:
            return call("tl.minimum", {a[0].text, a[1].text});
        case ScalarOp::frac:
            return binary(a[0], "-", lib("trunc", a));
        case ScalarOp::isnan:
            return binary(a[0], "!=", a[0]);
        case ScalarOp::isinf:
            return binary(call("tl.abs", {a[0].text}), "==", {"float(\"inf\")"});
        case ScalarOp::isfinite:
            return binary(call("tl.abs", {a[0].text}), "<", {"float(\"inf\")"});
        case ScalarOp::logical_not:
            return of == DType::b1 ? binary(a[0], "==", {"0"})
                                   : Code{"~" + a[0].in(Binding::unary), Binding::unary};
        case ScalarOp::where:
            return where(a[0], a[1], a[2]);
        case ScalarOp::relu:
            return where(binary(a[0], "<", zero), zero, a[0]);  // NaN stays NaN
        case ScalarOp::silu:
            return binary(a[0], "*", call("tl.sigmoid", {a[0].text}));
        case ScalarOp::gelu:
            return binary(
                binary({"0.5"}, "*", a[0]), "*",
                binary({"1.0"}, "+", call("tl.erf", {binary(a[0], "*", {"0.7071067811865476"}).text})));
        case ScalarOp::leaky_relu:
            return where(binary(a[0], ">", zero), a[0], binary(a[0], "*", a[1]));
        default:
            return std::nullopt;
    }
}

}  // namespace tritonsmith::forge
