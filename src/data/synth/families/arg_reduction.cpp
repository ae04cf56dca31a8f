#include <fmt/format.h>

#include "data/synth/sampler.h"

/// Places of the largest and the least, and rows in order.
namespace tritonsmith::data {
namespace {

Shape without(const Shape& shape, int axis, bool keep) {
    Shape out = shape;
    if (keep)
        out[static_cast<size_t>(axis)] = Size(1);
    else
        out.erase(out.begin() + axis);
    return out;
}

int place_of_extreme(Sampler& a, int v) {
    if (!a.floating(v) || a.rank(v) < 2 || !a.at(v).input) return -1;
    const int axis = a.r.chance(0.5) ? a.rank(v) - 1 : static_cast<int>(a.r.below(a.rank(v)));
    if (a.shape(v)[static_cast<size_t>(axis)].now() < 4) return -1;
    const bool most = a.r.chance(0.55), keep = a.r.chance(0.3);
    const int given = a.r.chance(0.4) ? axis - a.rank(v) : axis;
    const std::string dim = a.kept("dim", std::to_string(given), Arg(given)),
                      name = most ? "argmax" : "argmin";
    std::string rest = a.r.chance(0.7) ? "dim=" + dim : dim;
    if (keep) {
        const std::string kept = a.kept("keepdim", "True", Arg(true));
        rest += ", keepdim=" + kept;
    }
    a.begin();
    std::vector<Arg> args{a.at(v).tensor, axis};
    if (keep) args.emplace_back(true);
    return a.add("arg_reduction",
                 a.r.chance(0.7) ? fmt::format("torch.{}({{0}}, {})", name, rest)
                                 : fmt::format("{{0}}.{}({})", name, rest),
                 {v},
                 a.s.eager.call(most ? "aten::argmax" : "aten::argmin", args, without(a.shape(v), axis, keep),
                                DType::i64),
                 1e6, "best");
}

/// torch.max and torch.min along an axis: values and places, or one of them.
int extreme(Sampler& a, int v) {
    if (!a.floating(v) || a.rank(v) < 2 || a.at(v).settled) return -1;
    const int axis = static_cast<int>(a.r.below(a.rank(v)));
    if (a.shape(v)[static_cast<size_t>(axis)].now() < 4) return -1;
    const bool most = a.r.chance(0.5), keep = a.r.chance(0.25);
    const Shape shape = without(a.shape(v), axis, keep);
    const Tensor x = a.at(v).tensor;
    const std::string dim = a.kept("dim", std::to_string(axis), Arg(axis));
    a.begin();
    std::vector<Arg> args{x, axis};
    if (keep) args.emplace_back(true);
    const std::vector<Tensor> out = a.s.eager.calls(most ? "aten::max.dim" : "aten::min.dim", args,
                                                    {{shape, x.dtype}, {shape, DType::i64}});
    const bool both = a.at(v).input && a.r.chance(0.25), places = !both && a.at(v).input && a.r.chance(0.15);
    const std::string text =
        fmt::format("torch.{}({{0}}, dim={}{}){}", most ? "max" : "min", dim, keep ? ", keepdim=True" : "",
                    both     ? ""
                    : places ? a.r.of({".indices", "[1]"})
                             : a.r.of({"[0]", ".values"}));
    if (places) return a.add("arg_reduction", text, {v}, out[1], 1e6, "best");
    const int values = a.add(both ? "arg_reduction" : "reduction", text, {v}, out[0], a.at(v).bound,
                             most ? "peak" : "least", a.at(v).positive);
    a.s.variables[static_cast<size_t>(values)].negative = !most && !a.at(v).positive;
    if (both) a.add_result(out[1], a.r.of({"indices", "idx", "positions"}));
    return values;
}

/// The k first of each row, or all of it in order.
int sorted(Sampler& a, int v) {
    if (!a.floating(v) || !a.at(v).input || a.rank(v) < 2 || a.rank(v) > 3 || a.half()) return -1;
    const int axis = a.rank(v) - 1;
    const Tensor& x = a.at(v).tensor;
    const int64_t width = a.shape(v).back().now();
    const bool all = width <= 4096 && a.r.chance(0.4), least = a.r.chance(0.3), places = a.r.chance(0.35);
    if (width < 64) return -1;
    std::string text;
    Shape shape = a.shape(v);
    std::vector<Tensor> out;
    if (all) {
        const bool down = !least;
        const char* order = down ? ", descending=True" : "";
        text = a.r.chance(0.5) ? fmt::format("torch.sort({{0}}, dim=-1{})", order)
                               : fmt::format("{{0}}.sort(dim=-1{})", order);
        a.begin();
        std::vector<Arg> args{x, axis};
        if (down) args.emplace_back(true);
        out = a.s.eager.calls("aten::sort", args, {{shape, x.dtype}, {shape, DType::i64}});
    } else {
        const int64_t k = a.r.of({1, 2, 3, 4, 5, 8, 10, 16});
        shape.back() = Size(k);
        text = fmt::format("torch.topk({{0}}, {}, dim=-1{})",
                           a.r.of({"k=", ""}) + a.kept("k", std::to_string(k), Arg(k)),
                           least ? ", largest=False" : "");
        a.begin();
        std::vector<Arg> args{x, Arg(k)};
        if (least) {
            args.emplace_back(-1);
            args.emplace_back(false);
        }
        out = a.s.eager.calls("aten::topk", args, {{shape, x.dtype}, {shape, DType::i64}});
    }
    if (!places) text += a.r.of({".values", "[0]"});
    const int values =
        a.add("sort", text, {v}, out[0], a.at(v).bound, all ? "ordered" : "largest", a.at(v).positive);
    if (places) a.add_result(out[1], a.r.of({"indices", "idx", "order"}));
    return values;
}

}  // namespace

void add_arg_reduction_families(std::vector<Family>& out) {
    out.push_back({"arg_reduction", 2, "msich", place_of_extreme});
    out.push_back({"reduction", 2.5, "msich", extreme});
    out.push_back({"sort", 1.5, "ms", sorted});
}

}  // namespace tritonsmith::data
