#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "data/synth/sampler.h"
#include "plan/ir/json.h"

/// Reductions, softmax and norms of rows.
namespace tritonsmith::data {
namespace {

struct Reduction {
    const char *name, *op, *text, *preferred;
};
constexpr Reduction kReductions[] = {
    {"sum", "aten::sum.dim_IntList", "sum", "total"},
    {"mean", "aten::mean.dim", "mean", "mean"},
    {"amax", "aten::amax", "amax", "peak"},
    {"amin", "aten::amin", "amin", "least"},
    {"var", "aten::var.correction", "var", "variance"},
    {"std", "aten::std.correction", "std", "spread"},
    {"logsumexp", "aten::logsumexp", "logsumexp", "log_total"},
};

int64_t terms(const Sampler& a, int v, const std::vector<int>& axes) {
    int64_t out = 1;
    for (const int axis : axes) out *= a.shape(v)[static_cast<size_t>(axis)].now();
    return out;
}

int reduced(Sampler& a, int v) {
    if (a.rank(v) < 2 || a.at(v).settled) return -1;
    std::vector<int> axes = {a.rank(v) - 1};
    if (a.r.chance(0.3)) axes = {static_cast<int>(a.r.below(a.rank(v)))};
    if (a.rank(v) >= 4 && a.r.chance(0.6)) axes = {a.rank(v) - 2, a.rank(v) - 1};
    if (terms(a, v, axes) < 2) return -1;
    if (!a.floating(v)) {
        if (a.at(v).bound * static_cast<double>(terms(a, v, axes)) > 1e9) return -1;
        // Of many small numbers the least is nearly always the same, and so is the greatest.
        const bool few = static_cast<double>(4 * terms(a, v, axes)) <= a.at(v).bound;
        return a.reduce(v, few ? a.r.of({"sum", "amax", "amin"}) : "sum", axes, a.r.chance(0.4));
    }
    const char* kind = a.r.of({"sum", "mean", "mean", "amax", "amin", "var", "std", "logsumexp"});
    // Averages of averages, and of many elements in half precision, are the same for all inputs.
    if (a.at(v).averaged || (a.half() && terms(a, v, axes) > 512)) kind = a.r.of({"amax", "amin"});
    if (a.half() && std::string(kind) == "sum" &&
        a.at(v).bound * static_cast<double>(terms(a, v, axes)) > 3e4)
        kind = "mean";
    if (std::string(kind) == "amin" && a.at(v).positive && terms(a, v, axes) > 256)
        kind = "amax";  // nearly zero for all inputs
    if ((std::string(kind) == "var" || std::string(kind) == "std") && terms(a, v, axes) < 4) return -1;
    return a.reduce(v, kind, axes, a.r.chance(0.5));
}

int soft(Sampler& a, int v) {
    if (!a.floating(v) || a.rank(v) < 2 || a.at(v).bound > 60 || (a.at(v).settled && a.at(v).positive))
        return -1;
    const int axis = a.r.chance(0.75) ? a.rank(v) - 1 : static_cast<int>(a.r.below(a.rank(v)));
    const int64_t length = a.shape(v)[static_cast<size_t>(axis)].now();
    if (length < 2) return -1;
    const bool log = a.r.chance(0.3);
    if (a.half() && !log && length > 4096) return -1;  // nearly zero
    return a.softmax(v, axis, log);
}

/// x minus its rows' mean, over their spread: as people write norms out. Of images the spread of each one's
/// channels, or of the whole batch's.
int standardised(Sampler& a, int v) {
    if (!a.floating(v) || a.rank(v) < 2 || a.half() || a.at(v).settled || a.shape(v).back().now() < 8)
        return -1;
    const bool image = a.s.theme == "i" || a.s.theme == "c" || a.s.theme == "v";
    if (image && (a.rank(v) < 3 || a.at(v).permuted)) return -1;
    std::vector<int> axes = {a.rank(v) - 1};
    if (image) {
        axes.clear();
        if (a.r.chance(0.5)) axes.push_back(0);
        for (int i = 2; i < a.rank(v); ++i) axes.push_back(i);
    }
    const int mean = a.reduce(v, "mean", axes, true);
    const int centred = a.binary(v, mean, "sub");
    if (a.r.chance(0.3)) return a.settle(centred);
    const int squared = a.power(centred, 2);
    const int variance = a.reduce(squared, "mean", axes, true);
    const int shifted = a.shifted(variance, 1e-5);
    a.begin();
    const Tensor& x = a.at(shifted).tensor;
    if (a.r.chance(0.5)) {
        const int inverse = a.add("", a.r.of({"torch.rsqrt({0})", "{0}.rsqrt()"}), {shifted},
                                  a.s.eager.call("aten::rsqrt", {x}, x.shape, x.dtype), 300, "inverse", true);
        return a.settle(a.binary(centred, inverse, "mul"));
    }
    const int root = a.add("", a.r.of({"torch.sqrt({0})", "{0}.sqrt()"}), {shifted},
                           a.s.eager.call("aten::sqrt", {x}, x.shape, x.dtype), 10, "deviation", true);
    return a.settle(a.binary(centred, root, "div"));
}

/// Over the root of the mean square, with a weight.
int root_mean_square(Sampler& a, int v) {
    if (!a.floating(v) || a.rank(v) < 2 || a.half() || a.shape(v).back().text.empty() ||
        a.at(v).bound > 1e3 || a.at(v).settled)
        return -1;
    const int squared = a.power(v, 2);
    const int mean = a.reduce(squared, "mean", {a.rank(v) - 1}, true);
    const int shifted = a.shifted(mean, a.r.chance(0.5) ? 1e-6 : 1e-5);
    a.begin();
    const Tensor& x = a.at(shifted).tensor;
    const int inverse = a.add("", a.r.of({"torch.rsqrt({0})", "{0}.rsqrt()"}), {shifted},
                              a.s.eager.call("aten::rsqrt", {x}, x.shape, x.dtype), 300, "inverse", true);
    const int out = a.binary(v, inverse, "mul");
    std::string text;
    const Size width = a.shape(v).back();
    a.begin();
    const Tensor weight =
        a.parameter(a.r.of({"weight", "gain", "scale", "g"}), {width}, "nn.Parameter(torch.ones({0}))", text);
    return a.add("", text + " * {0}", {out},
                 a.s.eager.call("aten::mul.Tensor", {weight, a.at(out).tensor}, a.shape(out), a.s.dtype), 12,
                 "normed", false, true);
}

int layer_norm(Sampler& a, int v) {
    if (!a.floating(v) || a.rank(v) < 2 || a.at(v).tensor.dtype != a.s.dtype || a.at(v).settled) return -1;
    const Size width = a.shape(v).back();
    if (width.text.empty() || width.now() < 8) return -1;
    const Tensor x = a.s.eager.contiguous(a.at(v).tensor);
    Shape stats = a.shape(v);
    stats.back() = Size(1);
    const DType wide = DType::f32;
    a.begin();
    if (a.r.chance(0.25)) {  // functional, without weights
        const std::vector<Tensor> out =
            a.s.eager.calls("aten::native_layer_norm", {x, Shape{width}, Arg(), Arg(), 1e-5},
                            {{x.shape, x.dtype}, {stats, wide}, {stats, wide}});
        return a.settle(a.add("", "F.layer_norm({0}, {0}.shape[-1:])", {v}, out[0], 6, "normed"));
    }
    const std::string name = a.attribute(a.r.of({"norm", "ln", "layer_norm", "normalize"}));
    const bool affine = a.r.chance(0.85), bias = affine && a.r.chance(0.9);
    const double eps = a.r.of(std::vector<double>{1e-5, 1e-5, 1e-6, 1e-3});
    std::string text = "nn.LayerNorm(";
    const int64_t form = a.r.below(8);
    text += form == 0   ? "(" + width.text + ",)"
            : form == 1 ? "[" + width.text + "]"
            : form == 2 ? a.shape_option({width})
                        : width.text;
    const std::string small = a.option("eps", eps);
    if (small != number_text(1e-5)) text += ", eps=" + small;
    if (!affine)
        text += ", elementwise_affine=False";
    else if (!bias)
        text += ", bias=False";
    a.s.members.push_back({name, text + ")"});
    Arg w, b;
    if (affine) w = Arg(a.weight(name + ".weight", {width}));
    if (bias) b = Arg(a.weight(name + ".bias", {width}));
    const std::vector<Tensor> out = a.s.eager.calls("aten::native_layer_norm", {x, Shape{width}, w, b, eps},
                                                    {{x.shape, x.dtype}, {stats, wide}, {stats, wide}});
    return a.settle(a.add("", "self." + name + "({0})", {v}, out[0], 10, "normed"));
}

/// nn.RMSNorm
int rms_norm(Sampler& a, int v) {
    if (!a.floating(v) || a.rank(v) < 2 || a.at(v).tensor.dtype != a.s.dtype || a.at(v).settled ||
        a.at(v).permuted || a.half())
        return -1;
    const Size width = a.shape(v).back();
    if (width.text.empty() || width.now() < 8) return -1;
    const std::string name = a.attribute(a.r.of({"norm", "rms", "rms_norm"}));
    const bool given = a.r.chance(0.6);
    const double eps = a.r.of(std::vector<double>{1e-5, 1e-6});
    const std::string small = given ? ", eps=" + a.option("eps", eps) : "";
    a.s.members.push_back({name, fmt::format("nn.RMSNorm({}{})", width.text, small)});
    const Tensor w = a.weight(name + ".weight", {width});
    Shape stats = a.shape(v);
    stats.back() = Size(1);
    a.begin();
    const Tensor& x = a.at(v).tensor;
    const std::vector<Tensor> out =
        a.s.eager.calls("aten::_fused_rms_norm", {x, Shape{width}, w, given ? Arg(eps) : Arg()},
                        {{x.shape, x.dtype}, {stats, x.dtype}});
    return a.settle(a.add("", "self." + name + "({0})", {v}, out[0], 10, "normed"));
}

int length_of_rows(Sampler& a, int v) {  // x / ||x||
    if (!a.floating(v) || a.rank(v) < 2 || a.half() || a.shape(v).back().now() < 2) return -1;
    const Tensor& x = a.at(v).tensor;
    Shape shape = a.shape(v);
    shape.back() = Size(1);
    a.begin();
    const char* text = a.r.of({"torch.norm({0}, p=2, dim=-1, keepdim=True)", "{0}.norm(dim=-1, keepdim=True)",
                               "torch.linalg.vector_norm({0}, dim=-1, keepdim=True)"});
    const int norm =
        a.add("", text, {v},
              a.s.eager.call("aten::linalg_vector_norm", {x, 2.0, Arg::list({-1}), true}, shape, x.dtype),
              a.at(v).bound * 20, "norm", true);
    const int guarded = a.shifted(norm, a.r.chance(0.5) ? 1e-6 : 1.0);
    return a.settle(a.binary(v, guarded, "div"));
}

}  // namespace

int Sampler::reduce(int v, const char* kind, std::vector<int> axes, bool keep) {
    const bool many = terms(*this, v, axes) >= 8;
    // The extreme of many that are cut off is where they are cut off, whatever the input.
    if (many && at(v).clipped && std::string_view(kind).starts_with("am")) kind = half() ? "amax" : "mean";
    const Reduction* found = nullptr;
    for (const Reduction& entry : kReductions)
        if (std::string(entry.name) == kind) found = &entry;
    const std::string name = kind;
    Shape result;
    for (int i = 0; i < rank(v); ++i) {
        const bool gone = std::find(axes.begin(), axes.end(), i) != axes.end();
        if (!gone)
            result.push_back(shape(v)[static_cast<size_t>(i)]);
        else if (keep)
            result.emplace_back(1);
    }
    const Tensor& x = at(v).tensor;
    const DType dtype = !floating(v) && name == "sum" ? DType::i64 : x.dtype;
    std::vector<int64_t> dims(axes.begin(), axes.end());
    std::vector<std::string> words;
    const bool negative = r.chance(0.6);
    for (int64_t& dim : dims) {
        if (negative) dim -= rank(v);
        words.push_back(std::to_string(dim));
    }
    const std::string list = words.size() == 1 ? kept("dim", words[0], Arg(dims[0]))
                             : r.chance(0.5)   ? fmt::format("({})", fmt::join(words, ", "))
                                               : fmt::format("[{}]", fmt::join(words, ", "));
    begin();
    std::vector<Arg> args{x, Arg::list(dims)};
    std::vector<std::pair<std::string, Arg>> named;
    if (name == "var" || name == "std")
        named = {{"correction", 1.0}, {"keepdim", keep}};
    else
        args.emplace_back(keep);
    double bound = at(v).bound;
    if (name == "sum") {
        double count = 1;
        for (const int axis : axes) count *= static_cast<double>(shape(v)[static_cast<size_t>(axis)].now());
        bound *= at(v).positive ? count : std::sqrt(count);
    }
    if (name == "var") bound *= bound;
    if (name == "logsumexp") bound += std::log(static_cast<double>(terms(*this, v, axes)));
    const bool positive = name == "var" || name == "std" || (at(v).positive && name != "logsumexp");
    const Tensor out = s.eager.call(found->op, args, result, dtype, named);
    const bool method = r.chance(0.5);
    std::string text = method ? fmt::format("{{0}}.{}(dim={}", found->text, list)
                              : fmt::format("torch.{}({{0}}, dim={}", found->text, list);
    if (keep) text += ", keepdim=True";
    const int made = add("reduction", text + ")", {v}, out, bound, found->preferred, positive);
    s.variables[static_cast<size_t>(made)].averaged =
        name == "mean" || name == "var" || name == "std" || name == "sum" || name == "logsumexp";
    s.variables[static_cast<size_t>(made)].extreme = many && (name == "amax" || name == "amin");
    // The least of many is below zero, as good as always.
    if (name == "amin" && floating(v) && !at(v).positive && terms(*this, v, axes) >= 8)
        s.variables[static_cast<size_t>(made)].negative = true;
    return made;
}

int Sampler::softmax(int v, int axis, bool log) {
    const int dim = axis == rank(v) - 1 && r.chance(0.8) ? -1 : axis;
    begin();
    const Tensor& x = at(v).tensor;
    const Tensor out =
        s.eager.call(log ? "aten::_log_softmax" : "aten::_softmax", {x, dim, false}, x.shape, x.dtype);
    const char* name = log ? "log_softmax" : "softmax";
    std::string text;
    if (r.chance(0.2)) {
        const std::string member = attribute(log ? "log_softmax" : "softmax");
        s.members.push_back({member, fmt::format("nn.{}(dim={})", log ? "LogSoftmax" : "Softmax",
                                                 option("dim", int64_t{dim}))});
        text = "self." + member + "({0})";
    } else {
        const std::string along = kept("dim", std::to_string(dim), Arg(dim));
        text = r.chance(0.4)   ? fmt::format("torch.{}({{0}}, dim={})", name, along)
               : r.chance(0.7) ? fmt::format("F.{}({{0}}, dim={})", name, along)
                               : fmt::format("{{0}}.{}(dim={})", name, along);
    }
    const int made = settle(add("softmax", text, {v}, out, log ? 20 : 1, log ? "log_probs" : "probs", !log));
    s.variables.back().negative = log;
    return made;
}

void add_reduction_families(std::vector<Family>& out) {
    out.push_back({"reduction", 8, "msichvn", reduced});
    out.push_back({"softmax", 4, "mshp", soft});
    out.push_back({"norm", 2.5, "mshic", standardised});
    out.push_back({"norm", 1.2, "ms", rms_norm});
    out.push_back({"norm", 2.5, "ms", root_mean_square});
    out.push_back({"norm", 5, "ms", layer_norm});
    out.push_back({"norm", 1.5, "ms", length_of_rows});
}

}  // namespace tritonsmith::data
