#include <fmt/format.h>

#include <optional>

#include "data/synth/sampler.h"

/// Running sums, products and extremes: of all elements, of chosen ones, from the end, without the element
/// itself.
namespace tritonsmith::data {
namespace {

/// The axis of a scan, and how forward says it.
struct Along {
    int axis = 0;
    Size extent;
    std::string dim;
};

/// @param longest axis that is scanned
std::optional<Along> along(Sampler& a, int v, int64_t longest) {
    if (!a.floating(v) || a.rank(v) < 2 || a.half()) return std::nullopt;
    Along out;
    out.axis = a.r.chance(0.7) ? a.rank(v) - 1 : static_cast<int>(a.r.below(a.rank(v)));
    out.extent = a.shape(v)[static_cast<size_t>(out.axis)];
    if (out.extent.now() > longest || out.extent.now() < 4) return std::nullopt;
    const int dim = out.axis == a.rank(v) - 1 && a.r.chance(0.5) ? -1 : out.axis;
    out.dim = a.kept("dim", std::to_string(dim), Arg(dim));
    return out;
}

constexpr int64_t kLongest = 1 << 21;

int running(Sampler& a, int v) {
    const std::optional<Along> of = along(a, v, kLongest);
    if (!of) return -1;
    a.begin();
    const Tensor& x = a.at(v).tensor;
    const char* text = a.r.of({"torch.cumsum({0}, dim={1})", "{0}.cumsum({1})", "{0}.cumsum(dim={1})"});
    return a.add("", filled(text, {"{0}", of->dim}), {v},
                 a.s.eager.call("aten::cumsum", {x, of->axis}, x.shape, x.dtype), a.at(v).bound * 60,
                 "running", a.at(v).positive);
}

int from_the_end(Sampler& a, int v) {
    const std::optional<Along> of = along(a, v, kLongest);
    if (!of || a.at(v).permuted) return -1;
    const Tensor x = a.at(v).tensor;
    a.begin();
    const Tensor back = a.s.eager.call("aten::flip", {x, Arg::list({of->axis})}, x.shape, x.dtype);
    const Tensor sums = a.s.eager.call("aten::cumsum", {back, of->axis}, x.shape, x.dtype);
    const Tensor out = a.s.eager.call("aten::flip", {sums, Arg::list({of->axis})}, x.shape, x.dtype);
    const char* text = a.r.of({"torch.cumsum({0}.flip({1}), dim={1}).flip({1})",
                               "torch.flip(torch.cumsum(torch.flip({0}, [{1}]), dim={1}), [{1}])",
                               "{0}.flip({1}).cumsum({1}).flip({1})"});
    return a.add("scan", filled(text, {"{0}", of->dim}), {v}, out, 200, "running");
}

/// The sum of what comes before.
int exclusive(Sampler& a, int v) {
    const std::optional<Along> of = along(a, v, kLongest);
    if (!of || a.at(v).permuted || !a.at(v).input) return -1;
    const int axis = of->axis;
    const Tensor x = a.at(v).tensor;
    const bool last = axis == a.rank(v) - 1;
    a.begin();
    if (last && a.r.chance(0.5)) {
        const Tensor sums = a.s.eager.call("aten::cumsum", {x, axis}, x.shape, x.dtype);
        if (a.r.chance(0.5))
            return a.add("scan", filled("torch.cumsum({0}, dim={1}) - {0}", {"{0}", of->dim}), {v},
                         a.s.eager.call("aten::sub.Tensor", {sums, x}, x.shape, x.dtype), 200, "running",
                         false, true);
        Shape longer = x.shape;
        longer.back() = of->extent.map([](int64_t n) { return n + 1; });
        const Tensor padded =
            a.s.eager.call("aten::constant_pad_nd", {sums, Arg::list({1, 0}), 0.0}, longer, x.dtype);
        return a.add("scan", filled("F.pad(torch.cumsum({0}, dim={1}), (1, 0))[..., :-1]", {"{0}", of->dim}),
                     {v}, a.s.eager.slice(padded, axis, 0, of->extent), 200, "running");
    }
    const Tensor first = a.s.eager.unsqueeze(a.s.eager.select(x, axis, 0), axis);
    const Tensor zeros = a.s.eager.call("aten::zeros_like", {first}, first.shape, x.dtype);
    Shape longer = x.shape;
    longer[static_cast<size_t>(axis)] = of->extent.map([](int64_t n) { return n + 1; });
    const Tensor all = a.s.eager.call("aten::cat", {std::vector<Tensor>{zeros, x}, axis}, longer, x.dtype);
    const Tensor part = a.s.eager.slice(all, axis, 0, of->extent);
    const Tensor out = a.s.eager.call("aten::cumsum", {part, axis}, x.shape, x.dtype);
    const char* text =
        "torch.cumsum(torch.cat((torch.zeros_like({0}.select({1}, 0).unsqueeze({1})), {0}), "
        "dim={1}).narrow({1}, 0, {0}.shape[{1}]), dim={1})";
    // unsqueeze(-1) of a tensor without its last axis is that axis again: the text holds for both.
    return a.add("scan", filled(text, {"{0}", of->dim}), {v}, out, 200, "running");
}

/// Of the elements that a mask keeps.
int masked(Sampler& a, int v) {
    const std::optional<Along> of = along(a, v, kLongest);
    if (!of || a.at(v).permuted || a.s.inputs.size() > 2) return -1;
    const int mask = a.input(a.shape(v), DType::b1, a.r.of({"mask", "m", "keep", "valid", "active"}),
                             "torch.randint", "2");
    const Tensor x = a.at(v).tensor, m = a.at(mask).tensor;
    a.begin();
    auto call = [&](const char* op, std::vector<Arg> args, DType dtype) {
        return a.s.eager.call(op, std::move(args), x.shape, dtype);
    };
    const char* text = "torch.cumsum({0} * {1}, dim={2})";
    Tensor kept;
    switch (a.r.below(4)) {
        case 0: {
            const Tensor hidden = call("aten::bitwise_not", {m}, DType::b1);
            kept = call("aten::masked_fill.Scalar", {x, hidden, 0.0}, x.dtype);
            text = a.r.of({"torch.cumsum({0}.masked_fill(~{1}, 0.0), dim={2})",
                           "{0}.masked_fill(~{1}, 0.0).cumsum(dim={2})"});
            break;
        }
        case 1: {
            const Tensor zeros = call("aten::zeros_like", {x}, x.dtype);
            kept = call("aten::where.self", {m, x, zeros}, x.dtype);
            text = "torch.cumsum(torch.where({1}, {0}, torch.zeros_like({0})), dim={2})";
            break;
        }
        default:
            kept = call("aten::mul.Tensor", {x, m}, x.dtype);
            if (a.r.chance(0.3)) text = "({0} * {1}).cumsum(dim={2})";
    }
    return a.add("scan", filled(text, {"{0}", "{1}", of->dim}), {v, mask},
                 call("aten::cumsum", {kept, of->axis}, x.dtype), 200, "running");
}

int of_products(Sampler& a, int v) {
    const std::optional<Along> of = along(a, v, 300);
    if (!of || a.at(v).permuted || !a.at(v).input) return -1;
    const Tensor x = a.at(v).tensor;
    a.begin();
    return a.add("scan",
                 filled(a.r.of({"torch.cumprod({0}, dim={1})", "{0}.cumprod(dim={1})"}), {"{0}", of->dim}),
                 {v}, a.s.eager.call("aten::cumprod", {x, of->axis}, x.shape, x.dtype), 200, "running");
}

/// The largest or least so far, alone or with its place; the log of the sum of exponentials so far.
int of_extremes(Sampler& a, int v) {
    const std::optional<Along> of = along(a, v, 8192);
    if (!of || a.at(v).permuted || !a.at(v).input) return -1;
    const Tensor x = a.at(v).tensor;
    a.begin();
    if (a.r.chance(0.4))
        return a.add("scan", filled("torch.logcumsumexp({0}, dim={1})", {"{0}", of->dim}), {v},
                     a.s.eager.call("aten::logcumsumexp", {x, of->axis}, x.shape, x.dtype), 20, "running");
    const bool most = a.r.chance(0.6);
    const std::vector<Tensor> both = a.s.eager.calls(most ? "aten::cummax" : "aten::cummin", {x, of->axis},
                                                     {{x.shape, x.dtype}, {x.shape, DType::i64}});
    const char* name = most ? "cummax" : "cummin";
    const bool places = a.r.chance(0.35);
    const int out = a.add(
        "scan",
        fmt::format("torch.{}({{0}}, dim={}){}", name, of->dim, places ? "" : a.r.of({".values", "[0]"})),
        {v}, both[0], a.at(v).bound, most ? "highest" : "lowest", a.at(v).positive);
    if (places) a.add_result(both[1], a.r.of({"indices", "idx", "at"}));
    return out;
}

}  // namespace

void add_scan_families(std::vector<Family>& out) {
    out.push_back({"scan", 1.2, "msc", running});
    out.push_back({"scan", 0.7, "msc", from_the_end});
    out.push_back({"scan", 0.7, "ms", exclusive});
    out.push_back({"scan", 1, "msc", masked});
    out.push_back({"scan", 0.4, "ms", of_products});
    out.push_back({"scan", 0.5, "ms", of_extremes});
}

}  // namespace tritonsmith::data
