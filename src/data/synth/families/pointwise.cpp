#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "data/synth/sampler.h"
#include "plan/ir/json.h"

/// Operators of single elements.
namespace tritonsmith::data {
namespace {

/// What keeps an operator's results in range.
enum class Domain : uint8_t { any, bounded, positive };

struct Unary {
    const char* name;
    const char* op;
    std::vector<const char*> forms;  ///< expressions; "nn.X()" is a member
    const char* preferred;
    Domain domain = Domain::any;
    double most = 0;  ///< bound of the results; 0: that of the argument
    bool positive = false;
    std::vector<double> numbers = {};  ///< further arguments
    bool activation = false;
};

const std::vector<Unary>& unaries() {
    static const std::vector<Unary> table = {
        {"relu",
         "aten::relu",
         {"torch.relu({0})", "F.relu({0})", "{0}.relu()", "nn.ReLU()", "F.relu({0})"},
         "activated",
         Domain::any,
         0,
         true,
         {},
         true},
        {"sigmoid",
         "aten::sigmoid",
         {"torch.sigmoid({0})", "{0}.sigmoid()", "nn.Sigmoid()", "F.sigmoid({0})"},
         "gate",
         Domain::any,
         1,
         true,
         {},
         true},
        {"tanh",
         "aten::tanh",
         {"torch.tanh({0})", "{0}.tanh()", "nn.Tanh()", "F.tanh({0})"},
         "squashed",
         Domain::any,
         1,
         false,
         {},
         true},
        {"silu", "aten::silu", {"F.silu({0})", "nn.SiLU()"}, "activated", Domain::any, 0, false, {}, true},
        {"gelu", "aten::gelu", {"F.gelu({0})", "nn.GELU()"}, "activated", Domain::any, 0, false, {}, true},
        {"gelu_tanh",
         "aten::gelu",
         {"F.gelu({0}, approximate=\"tanh\")", "nn.GELU(approximate=\"tanh\")"},
         "activated",
         Domain::any,
         0,
         false,
         {},
         true},
        {"softplus",
         "aten::softplus",
         {"F.softplus({0})", "nn.Softplus()"},
         "softened",
         Domain::any,
         0,
         true,
         {},
         true},
        {"elu",
         "aten::elu",
         {"F.elu({0})", "nn.ELU()", "F.elu({0}, alpha=1.0)"},
         "activated",
         Domain::any,
         0,
         false,
         {},
         true},
        {"leaky_relu",
         "aten::leaky_relu",
         {"F.leaky_relu({0}, 0.1)", "nn.LeakyReLU(0.1)", "F.leaky_relu({0}, negative_slope=0.1)"},
         "activated",
         Domain::any,
         0,
         false,
         {0.1},
         true},
        {"leaky_relu_default",
         "aten::leaky_relu",
         {"F.leaky_relu({0})", "nn.LeakyReLU()"},
         "activated",
         Domain::any,
         0,
         false,
         {},
         true},
        {"hardtanh",
         "aten::hardtanh",
         {"F.hardtanh({0})", "nn.Hardtanh()"},
         "clipped",
         Domain::any,
         1,
         false,
         {},
         true},
        {"relu6",
         "aten::hardtanh",
         {"F.relu6({0})", "nn.ReLU6()"},
         "activated",
         Domain::any,
         6,
         true,
         {0, 6},
         true},
        {"hardswish",
         "aten::hardswish",
         {"F.hardswish({0})", "nn.Hardswish()"},
         "activated",
         Domain::any,
         0,
         false,
         {},
         true},
        {"hardsigmoid",
         "aten::hardsigmoid",
         {"F.hardsigmoid({0})", "nn.Hardsigmoid()"},
         "gate",
         Domain::any,
         1,
         true,
         {},
         true},
        {"mish", "aten::mish", {"F.mish({0})", "nn.Mish()"}, "activated", Domain::any, 0, false, {}, true},
        {"logsigmoid",
         "aten::log_sigmoid_forward",
         {"F.logsigmoid({0})", "nn.LogSigmoid()"},
         "log_gate",
         Domain::any,
         0,
         false,
         {},
         false},
        {"selu",
         "aten::elu",
         {"F.selu({0})", "nn.SELU()", "torch.selu({0})"},
         "activated",
         Domain::any,
         0,
         false,
         {1.6732632423543772848170429916717, 1.0507009873554804934193349852946},
         true},
        {"abs", "aten::abs", {"torch.abs({0})", "{0}.abs()"}, "magnitude", Domain::any, 0, true},
        {"neg", "aten::neg", {"-{0}", "torch.neg({0})", "{0}.neg()"}, "negated"},
        {"square",
         "aten::pow.Tensor_Scalar",
         {"{0} ** 2", "{0}.pow(2)", "torch.square({0})", "torch.pow({0}, 2)"},
         "squared",
         Domain::any,
         -2,
         true},
        {"cube",
         "aten::pow.Tensor_Scalar",
         {"{0} ** 3", "{0}.pow(3)", "torch.pow({0}, 3)"},
         "cubed",
         Domain::bounded,
         -3},
        {"exp", "aten::exp", {"torch.exp({0})", "{0}.exp()"}, "exponential", Domain::bounded, 60, true},
        {"expm1", "aten::expm1", {"torch.expm1({0})"}, "growth", Domain::bounded, 60},
        {"sin", "aten::sin", {"torch.sin({0})", "{0}.sin()"}, "wave", Domain::bounded, 1},
        {"cos", "aten::cos", {"torch.cos({0})", "{0}.cos()"}, "wave", Domain::bounded, 1},
        {"erf", "aten::erf", {"torch.erf({0})"}, "erf", Domain::any, 1},
        {"atan", "aten::atan", {"torch.atan({0})"}, "angle", Domain::any, 1.6},
        {"log1p", "aten::log1p", {"torch.log1p({0})", "{0}.log1p()"}, "logged", Domain::positive, 0, true},
        {"sqrt_of_positive",
         "aten::sqrt",
         {"torch.sqrt({0})", "{0}.sqrt()"},
         "root",
         Domain::positive,
         0,
         true},
    };
    return table;
}

const Unary& unary_of(const std::string& name) {
    for (const Unary& entry : unaries())
        if (entry.name == name) return entry;
    throw std::out_of_range(name);
}

bool applies(const Sampler& a, int v, const Unary& entry) {
    if (!a.floating(v)) return false;
    const double bound = a.at(v).bound;
    if (entry.domain == Domain::bounded && bound > 4) return false;
    if (entry.domain == Domain::positive && !a.at(v).positive) return false;
    const std::string_view name = entry.name;
    if (a.at(v).negative && (name == "relu" || name == "relu6")) return false;  // zeros
    if (a.at(v).extreme && (name == "hardtanh" || name == "relu6" || name == "hardsigmoid")) return false;
    const bool saturates = entry.most > 0 && entry.domain == Domain::any;
    if (saturates && bound > (a.at(v).positive ? 10 : 60))
        return false;  // nearly all results would be the limit
    return !(entry.most == -2 && bound > (a.half() ? 30 : 100));
}

/// What people call a module without weights: often as its class ("nn.GELU()": gelu).
std::string name_of_activation(Sampler& a, std::string_view construction) {
    if (a.r.chance(0.5)) return a.attribute(a.r.of({"act", "activation", "nonlinearity", "act_fn", "act"}));
    std::string own(construction.substr(3, construction.find('(') - 3));
    std::transform(own.begin(), own.end(), own.begin(), [](unsigned char c) { return std::tolower(c); });
    return a.attribute(own);
}

int apply_unary(Sampler& a, int v, const Unary& entry) {
    if (!applies(a, v, entry)) return -1;
    a.begin();
    std::string text = a.r.of(entry.forms);
    const bool infix = text[0] == '-' || text.find(" ** ") != std::string::npos;
    if (text.starts_with("nn.")) {
        const std::string name = name_of_activation(a, text);
        a.s.members.push_back({name, text});
        text = "self." + name + "({0})";
    }
    const Tensor& x = a.at(v).tensor;
    const std::string kind = entry.name;
    std::vector<Arg> args{x};
    for (const double number : entry.numbers) args.emplace_back(number);
    if (kind == "square") args.emplace_back(2);
    if (kind == "cube") args.emplace_back(3);
    Tensor out;
    if (kind == "logsigmoid")
        out = a.s.eager.calls(entry.op, args, {{x.shape, x.dtype}, {{Size(0)}, x.dtype}})[0];
    else if (kind == "gelu_tanh")
        out = a.s.eager.call(entry.op, args, x.shape, x.dtype, {{"approximate", "tanh"}});
    else
        out = a.s.eager.call(entry.op, args, x.shape, x.dtype);
    double bound = entry.most > 0 ? entry.most : a.at(v).bound;
    if (entry.most < 0) bound = std::pow(a.at(v).bound, -entry.most);
    const int made = a.add("", text, {v}, out, bound, entry.preferred, entry.positive, infix);
    a.s.variables.back().negative = kind == "logsigmoid" || (kind == "neg" && a.at(v).positive);
    return made;
}

/// One of the scalars that people write.
double usual_scalar(Random& r) {
    static const std::vector<double> numbers = {0.5,    2.0,  0.1,  1.0, 0.25,  1.5,     3.0,
                                                0.7071, 0.01, 10.0, 0.9, 1.702, 0.044715};
    return r.of(numbers);
}

/// Activations with a number of their own.
int with_number(Sampler& a, int v) {
    if (!a.floating(v) || a.at(v).bound > 60) return -1;
    struct Entry {
        const char *op, *argument, *function, *module;
        std::vector<double> numbers;
    };
    static const std::vector<Entry> table = {
        {"aten::leaky_relu", "negative_slope", "F.leaky_relu", "nn.LeakyReLU", {0.01, 0.05, 0.1, 0.2, 0.3}},
        {"aten::elu", "alpha", "F.elu", "nn.ELU", {0.5, 1.0, 1.5, 2.0}},
        {"aten::softplus", "beta", "F.softplus", "nn.Softplus", {0.5, 2.0, 3.0}},
        {"aten::hardtanh", "min_val", "F.hardtanh", "nn.Hardtanh", {-1.0, -2.0, -3.0}},
        {"aten::celu", "alpha", "F.celu", "nn.CELU", {0.5, 1.5, 2.0}},
        {"aten::softshrink", "lambd", "F.softshrink", "nn.Softshrink", {0.1, 0.5, 1.0}},
        {"aten::hardshrink", "lambd", "F.hardshrink", "nn.Hardshrink", {0.1, 0.5, 1.0}},
    };
    const Entry& entry = a.r.of(table);
    const double number = a.r.of(entry.numbers);
    const bool range = std::string(entry.argument) == "min_val", member = a.r.chance(0.55);
    if (range && (a.at(v).extreme || a.at(v).bound > 20 * -number)) return -1;
    // Of small values nothing would be left.
    if (std::string(entry.argument) == "lambd" && a.at(v).bound < 2 * number) return -1;
    auto given = [&](const char* name, double value) {
        return member ? a.option(name, value) : a.kept(name, number_text(value), Arg(value));
    };
    a.begin();
    const Tensor& x = a.at(v).tensor;
    const std::string op = entry.op;
    std::vector<Arg> args{x, number};
    std::string text = a.r.chance(0.5) && !range
                           ? given(entry.argument, number)
                           : std::string(entry.argument) + "=" + given(entry.argument, number);
    if (range) {
        args.emplace_back(-number);
        text += ", max_val=" + given("max_val", -number);
    }
    if (member) {
        const std::string construction = fmt::format("{}({})", entry.module, text),
                          name = name_of_activation(a, construction);
        a.s.members.push_back({name, construction});
        text = "self." + name + "({0})";
    } else {
        text = fmt::format("{}({{0}}, {})", entry.function, text);
    }
    return a.add("", text, {v}, a.s.eager.call(entry.op, args, x.shape, x.dtype),
                 range ? -number : a.at(v).bound, "activated", op == "aten::softplus");
}

int some_unary(Sampler& a, int v) {
    const std::vector<Unary>& table = unaries();
    return apply_unary(a, v, table[static_cast<size_t>(a.r.below(static_cast<int64_t>(table.size())))]);
}

int some_scalar(Sampler& a, int v) {
    if (!a.floating(v)) return -1;
    double by = usual_scalar(a.r);
    if (a.at(v).bound * by > 1e3 || a.at(v).bound < 1e-3) return -1;
    const int64_t kind = a.r.below(4);
    if (by == 1 && kind != 1) by = 0.75;  // times one is a copy
    switch (kind) {
        case 0:
            return a.scaled(v, by);
        case 1:
            return a.shifted(v, by);
        case 2: {                             // 1 - x
            if (a.at(v).uses > 0) return -1;  // with x again they could add up to one
            a.begin();
            const Tensor out =
                a.s.eager.call("aten::rsub.Scalar", {a.at(v).tensor, 1}, a.shape(v), a.at(v).tensor.dtype);
            return a.add("", "1 - {0}", {v}, out, a.at(v).bound + 1, "complement", false, true);
        }
        default: {
            a.begin();
            const Tensor out =
                a.s.eager.call("aten::div.Tensor", {a.at(v).tensor, by}, a.shape(v), a.at(v).tensor.dtype);
            const std::string text =
                fmt::format("{{0}} / {}", a.scalar({"divisor", "temperature", "scale", "tau"}, by));
            const int made = a.add("", text, {v}, out, a.at(v).bound / by, "scaled", a.at(v).positive, true);
            a.s.variables.back().negative = a.at(v).negative;
            return made;
        }
    }
}

int clamped(Sampler& a, int v) {
    if (!a.floating(v) || a.at(v).extreme) return -1;
    const double high = a.r.of(std::vector<double>{1, 2, 3, 5, 6, 10}), low = a.r.chance(0.5)   ? -high
                                                                              : a.r.chance(0.5) ? 0.0
                                                                                                : -1.0;
    if (a.at(v).bound > (a.at(v).positive ? 4 : 20) * high || (a.at(v).negative && low == 0)) return -1;
    a.begin();
    if (low != -1 && a.r.chance(0.3)) {  // one side of it
        const bool least = !a.at(v).positive && !a.at(v).negative && a.r.chance(0.7);
        const double limit = least ? 0.0 : high;
        const Tensor& x = a.at(v).tensor;
        const std::vector<Arg> args = least ? std::vector<Arg>{x, limit} : std::vector<Arg>{x, Arg(), limit};
        const std::string side = least ? "min" : "max",
                          value = a.scalar({least ? "min_value" : "max_value", "limit", "threshold"}, limit);
        return a.add("", fmt::format("{}{}={})", a.r.of({"torch.clamp({0}, ", "{0}.clamp("}), side, value),
                     {v}, a.s.eager.call("aten::clamp", args, x.shape, x.dtype), a.at(v).bound, "clipped",
                     least || a.at(v).positive);
    }
    const std::string text = a.r.of({"torch.clamp({0}, min={1}, max={2})", "{0}.clamp({1}, {2})",
                                     "torch.clamp({0}, {1}, {2})", "{0}.clamp(min={1}, max={2})"});
    const Tensor out =
        a.s.eager.call("aten::clamp", {a.at(v).tensor, low, high}, a.shape(v), a.at(v).tensor.dtype);
    return a.add("",
                 filled(text, {"{0}", a.scalar({"min_val", "clamp_min", "low", "min_value"}, low),
                               a.scalar({"max_val", "clamp_max", "high", "max_value"}, high)}),
                 {v}, out, high, "clipped", low >= 0);
}

/// With an input of its own, or another value of the same shape.
int with_other(Sampler& a, int v) {
    if (!a.floating(v)) return -1;
    int other = -1;
    for (int i = static_cast<int>(a.s.variables.size()) - 1; i >= 0 && other < 0; --i)
        if (i != v && same(a.shape(i), a.shape(v)) && a.at(i).tensor.dtype == a.at(v).tensor.dtype &&
            a.r.chance(0.6))
            other = i;
    if (other < 0) {
        if (a.s.inputs.size() >= 4) return -1;
        other = a.another(
            v, a.r.of({"y", "residual", "other", "gate", "mask", "skip", "target", "weight", "z", "b"}));
    }
    const double bound = a.at(v).bound * a.at(other).bound;
    const char* op = a.r.of({"add", "add", "mul", "mul", "sub", "maximum", "minimum"});
    if (std::string(op) == "mul" && bound > (a.half() ? 100 : 1e4)) op = "add";
    // What is left of x in (x + y) - x, or in (1 - x) + x, says nothing of it.
    if ((std::string(op) == "sub" || std::string(op) == "add") &&
        (a.is_sum_with(v, other) || a.is_sum_with(other, v)))
        op = bound > (a.half() ? 100 : 1e4) ? "maximum" : "mul";
    if (a.rank(v) == 0) return -1;
    return a.binary(v, other, op);
}

/// A parameter along one axis: scale, shift, a gate for each channel; or a single number.
int with_parameter(Sampler& a, int v) {
    if (!a.floating(v) || a.rank(v) < 2 || a.at(v).tensor.dtype != a.s.dtype || a.at(v).bound > 1e3)
        return -1;
    const Shape& shape = a.shape(v);
    const bool image = a.rank(v) >= 4 || a.s.theme == "c", single = a.r.chance(0.12);
    const Size& axis = image ? shape[1] : shape.back();
    if (axis.text.empty()) return -1;
    Shape of = {axis};
    if (image)
        for (int i = 2; i < a.rank(v); ++i) of.emplace_back(1);
    if (image && a.r.chance(0.3)) of.insert(of.begin(), Size(1));
    if (single) of = {Size(1)};
    const char* made = a.r.of({"nn.Parameter(torch.randn({0}))", "nn.Parameter(torch.ones({0}))",
                               "nn.Parameter(torch.zeros({0}))", "nn.Parameter(torch.rand({0}))",
                               "nn.Parameter(torch.empty({0}).uniform_(-0.5, 0.5))",
                               "nn.Parameter(torch.randn({0}) * 0.02)"});
    struct Form {
        const char *op, *text, *result;
        std::vector<const char*> names;
    };
    static const std::vector<Form> forms = {
        {"aten::add.Tensor", "{0} + ", "shifted", {"bias", "shift", "beta", "offset", "b"}},
        {"aten::sub.Tensor", "{0} - ", "shifted", {"bias", "mean", "offset", "subtract", "center"}},
        {"aten::mul.Tensor", "{0} * ", "scaled", {"scale", "gamma", "gain", "alpha", "weight", "g"}}};
    const Form& form = forms[a.r.weighted({45, 12, 43})];
    std::string text;
    a.begin();
    const Tensor parameter = a.parameter(a.r.of(form.names), of, made, text);
    const Tensor& x = a.at(v).tensor;
    const Tensor out = a.s.eager.call(form.op, {x, parameter}, x.shape, x.dtype);
    const bool scaled = form.text[4] == '*';
    return a.add("", form.text + text, {v}, out, scaled ? a.at(v).bound * 3 : a.at(v).bound + 3, form.result,
                 false, true);
}

/// torch.where on the sign of an input.
int chosen(Sampler& a, int v) {
    if (!a.floating(v) || !a.at(v).input) return -1;
    const double by = a.r.of(std::vector<double>{0.1, 0.01, 0.2, 0.5});
    a.begin();
    const Tensor& x = a.at(v).tensor;
    const Tensor test = a.s.eager.call("aten::gt.Scalar", {x, 0}, x.shape, DType::b1);
    const Tensor less = a.s.eager.call("aten::mul.Tensor", {x, by}, x.shape, x.dtype);
    const Tensor out = a.s.eager.call("aten::where.self", {test, x, less}, x.shape, x.dtype);
    return a.add("", fmt::format("torch.where({{0}} > 0, {{0}}, {{0}} * {})", number_text(by)), {v}, out,
                 a.at(v).bound, "selected");
}

/// log(|x| + eps), sqrt(x² + eps) and such.
int guarded(Sampler& a, int v) {
    // What a logarithm or a root leaves of a long sum that cancels is less than the sum's error.
    if (!a.floating(v) || a.at(v).bound > 60) return -1;
    const int positive = a.r.chance(0.5) ? a.unary(v, "abs") : a.at(v).bound < 30 ? a.unary(v, "square") : -1;
    if (positive < 0) return -1;
    const int shifted = a.shifted(positive, a.r.chance(0.5) ? 1.0 : 0.1);
    a.begin();
    const Tensor& x = a.at(shifted).tensor;
    switch (a.r.below(3)) {
        case 0:
            return a.add("", a.r.of({"torch.log({0})", "{0}.log()"}), {shifted},
                         a.s.eager.call("aten::log", {x}, x.shape, x.dtype), 8, "logged");
        case 1:
            return a.add("", a.r.of({"torch.sqrt({0})", "{0}.sqrt()"}), {shifted},
                         a.s.eager.call("aten::sqrt", {x}, x.shape, x.dtype), a.at(shifted).bound, "root",
                         true);
        default:
            return a.add("", a.r.of({"torch.rsqrt({0})", "{0}.rsqrt()"}), {shifted},
                         a.s.eager.call("aten::rsqrt", {x}, x.shape, x.dtype), 4, "inverse", true);
    }
}

/// x * sigmoid(x) and the like, written out.
int self_gated(Sampler& a, int v) {
    if (!a.floating(v) || a.at(v).bound > 100) return -1;
    const int gate = a.unary(v, a.r.of({"sigmoid", "tanh", "hardsigmoid", "erf", "softplus"}));
    if (gate < 0) return -1;
    return a.binary(v, gate, "mul");
}

int gated_halves(Sampler& a, int v) {  // chunk along the last axis
    if (!a.floating(v) || a.rank(v) < 2 || !a.shape(v).back().divisible(2) || a.shape(v).back().now() < 16)
        return -1;
    const int axis = a.rank(v) - 1;
    const Size half = divided(a.shape(v).back(), 2);
    const Tensor x = a.at(v).tensor;
    const Tensor left = a.s.eager.slice(x, axis, 0, half), right = a.s.eager.slice(x, axis, half, half);
    const double bound = a.at(v).bound;
    if (a.r.chance(0.3)) {
        a.begin();
        Shape shape = a.shape(v);
        shape.back() = half;
        return a.add("", a.r.of({"F.glu({0}, dim=-1)", "F.glu({0})"}), {v},
                     a.s.eager.call("aten::glu", {x}, shape, x.dtype), bound, "gated");
    }
    a.begin();
    const int first = a.add("", a.r.of({"{0}.chunk(2, dim=-1)", "torch.chunk({0}, 2, dim=-1)"}), {v}, left,
                            bound, a.r.of({"a", "value", "left", "x1"}));
    Variable second = a.at(first);
    second.tensor = right;
    second.preferred = a.r.of({"b", "gate", "right", "x2"});
    a.s.variables.push_back(second);
    const int other = static_cast<int>(a.s.variables.size()) - 1;
    a.s.steps.back().results.push_back(other);
    const int gate = a.activation(other);
    return gate < 0 ? -1 : a.binary(first, gate, "mul");
}

int integer(Sampler& a, int v) {
    if (a.floating(v)) return -1;
    const Tensor x = a.at(v).tensor;
    const int64_t by = a.r.of({2, 3, 5, 7, 10});
    const double bound = a.at(v).bound;
    auto made = [&](const char* op, const char* text, Arg arg, bool infix, double most) {
        a.begin();
        return a.add("integers", filled(text, {"{0}", std::to_string(by)}), {v},
                     a.s.eager.call(op, {x, std::move(arg)}, x.shape, x.dtype), most, "coded", false, infix);
    };
    if (bound > 1e6) return -1;
    switch (a.r.below(6)) {
        case 0:
            return made("aten::mul.Tensor", "{0} * {1}", Arg(by), true, bound * 10);
        case 1:
            return made("aten::add.Tensor", "{0} + {1}", Arg(by), true, bound + 10);
        case 2:
            return made("aten::remainder.Scalar", "{0} % {1}", Arg(by), true, static_cast<double>(by));
        case 3:
            return made("aten::bitwise_and.Scalar", "{0} & {1}", Arg(by), true, static_cast<double>(by));
        case 4:
            return bound < 4 * static_cast<double>(by)
                       ? -1
                       : made("aten::clamp_min", "{0}.clamp(min={1})", Arg(by), false, bound);
        default:
            return made("aten::sub.Tensor", "{0} - {1}", Arg(by), true, bound + 10);
    }
}

int integers_together(Sampler& a, int v) {
    if (a.floating(v) || a.at(v).bound > 1e4 || a.s.inputs.size() >= 3) return -1;
    int other = -1;
    for (int i = 0; i < static_cast<int>(a.s.variables.size()) && other < 0; ++i)
        if (i != v && same(a.shape(i), a.shape(v)) && a.at(i).tensor.dtype == a.at(v).tensor.dtype &&
            a.at(i).bound < 1e4)
            other = i;
    if (other < 0)
        other = a.input(a.shape(v), a.at(v).tensor.dtype, a.r.of({"y", "other", "mask", "flags"}),
                        "torch.randint", "64");
    const Tensor x = a.at(v).tensor, y = a.at(other).tensor;
    a.begin();
    struct Entry {
        const char *op, *text;
        bool infix;
    };
    static const std::vector<Entry> table = {{"aten::add.Tensor", "{0} + {1}", true},
                                             {"aten::mul.Tensor", "{0} * {1}", true},
                                             {"aten::bitwise_xor.Tensor", "{0} ^ {1}", true},
                                             {"aten::bitwise_or.Tensor", "{0} | {1}", true},
                                             {"aten::maximum", "torch.maximum({0}, {1})", false},
                                             {"aten::minimum", "torch.minimum({0}, {1})", false}};
    const Entry& entry = a.r.of(table);
    return a.add("integers", entry.text, {v, other}, a.s.eager.call(entry.op, {x, y}, x.shape, x.dtype),
                 a.at(v).bound * 100, "mixed", false, entry.infix);
}

}  // namespace

int Sampler::unary(int v, const char* name) {
    return apply_unary(*this, v, unary_of(name));
}

int Sampler::activation(int v) {
    const std::vector<Unary>& table = unaries();
    for (int attempt = 0; attempt < 20; ++attempt) {
        const Unary& entry = table[static_cast<size_t>(r.below(static_cast<int64_t>(table.size())))];
        if (entry.activation) return apply_unary(*this, v, entry);
    }
    return apply_unary(*this, v, unary_of("relu"));
}

int Sampler::scaled(int v, double by) {
    begin();
    const Tensor out = s.eager.call("aten::mul.Tensor", {at(v).tensor, by}, shape(v), at(v).tensor.dtype);
    const char* text = r.of({"{0} * {1}", "{1} * {0}", "{0} * {1}", "torch.mul({0}, {1})", "{0}.mul({1})"});
    const std::string given = filled(
        text,
        {"{0}", scalar({"scale", "scaling_factor", "scale_factor", "alpha", "multiplier", "factor"}, by)});
    const bool infix = text[0] == '{' && text[3] == ' ';
    const int made = add("", given, {v}, out, at(v).bound * by, "scaled", at(v).positive, infix);
    s.variables.back().negative = at(v).negative;
    return made;
}

int Sampler::shifted(int v, double by) {
    begin();
    const Tensor out = s.eager.call("aten::add.Tensor", {at(v).tensor, by}, shape(v), at(v).tensor.dtype);
    const char* text = r.of({"{0} + {1}", "{0} + {1}", "torch.add({0}, {1})"});
    const std::string given =
        scalar(by < 1e-2 ? std::initializer_list<const char*>{"eps", "epsilon"}
                         : std::initializer_list<const char*>{"add_value", "shift", "offset", "constant"},
               by);
    return add("", filled(text, {"{0}", given}), {v}, out, at(v).bound + by, "shifted", at(v).positive,
               text[0] == '{');
}

int Sampler::binary(int a, int b, const char* op) {
    struct Entry {
        const char *name, *aten, *sign, *function, *preferred;
    };
    static const Entry table[] = {{"add", "aten::add.Tensor", "+", "torch.add", "total"},
                                  {"mul", "aten::mul.Tensor", "*", "torch.mul", "product"},
                                  {"sub", "aten::sub.Tensor", "-", "torch.sub", "difference"},
                                  {"div", "aten::div.Tensor", "/", "torch.div", "ratio"},
                                  {"maximum", "aten::maximum", "", "torch.maximum", "larger"},
                                  {"minimum", "aten::minimum", "", "torch.minimum", "smaller"}};
    const Entry* entry = std::find_if(std::begin(table), std::end(table),
                                      [&](const Entry& e) { return std::string(e.name) == op; });
    Shape result = shape(a);
    if (rank(b) > rank(a)) result = shape(b);
    for (size_t i = 0; i < result.size(); ++i) {  // broadcast
        const size_t da = shape(a).size() + i, db = shape(b).size() + i;
        const Size one(1);
        const Size& left = da >= result.size() ? shape(a)[da - result.size()] : one;
        const Size& right = db >= result.size() ? shape(b)[db - result.size()] : one;
        result[i] = left.at[0] == 1 ? right : left;
    }
    begin();
    const Tensor out = s.eager.call(entry->aten, {at(a).tensor, at(b).tensor}, result, at(a).tensor.dtype);
    const std::string kind = op;
    const double bound = kind == "mul"                    ? at(a).bound * at(b).bound
                         : kind == "div"                  ? at(a).bound * 4
                         : kind == "add" || kind == "sub" ? at(a).bound + at(b).bound
                                                          : std::max(at(a).bound, at(b).bound);
    const bool positive = at(a).positive && at(b).positive && kind != "sub";
    const bool sign = *entry->sign && !r.chance(0.12);
    const std::string text =
        sign ? fmt::format("{{0}} {} {{1}}", entry->sign) : fmt::format("{}({{0}}, {{1}})", entry->function);
    return add("", text, {a, b}, out, bound, entry->preferred, positive, sign);
}

bool Sampler::is_sum_with(int v, int part) const {
    if (v == part) return true;
    for (const Step& step : s.steps) {
        if (step.results[0] != v || step.lines.empty()) continue;
        const std::string& text = step.lines[0];
        const bool sum = text.find(" + ") != std::string::npos || text.find(" - ") != std::string::npos ||
                         text.find("torch.add(") != std::string::npos ||
                         text.find("torch.sub(") != std::string::npos;
        return sum && std::any_of(step.operands.begin(), step.operands.end(),
                                  [&](int operand) { return is_sum_with(operand, part); });
    }
    return false;
}

int Sampler::power(int v, double exponent) {
    begin();
    const Tensor out = s.eager.call("aten::pow.Tensor_Scalar", {at(v).tensor, static_cast<int64_t>(exponent)},
                                    shape(v), at(v).tensor.dtype);
    const bool infix = r.chance(0.5);
    const std::string text =
        infix ? fmt::format("{{0}} ** {}", exponent) : fmt::format("{{0}}.pow({})", exponent);
    return add("", text, {v}, out, std::pow(at(v).bound, exponent), "squared", true, infix);
}

void add_pointwise_families(std::vector<Family>& out) {
    out.push_back({"elementwise", 14, "msichpv", some_unary});
    out.push_back({"elementwise", 4, "msichpv", with_number});
    out.push_back({"elementwise", 9, "msichpv", some_scalar});
    out.push_back({"elementwise", 2, "msichpv", clamped});
    out.push_back({"elementwise", 9, "msichpv", with_other});
    out.push_back({"elementwise", 5, "msicv", with_parameter});
    out.push_back({"elementwise", 1.5, "msic", chosen});
    out.push_back({"elementwise", 3, "msichpv", guarded});
    out.push_back({"elementwise", 3, "msichv", self_gated});
    out.push_back({"gating", 3.5, "mse", gated_halves});
    out.push_back({"integers", 20, "n", integer});
    out.push_back({"integers", 14, "n", integers_together});
}

}  // namespace tritonsmith::data
