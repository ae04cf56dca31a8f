#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/synth/sampler.h"

/// What people ask for by name: products of other layouts, norms over a sum or a length.
namespace tritonsmith::data {
namespace {

bool plain(const Sampler& a, int v, int rank) {
    return a.floating(v) && a.rank(v) == rank && !a.at(v).permuted && !a.half() && a.at(v).bound <= 50;
}

std::string other_name(Sampler& a) {
    return a.r.of({"y", "B", "other", "weight", "mat", "b", "rhs"});
}

int matrix_vector(Sampler& a, int v) {
    if (!plain(a, v, 2) || a.s.inputs.size() > 2) return -1;
    const bool column = a.r.chance(0.5);
    const Size rows = a.shape(v)[0], inner = a.shape(v)[1];
    if (inner.now() > 1 << 20) return -1;
    const int other =
        a.input(column ? Shape{inner, Size(1)} : Shape{inner}, a.s.dtype, other_name(a), "torch.randn");
    const Tensor x = a.at(v).tensor, y = a.at(other).tensor;
    a.begin();
    const Tensor out = column ? a.s.eager.call("aten::mm", {x, y}, {rows, Size(1)}, x.dtype)
                              : a.s.eager.call("aten::mv", {x, y}, {rows}, x.dtype);
    const bool sign = a.r.chance(0.3);
    const std::string text = sign                         ? "{0} @ {1}"
                             : !column && a.r.chance(0.4) ? "torch.mv({0}, {1})"
                                                          : "torch.matmul({0}, {1})";
    return a.add("product", text, {v, other}, out, 100, "product", false, sign);
}

int both_turned(Sampler& a, int v) {
    if (!plain(a, v, 2) || a.long_rows(v) || a.s.inputs.size() > 2) return -1;
    const Size inner = a.shape(v)[0], rows = a.shape(v)[1],
               cols = a.size({"N", "out", "cols", "n"}, {32, 64, 100, 128, 256, 512, 1024});
    const int other = a.input({cols, inner}, a.s.dtype, other_name(a), "torch.randn");
    a.begin();
    const Tensor x = a.s.eager.transpose(a.at(v).tensor, 0, 1),
                 y = a.s.eager.transpose(a.at(other).tensor, 0, 1);
    const Tensor out = a.s.eager.call("aten::mm", {x, y}, {rows, cols}, x.dtype);
    const char* turned = a.r.of({".T", ".t()", ".transpose(0, 1)"});
    return a.add("product", fmt::format("torch.matmul({{0}}{0}, {{1}}{0})", turned), {v, other}, out, 100,
                 "product");
}

/// Square, of which one triangle stays.
int triangular(Sampler& a, int v) {
    if (!plain(a, v, 2) || a.s.inputs.size() > 2 || !a.at(v).input) return -1;
    const bool lower = a.r.chance(0.5);
    const Size rows = a.shape(v)[0], inner = a.shape(v)[1];
    const int other = a.input({inner, rows}, a.s.dtype, other_name(a), "torch.randn");
    if (rows.same(inner) && a.r.chance(0.7))  // factors that are triangles themselves
        for (InputTensor& input : a.s.inputs)
            if (input.variable == v || input.variable == other)
                input.triangle = lower ? "torch.tril" : "torch.triu";
    a.begin();
    const Tensor out =
        a.s.eager.call("aten::mm", {a.at(v).tensor, a.at(other).tensor}, {rows, rows}, a.s.dtype);
    const int product = a.add("product", a.r.of({"torch.matmul({0}, {1})", "torch.mm({0}, {1})"}), {v, other},
                              out, 100, "product");
    a.begin();
    return a.add(
        "product", lower ? "torch.tril({0})" : "torch.triu({0})", {product},
        a.s.eager.call(lower ? "aten::tril" : "aten::triu", {a.at(product).tensor}, out.shape, out.dtype),
        100, "triangle");
}

int diagonal(Sampler& a, int v) {
    if (!plain(a, v, 2) || a.s.inputs.size() > 2) return -1;
    const int scale = a.input({a.shape(v)[0]}, a.s.dtype, a.r.of({"d", "A", "diag", "scale"}), "torch.randn");
    const Tensor x = a.at(v).tensor;
    a.begin();
    const Tensor row = a.s.eager.unsqueeze(a.at(scale).tensor, 1);
    const Tensor out = a.s.eager.call("aten::mul.Tensor", {row, x}, x.shape, x.dtype);
    return a.add("product", a.r.of({"{1}.unsqueeze(1) * {0}", "{1}[:, None] * {0}"}), {v, scale}, out, 50,
                 "product", false, true);
}

/// Of letters, as torch.einsum computes it: views around a batched product.
int einsum(Sampler& a, int v) {
    if (!a.floating(v) || a.at(v).permuted || a.half() || a.at(v).bound > 50 || a.rank(v) < 3 ||
        a.rank(v) > 4 || a.s.inputs.size() > 2)
        return -1;
    const Shape shape = a.shape(v);
    const Size inner = shape.back(), cols = a.size({"K", "out", "cols", "k"}, {32, 64, 96, 128, 256});
    const int other = a.input({inner, cols}, a.s.dtype, other_name(a), "torch.randn");
    Shape result(shape.begin(), shape.end() - 1);
    const Size rows = product(result);
    result.push_back(cols);
    a.begin();
    const Tensor out = a.s.eager.call("aten::bmm",
                                      {a.s.eager.reshape(a.at(v).tensor, {Size(1), rows, inner}),
                                       a.s.eager.reshape(a.at(other).tensor, {Size(1), inner, cols})},
                                      {Size(1), rows, cols}, a.s.dtype);
    const char* text = a.rank(v) == 3 ? a.r.of({"bij,jk->bik", "nlm,mk->nlk", "bsd,de->bse"})
                                      : a.r.of({"bijl,lk->bijk", "abcd,de->abce", "bhsd,de->bhse"});
    return a.add("product", fmt::format("torch.einsum(\"{}\", {{0}}, {{1}})", text), {v, other},
                 a.s.eager.reshape(out, result), 100, "product");
}

/// Of all elements.
int whole(Sampler& a, int v) {
    if (!a.floating(v) || a.half() || a.rank(v) < 1 || a.at(v).settled || a.at(v).averaged ||
        a.s.steps.empty())
        return -1;
    // Of a large product the judge sees samples, not what all of it comes to.
    if (a.s.steps.back().family == "product" && product(a.shape(v)).now() > 1 << 20) return -1;
    const char* kind = a.r.of({"sum", "mean", "max", "min"});
    a.begin();
    const std::string op = std::string("aten::") + kind;
    const std::string text =
        a.r.chance(0.5) ? fmt::format("torch.{}({{0}})", kind) : fmt::format("{{0}}.{}()", kind);
    return a.add("reduction", text, {v},
                 a.s.eager.call(op.c_str(), {a.at(v).tensor}, {}, a.at(v).tensor.dtype), 1e4, "total");
}

int softsign(Sampler& a, int v) {
    if (!a.floating(v) || a.at(v).bound > 100) return -1;
    const Tensor x = a.at(v).tensor;
    a.begin();
    const Tensor size = a.s.eager.call("aten::abs", {x}, x.shape, x.dtype);
    const Tensor more = a.s.eager.call("aten::add.Tensor", {size, 1}, x.shape, x.dtype);
    const bool sign = a.r.chance(0.5);
    return a.add(
        "", sign ? a.r.of({"{0} / (1 + torch.abs({0}))", "{0} / (1 + {0}.abs())"}) : "F.softsign({0})", {v},
        a.s.eager.call("aten::div.Tensor", {x, more}, x.shape, x.dtype), 1, "squashed", false, sign);
}

/// Over the sum of absolute values, the norm of rows, the norm of all.
int over_norm(Sampler& a, int v) {
    if (!a.floating(v) || a.rank(v) < 2 || a.half() || a.at(v).settled || a.at(v).permuted) return -1;
    const Tensor x = a.at(v).tensor;
    Shape shape = x.shape;
    shape[1] = Size(1);
    if (x.shape[1].now() < 4) return -1;
    a.begin();
    switch (a.r.below(3)) {
        case 0: {
            const Tensor size = a.s.eager.call("aten::abs", {x}, x.shape, x.dtype);
            const Tensor sum =
                a.s.eager.call("aten::sum.dim_IntList", {size, Arg::list({1}), true}, shape, x.dtype);
            return a.settle(a.add("norm", "{0} / torch.sum(torch.abs({0}), dim=1, keepdim=True)", {v},
                                  a.s.eager.call("aten::div.Tensor", {x, sum}, x.shape, x.dtype), 0.05,
                                  "normed", false, true));
        }
        case 1: {
            const Tensor norm =
                a.s.eager.call("aten::linalg_vector_norm", {x, 2.0, Arg::list({1}), true}, shape, x.dtype);
            const Tensor least = a.s.eager.call("aten::clamp_min", {norm, 1e-12}, shape, x.dtype);
            const Tensor wide = a.s.eager.expand(least, x.shape);
            return a.settle(a.add("norm", a.r.of({"F.normalize({0}, p=2, dim=1)", "F.normalize({0}, dim=1)"}),
                                  {v}, a.s.eager.call("aten::div.Tensor", {x, wide}, x.shape, x.dtype), 1,
                                  "normed"));
        }
        default: {
            const Tensor norm = a.s.eager.call("aten::linalg_vector_norm", {x}, {}, x.dtype);
            return a.settle(a.add("norm", "{0} / torch.norm({0}, p=\"fro\")", {v},
                                  a.s.eager.call("aten::div.Tensor", {x, norm}, x.shape, x.dtype), 0.02,
                                  "normed", false, true));
        }
    }
}

}  // namespace

void add_usual_families(std::vector<Family>& out) {
    out.push_back({"product", 2.5, "mp", matrix_vector});
    out.push_back({"product", 1.5, "mp", both_turned});
    out.push_back({"product", 1.2, "m", triangular});
    out.push_back({"product", 2.5, "p", triangular});
    out.push_back({"product", 0.8, "mp", diagonal});
    out.push_back({"product", 1.5, "sh", einsum});
    out.push_back({"reduction", 0.8, "msicp", whole});
    out.push_back({"elementwise", 1.2, "msichpv", softsign});
    out.push_back({"norm", 2, "msi", over_norm});
}

}  // namespace tritonsmith::data
