#include <fmt/format.h>

#include <numeric>

#include "data/synth/sampler.h"
#include "plan/ir/json.h"

/// Operators that move elements.
namespace tritonsmith::data {
namespace {

int turned(Sampler& a, int v) {
    if (a.rank(v) < 2) return -1;
    const int last = a.rank(v) - 1;
    int first = last - 1;
    if (a.rank(v) > 2 && a.r.chance(0.3)) first = static_cast<int>(a.r.below(last));
    a.begin();
    const Tensor out = a.s.eager.transpose(a.at(v).tensor, first, last);
    std::string text = fmt::format("{{0}}.transpose({}, {})", first, last);
    if (first == last - 1 && a.r.chance(0.5))
        text = a.rank(v) == 2 ? a.r.of({"{0}.t()", "{0}.T"}) : "{0}.transpose(-2, -1)";
    if (a.r.chance(0.25)) {
        std::vector<int> order(a.rank(v));
        std::iota(order.begin(), order.end(), 0);
        std::swap(order[static_cast<size_t>(first)], order[static_cast<size_t>(last)]);
        std::string list;
        for (const int axis : order) list += (list.empty() ? "" : ", ") + std::to_string(axis);
        text = "{0}.permute(" + list + ")";
    }
    return a.add("", text, {v}, out, a.at(v).bound, "transposed", a.at(v).positive);
}

int joined(Sampler& a, int v) {
    if (a.rank(v) < 2) return -1;
    int other = -1;
    for (int i = 0; i < static_cast<int>(a.s.variables.size()) && other < 0; ++i)
        if (i != v && same(a.shape(i), a.shape(v)) && a.at(i).tensor.dtype == a.at(v).tensor.dtype &&
            a.r.chance(0.7))
            other = i;
    if (other < 0) {
        if (a.s.inputs.size() >= 4 || !a.floating(v)) return -1;
        other = a.another(v, a.r.of({"y", "skip", "other", "memory", "context"}));
    }
    const int axis = a.r.chance(0.7) ? (a.s.theme == "i" || a.s.theme == "c" ? 1 : a.rank(v) - 1) : 0;
    Shape shape = a.shape(v);
    const auto d = static_cast<size_t>(axis);
    shape[d] = shape[d] + a.shape(other)[d];
    a.begin();
    const Tensor& x = a.at(v).tensor;
    const int dim = axis == a.rank(v) - 1 && a.r.chance(0.6) ? -1 : axis;
    const std::string text = fmt::format("torch.cat({}{{0}}, {{1}}{}, dim={})", "[", "]", dim);
    return a.add(
        "", text, {v, other},
        a.s.eager.call("aten::cat", {std::vector<Tensor>{x, a.at(other).tensor}, dim}, shape, x.dtype),
        std::max(a.at(v).bound, a.at(other).bound), "joined", a.at(v).positive && a.at(other).positive);
}

int padded(Sampler& a, int v) {
    if (a.rank(v) < 2 || !a.floating(v) || a.shape(v).back().now() < 8) return -1;
    const int64_t low = a.r.between(0, 2), high = a.r.between(1, 3);
    const bool two = a.rank(v) == 4 && a.r.chance(0.6);
    Shape shape = a.shape(v);
    shape.back() = shape.back().map([&](int64_t n) { return n + low + high; });
    std::vector<int64_t> pad = {low, high};
    if (two) {
        shape[2] = shape[2].map([&](int64_t n) { return n + low + high; });
        pad.insert(pad.end(), {low, high});
    }
    a.begin();
    const Tensor& x = a.at(v).tensor;
    const std::string list =
        two ? fmt::format("({}, {}, {}, {})", low, high, low, high) : fmt::format("({}, {})", low, high);
    return a.add("", "F.pad({0}, " + list + ")", {v},
                 a.s.eager.call("aten::constant_pad_nd", {x, Arg::list(pad), 0.0}, shape, x.dtype),
                 a.at(v).bound, "padded", a.at(v).positive);
}

int rolled(Sampler& a, int v) {
    if (a.rank(v) < 2 || a.shape(v).back().now() < 8) return -1;
    a.begin();
    const Tensor& x = a.at(v).tensor;
    if (a.r.chance(0.5)) {
        const int64_t shift = a.r.of({1, 2, 3, -1});
        return a.add("", fmt::format("torch.roll({{0}}, shifts={}, dims=-1)", shift), {v},
                     a.s.eager.call("aten::roll", {x, Arg::list({shift}), Arg::list({-1})}, x.shape, x.dtype),
                     a.at(v).bound, "rolled", a.at(v).positive);
    }
    return a.add("", a.r.of({"torch.flip({0}, dims=[-1])", "{0}.flip(-1)", "torch.flip({0}, [-1])"}), {v},
                 a.s.eager.call("aten::flip", {x, Arg::list({-1})}, x.shape, x.dtype), a.at(v).bound,
                 "flipped", a.at(v).positive);
}

int part(Sampler& a, int v) {  // x[:, 1:] and the like
    if (a.rank(v) < 2) return -1;
    const int last = a.rank(v) - 1;
    const Size& extent = a.shape(v).back();
    if (extent.now() < 16) return -1;
    std::string lead = a.rank(v) == 2 && a.r.chance(0.5) ? ":, " : "..., ";
    a.begin();
    switch (a.r.below(3)) {
        case 0: {
            const int64_t skip = a.r.between(1, 2);
            return a.add(
                "", fmt::format("{{0}}[{}{}:]", lead, skip), {v},
                a.s.eager.slice(a.at(v).tensor, last, skip, extent.map([&](int64_t n) { return n - skip; })),
                a.at(v).bound, "tail", a.at(v).positive);
        }
        case 1: {
            if (!extent.divisible(2)) return -1;
            return a.add("", fmt::format("{{0}}[{}::2]", lead), {v},
                         a.s.eager.slice(a.at(v).tensor, last, 0,
                                         divided(extent, 2).map([](int64_t n) { return n; }), 2),
                         a.at(v).bound, "even", a.at(v).positive);
        }
        default:
            return a.add(
                "", fmt::format("{{0}}[{}:-1]", lead), {v},
                a.s.eager.slice(a.at(v).tensor, last, 0, extent.map([](int64_t n) { return n - 1; })),
                a.at(v).bound, "head", a.at(v).positive);
    }
}

/// Several of the last axes as one.
int flat(Sampler& a, int v) {
    if (a.rank(v) < 3) return -1;
    Shape shape(a.shape(v).begin(), a.shape(v).end() - 2);
    shape.push_back(a.shape(v)[shape.size()] * a.shape(v)[shape.size() + 1]);
    shape.back().text.clear();
    a.begin();
    const int from = a.rank(v) - 2;
    const std::string text = a.r.chance(0.6)   ? fmt::format("{{0}}.flatten({})", from)
                             : a.r.chance(0.5) ? "{0}.flatten(-2)"
                                               : fmt::format("torch.flatten({{0}}, start_dim={})", from);
    return a.add("", text, {v}, a.s.eager.reshape(a.at(v).tensor, shape), a.at(v).bound, "flat",
                 a.at(v).positive);
}

int cast(Sampler& a, int v) {
    if (!a.half() || !a.floating(v)) return -1;
    const DType now = a.at(v).tensor.dtype;
    const DType to = now == DType::f32 ? a.s.dtype : DType::f32;
    const std::string text = to == DType::f32   ? a.r.of({"{0}.float()", "{0}.to(torch.float32)"})
                             : to == DType::f16 ? "{0}.half()"
                                                : "{0}.to(torch.bfloat16)";
    if (to == DType::f16 && a.at(v).bound > 1e3) return -1;
    a.begin();
    return a.add("", text, {v}, a.s.eager.to(a.at(v).tensor, to), a.at(v).bound, "converted",
                 a.at(v).positive);
}

}  // namespace

void add_movement_families(std::vector<Family>& out) {
    out.push_back({"movement", 2.5, "msph", turned});
    out.push_back({"movement", 3, "msicn", joined});
    out.push_back({"movement", 1.2, "msic", padded});
    out.push_back({"movement", 1.2, "msn", rolled});
    out.push_back({"movement", 1.5, "mscn", part});
    out.push_back({"movement", 1, "sich", flat});
    out.push_back({"movement", 3, "msp", cast});
}

}  // namespace tritonsmith::data
