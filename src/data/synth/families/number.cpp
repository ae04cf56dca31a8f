#include <fmt/format.h>

#include <cmath>

#include "data/synth/sampler.h"

/// Python numbers among forward's arguments.
namespace tritonsmith::data {
namespace {

/// x with a number: text with {0} and {1}.
struct Scaling {
    const char* op;
    std::vector<const char*> forms, names;
    bool infix;
};

double drawn_number(Random& r) {
    return r.of(
        std::vector<double>{0.5, 0.1, 0.25, 0.75, 1.5, 2.5, 3.0, 0.01, 0.3, 0.7, 3.14, 0.9, 0.125, 5.0});
}

int scaled_by_argument(Sampler& a, int v) {
    static const std::vector<Scaling> table = {
        {"aten::mul.Tensor",
         {"{0} * {1}", "{1} * {0}", "torch.mul({0}, {1})", "{0}.mul({1})"},
         {"alpha", "s", "scale", "scalar", "c", "factor", "multiplier", "k", "gain"},
         true},
        {"aten::add.Tensor",
         {"{0} + {1}", "torch.add({0}, {1})"},
         {"beta", "offset", "c", "shift", "eps"},
         true},
        {"aten::sub.Tensor", {"{0} - {1}"}, {"mean", "offset", "center", "zero_point"}, true},
        {"aten::div.Tensor", {"{0} / {1}"}, {"temperature", "tau", "t", "scale", "norm"}, true},
        {"aten::leaky_relu",
         {"F.leaky_relu({0}, {1})", "F.leaky_relu({0}, negative_slope={1})"},
         {"slope", "negative_slope", "alpha"},
         false},
        {"aten::elu", {"F.elu({0}, alpha={1})", "F.elu({0}, {1})"}, {"alpha", "a"}, false},
        {"aten::celu", {"F.celu({0}, alpha={1})"}, {"alpha", "a"}, false},
        {"aten::softshrink", {"F.softshrink({0}, {1})"}, {"lambd", "threshold"}, false},
        {"aten::hardshrink", {"F.hardshrink({0}, {1})"}, {"lambd", "threshold"}, false},
    };
    const Scaling& entry = a.r.of(table);
    if (!a.floating(v) || a.at(v).bound > 60 || a.s.inputs.size() >= 4) return -1;
    const double by = drawn_number(a.r);
    if (std::string(entry.op) == "aten::div.Tensor" && a.at(v).bound / by > 500) return -1;
    Arg given;
    const int number = a.number(a.r.of(entry.names), by, given);
    const Tensor x = a.at(v).tensor;
    a.begin();
    const std::string text = a.r.of(entry.forms);
    return a.add("argument", text, {v, number}, a.s.eager.call(entry.op, {x, given}, x.shape, x.dtype),
                 a.at(v).bound * 5, "scaled", false, entry.infix && text.find('(') == std::string::npos);
}

/// Two tensors and a number.
int blended(Sampler& a, int v) {
    if (!a.floating(v) || a.half() || a.at(v).bound > 60 || a.s.inputs.size() >= 3) return -1;
    const int other = a.another(v, a.r.of({"y", "other", "b", "residual", "target", "z"}));
    Arg given;
    const int number = a.number(a.r.of({"alpha", "beta", "weight", "momentum", "decay", "lam", "t"}),
                                a.r.of(std::vector<double>{0.1, 0.3, 0.5, 0.9, 0.25, 0.7}), given);
    const Tensor x = a.at(v).tensor, y = a.at(other).tensor;
    const double bound = a.at(v).bound + a.at(other).bound;
    a.begin();
    switch (a.r.below(3)) {
        case 0:
            return a.add("argument", "torch.lerp({0}, {1}, {2})", {v, other, number},
                         a.s.eager.call("aten::lerp.Scalar", {x, y, given}, x.shape, x.dtype), bound,
                         "blended");
        case 1:
            return a.add("argument", "torch.add({0}, {1}, alpha={2})", {v, other, number},
                         a.s.eager.call("aten::add.Tensor", {x, y}, x.shape, x.dtype, {{"alpha", given}}),
                         bound, "total");
        default: {
            const Tensor more = a.s.eager.call("aten::mul.Tensor", {y, given}, x.shape, x.dtype);
            return a.add("argument", a.r.of({"{0} + {2} * {1}", "{0} + {1} * {2}"}), {v, other, number},
                         a.s.eager.call("aten::add.Tensor", {x, more}, x.shape, x.dtype), bound, "total",
                         false, true);
        }
    }
}

int limited(Sampler& a, int v) {
    if (!a.floating(v) || !a.at(v).input || a.at(v).positive || a.s.inputs.size() >= 3) return -1;
    Arg low, high;
    const double at = a.r.of(std::vector<double>{0.5, 0.8, 1.25, 1.5});
    const int least = a.number(a.r.of({"low", "min_val", "lo", "lower"}), -at, low),
              most = a.number(a.r.of({"high", "max_val", "hi", "upper"}), at + 0.25, high);
    const Tensor x = a.at(v).tensor;
    a.begin();
    return a.add(
        "argument",
        a.r.of({"torch.clamp({0}, {1}, {2})", "torch.clamp({0}, min={1}, max={2})", "{0}.clamp({1}, {2})"}),
        {v, least, most}, a.s.eager.call("aten::clamp", {x, low, high}, x.shape, x.dtype), at + 1, "clipped");
}

/// What is above a number, or something else.
int above(Sampler& a, int v) {
    if (!a.floating(v) || !a.at(v).input || a.s.inputs.size() >= 3) return -1;
    Arg given;
    const int number = a.number(a.r.of({"threshold", "thr", "cutoff", "limit"}),
                                a.r.of(std::vector<double>{0.125, 0.25, 0.5, 0.75}), given);
    const Tensor x = a.at(v).tensor;
    a.begin();
    if (a.r.chance(0.5)) {
        const double rest = a.r.of(std::vector<double>{0.0, -1.0, 20.0});
        return a.add("argument", fmt::format("F.threshold({{0}}, {{1}}, {})", number_text(rest)), {v, number},
                     a.s.eager.call("aten::threshold", {x, given, rest}, x.shape, x.dtype), 20, "kept");
    }
    const Tensor test = a.s.eager.call("aten::gt.Scalar", {x, given}, x.shape, DType::b1);
    return a.add("argument", "{0} * ({0} > {1})", {v, number},
                 a.s.eager.call("aten::mul.Tensor", {x, test}, x.shape, x.dtype), a.at(v).bound, "kept",
                 false, true);
}

/// A product of matrices, times a number; of C + A B with two.
int scaled_product(Sampler& a, int v) {
    if (!a.floating(v) || a.half() || a.rank(v) < 2 || a.rank(v) > 3 || a.at(v).permuted || !a.at(v).input ||
        a.s.inputs.size() >= 3 || a.long_rows(v))
        return -1;
    const Shape shape = a.shape(v);
    const Size inner = shape.back(), cols = a.size({"N", "out", "cols", "n"}, {32, 64, 128, 256, 512, 100});
    const bool added = a.rank(v) == 2 && a.r.chance(0.4);
    const int other = a.input({inner, cols}, a.s.dtype, a.r.of({"b", "B", "weight", "y"}), "torch.randn");
    const Tensor x = a.at(v).tensor, y = a.at(other).tensor;
    Arg alpha, beta;
    const double bound = 16 * std::sqrt(static_cast<double>(inner.now()));
    if (added) {
        const Shape result = {shape[0], cols};
        const int addend = a.input(result, a.s.dtype, a.r.of({"c", "C", "bias", "acc"}), "torch.randn");
        const int first =
                      a.number(a.r.of({"alpha", "a"}), a.r.of(std::vector<double>{0.5, 0.75, 1.5}), alpha),
                  second = a.number(a.r.of({"beta", "b_scale"}), a.r.of(std::vector<double>{0.25, 0.4, 2.5}),
                                    beta);
        a.begin();
        return a.add("argument", "torch.addmm({2}, {0}, {1}, beta={4}, alpha={3})",
                     {v, other, addend, first, second},
                     a.s.eager.call("aten::addmm", {a.at(addend).tensor, x, y}, result, a.s.dtype,
                                    {{"beta", beta}, {"alpha", alpha}}),
                     bound, "product");
    }
    a.begin();
    const int product = a.add("product", a.r.of({"{0} @ {1}", "torch.matmul({0}, {1})"}), {v, other},
                              a.s.eager.matmul(x, y), bound, "product", false, true);
    const int number = a.number(a.r.of({"scale", "alpha", "s", "temperature"}),
                                a.r.of(std::vector<double>{0.125, 0.5, 0.05, 2.5}), alpha);
    a.begin();
    const Tensor& made = a.at(product).tensor;
    return a.add("argument", "{0} * {1}", {product, number},
                 a.s.eager.call("aten::mul.Tensor", {made, alpha}, made.shape, made.dtype), bound, "scaled",
                 false, true);
}

/// softmax(x / temperature)
int tempered(Sampler& a, int v) {
    if (!a.floating(v) || a.rank(v) < 2 || a.at(v).bound > 10 || a.s.inputs.size() >= 3 || a.at(v).settled)
        return -1;
    Arg given;
    const int number = a.number(a.r.of({"temperature", "tau", "T", "temp"}),
                                a.r.of(std::vector<double>{0.5, 0.7, 1.5, 2.5}), given);
    const Tensor x = a.at(v).tensor;
    a.begin();
    const int scaled = a.add("argument", "{0} / {1}", {v, number},
                             a.s.eager.call("aten::div.Tensor", {x, given}, x.shape, x.dtype),
                             a.at(v).bound * 2, "scaled", false, true);
    return a.softmax(scaled, a.rank(v) - 1, a.r.chance(0.3));
}

}  // namespace

void add_number_families(std::vector<Family>& out) {
    out.push_back({"argument", 2.2, "msichpv", scaled_by_argument});
    out.push_back({"argument", 0.8, "msichv", blended});
    out.push_back({"argument", 0.4, "msicv", limited});
    out.push_back({"argument", 0.4, "msicv", above});
    out.push_back({"argument", 2, "p", scaled_product});
    out.push_back({"argument", 0.4, "msh", scaled_product});
    out.push_back({"argument", 0.5, "msh", tempered});
}

}  // namespace tritonsmith::data
