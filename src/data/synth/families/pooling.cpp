#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "data/synth/families/layer.h"

/// Pooling of one, two and three axes.
namespace tritonsmith::data {
namespace {

/// A pool's numbers along each axis.
struct PoolWindows {
    std::vector<int64_t> kernels, strides, paddings, dilations;
    bool largest = true, ceil = false, count_pad = true, indices = false;
    int64_t divisor = 0;

    /// Of one result; of which padding and the last window's start decide.
    int64_t length(int64_t extent, size_t i) const {
        const int64_t span = extent + 2 * paddings[i] - dilations[i] * (kernels[i] - 1) - 1;
        const int64_t out = (ceil ? span + strides[i] - 1 : span) / strides[i] + 1;
        return ceil && (out - 1) * strides[i] >= extent + paddings[i] ? out - 1 : out;
    }
};

bool few(const std::vector<int64_t>& kernels) {
    int64_t taps = 1;
    for (const int64_t kernel : kernels) taps *= kernel;
    return taps <= 64;
}

PoolWindows draw_pool(Sampler& a, size_t axes) {
    PoolWindows w;
    w.largest = a.r.chance(0.55);
    const std::vector<int64_t> usual = axes == 1   ? std::vector<int64_t>{2, 2, 3, 3, 4, 5, 6, 7, 8}
                                       : axes == 2 ? std::vector<int64_t>{2, 2, 3, 3, 4, 5, 7}
                                                   : std::vector<int64_t>{2, 2, 3, 3, 4};
    w.kernels.assign(axes, a.r.of(usual));
    if (axes > 1 && a.r.chance(0.25))
        for (int64_t& kernel : w.kernels) kernel = a.r.of({1, 2, 3, 4});
    w.strides = w.kernels;
    if (a.r.chance(0.6)) w.strides.assign(axes, a.r.of({1, 1, 2, 2, 2, 3, 4}));
    if (axes > 1 && a.r.chance(0.12))
        for (int64_t& stride : w.strides) stride = a.r.of({1, 2, 3});
    w.dilations.assign(axes, w.largest && a.r.chance(0.3) ? a.r.of({2, 2, 3, 4}) : 1);
    const int64_t padding = a.r.chance(0.5) ? a.r.of({1, 1, 2, 3}) : 0;
    const bool uneven = axes > 1 && a.r.chance(0.15);
    for (const int64_t kernel : w.kernels)  // at most half of a window
        w.paddings.push_back(std::min(uneven ? a.r.of({0, 1, 2}) : padding, kernel / 2));
    w.ceil = a.r.chance(0.15);
    w.count_pad = w.largest || a.r.chance(0.8);
    if (!w.largest && axes > 1 && a.r.chance(0.05)) w.divisor = a.r.of({2, 3, 8});
    w.indices = w.largest && a.r.chance(0.12);
    return w;
}

/// The operator's arguments: along one axis PyTorch takes images that are one row high.
std::vector<Arg> pool_arguments(const PoolWindows& w, const Tensor& x) {
    auto list = [&](std::vector<int64_t> numbers, int64_t other) {
        if (numbers.size() == 1) numbers.insert(numbers.begin(), other);
        return Arg::list(numbers);
    };
    std::vector<Arg> args = {x, list(w.kernels, 1), list(w.strides, 1), list(w.paddings, 0)};
    if (w.largest && (!all_are(w.dilations, 1) || w.ceil)) args.push_back(list(w.dilations, 1));
    if (w.ceil || !w.count_pad || w.divisor > 0) args.emplace_back(w.ceil);
    if (!w.largest && (!w.count_pad || w.divisor > 0)) args.emplace_back(w.count_pad);
    if (w.divisor > 0) args.emplace_back(w.divisor);
    return args;
}

/// nn.MaxPoolNd(…) or F.max_pool_nd({0}, …)
std::string pool_text(Sampler& a, const PoolWindows& w) {
    const size_t axes = w.kernels.size();
    const bool member = a.r.chance(0.7);
    const double optional = a.s.optional;
    const bool whole = optional > 0 && a.r.chance(0.35);
    if (whole) a.s.optional = 1;
    LayerCall call(a, member ? fmt::format("nn.{}Pool{}d(", w.largest ? "Max" : "Avg", axes)
                             : fmt::format("F.{}_pool{}d({{0}}", w.largest ? "max" : "avg", axes));
    PerAxis numbers(a, axes, !member);
    auto flag = [&](const char* name, bool value) {
        return member ? a.option(name, value) : a.kept(name, value ? "True" : "False", Arg(value));
    };
    call.named("kernel_size", numbers.text("kernel_size", w.kernels), false);
    if (w.strides != w.kernels || a.r.chance(0.5))
        call.named("stride", numbers.text("stride", w.strides), false);
    else if (member && whole && a.r.chance(0.6))
        call.named("stride", a.option("stride", "None", Arg()), false);
    else
        call.skip();
    const std::string edge = numbers.text("padding", w.paddings);
    call.named("padding", edge, edge == "0");
    auto indices = [&] {
        const bool said = w.indices || (whole && a.r.chance(0.25));
        call.named("return_indices",
                   said && member ? flag("return_indices", w.indices)
                   : w.indices    ? "True"
                                  : "False",
                   !said);
    };
    if (w.largest) {
        const std::string apart = numbers.text("dilation", w.dilations);
        call.named("dilation", apart, apart == "1");
        if (member) indices();  // the module's order is another than the function's
    }
    const bool ceil = w.ceil || (whole && a.r.chance(0.5));
    call.named("ceil_mode", ceil ? flag("ceil_mode", w.ceil) : "False", !ceil);
    if (w.largest && !member) indices();
    if (!w.largest) {
        const bool count = !w.count_pad || (whole && a.r.chance(0.5));
        call.named("count_include_pad", count ? flag("count_include_pad", w.count_pad) : "True", !count);
    }
    if (w.divisor > 0)
        call.named("divisor_override",
                   member ? a.option("divisor_override", w.divisor) : std::to_string(w.divisor), false);
    a.s.optional = optional;
    if (!member) return call.text();
    const std::string name =
        a.attribute(a.r.of({"pool", "downsample", "pooling", "reduce", w.largest ? "maxpool" : "avgpool",
                            w.largest ? "max_pool" : "avg_pool"}));
    a.s.members.push_back({name, call.text()});
    return "self." + name + "({0})";
}

/// Features of a row, as an image of one channel and one axis.
bool is_row(const Sampler& a, int v) {
    return a.s.theme == "m" && a.floating(v) && a.rank(v) == 2 && a.at(v).tensor.dtype == a.s.dtype &&
           !a.half() && !a.long_rows(v) && a.at(v).bound < 1e3;
}

int pooled(Sampler& a, int v) {
    const bool row = is_row(a, v);
    if ((!row && !is_image(a, v)) || (a.s.theme == "c" && a.at(v).permuted)) return -1;
    const size_t axes = row ? 1 : spatial_axes(a, v);
    PoolWindows w = draw_pool(a, axes);
    if (row) w.indices = false;
    if (axes == 3 && !w.largest && a.half()) return -1;  // PyTorch has no such on a CPU
    if (!few(w.kernels) || all_are(w.kernels, 1)) return -1;
    const Shape from = row ? Shape{a.shape(v)[0], Size(1), a.shape(v)[1]} : a.shape(v);
    Shape shape(from.begin(), from.begin() + 2);
    for (size_t i = 0; i < axes; ++i) {
        const Size& extent = from[i + 2];
        const int64_t reach = w.dilations[i] * (w.kernels[i] - 1) + 1;
        if (std::min(extent.at[0], extent.at[1]) < std::max<int64_t>(6, 2 * reach)) return -1;
        shape.push_back(extent.map([&](int64_t n) { return w.length(n, i); }));
    }
    std::string text = pool_text(a, w);
    a.begin();
    const Tensor x = row ? a.s.eager.unsqueeze(a.at(v).tensor, 1) : a.at(v).tensor;
    const Tensor seen = axes == 1 ? a.s.eager.unsqueeze(x, 2) : x;
    const Shape made = axes == 1 ? Shape{shape[0], shape[1], Size(1), shape[2]} : shape;
    const std::string dims = std::to_string(std::max<size_t>(axes, 2));
    std::vector<Tensor> results;
    if (w.largest)
        results = a.s.eager.calls(("aten::max_pool" + dims + "d_with_indices").c_str(),
                                  pool_arguments(w, seen), {{made, x.dtype}, {made, DType::i64}});
    else
        results = {
            a.s.eager.call(("aten::avg_pool" + dims + "d").c_str(), pool_arguments(w, seen), made, x.dtype)};
    if (axes == 1)
        for (Tensor& result : results) result = a.s.eager.select(result, 2, 0);
    if (row) {
        results[0] = a.s.eager.select(results[0], 1, 0);
        text = filled(text, {"{0}.unsqueeze(1)"}) + ".squeeze(1)";
    }
    const int out = a.add("pooling", text, {v}, results[0], a.at(v).bound, "pooled", a.at(v).positive);
    if (w.indices) a.add_result(results[1], a.r.of({"indices", "idx", "where_max", "locations"}));
    return out;
}

/// To a given size: one, the same along all axes, a tuple.
int adaptive(Sampler& a, int v) {
    if (!is_image(a, v) || a.half() || a.at(v).averaged || a.at(v).settled || a.at(v).permuted) return -1;
    const size_t axes = spatial_axes(a, v);
    const bool largest = a.r.chance(0.35);
    std::vector<int64_t> sizes(axes, a.r.of({1, 1, 2, 4, 5, 7, 8}));
    if (axes > 1 && a.r.chance(0.25))
        for (int64_t& size : sizes) size = a.r.of({1, 2, 3, 4, 7});
    Shape shape(a.shape(v).begin(), a.shape(v).begin() + 2);
    for (size_t i = 0; i < axes; ++i) {
        const Size& extent = a.shape(v)[i + 2];
        if (std::min(extent.at[0], extent.at[1]) < std::max<int64_t>(4, 2 * sizes[i])) return -1;
        shape.emplace_back(sizes[i]);
    }
    const bool member = a.r.chance(0.7);
    PerAxis numbers(a, axes, !member);
    const std::string to = numbers.text("output_size", sizes);
    std::string text =
        member ? fmt::format("nn.Adaptive{}Pool{}d({})", largest ? "Max" : "Avg", axes, to)
               : fmt::format("F.adaptive_{}_pool{}d({{0}}, {})", largest ? "max" : "avg", axes, to);
    if (member) {
        const std::string name = a.attribute(a.r.of({"pool", "gap", "adaptive_pool", "pooling"}));
        a.s.members.push_back({name, text});
        text = "self." + name + "({0})";
    }
    a.begin();
    const Tensor& x = a.at(v).tensor;
    const Tensor seen = axes == 1 ? a.s.eager.unsqueeze(x, 2) : x;
    const Shape made = axes == 1 ? Shape{shape[0], shape[1], Size(1), shape[2]} : shape;
    const size_t dims = std::max<size_t>(axes, 2);
    const Arg to_size(Shape(made.begin() + 2, made.end()));
    Tensor out;
    if (largest)
        out = a.s.eager.calls(fmt::format("aten::adaptive_max_pool{}d", dims).c_str(), {seen, to_size},
                              {{made, x.dtype}, {made, DType::i64}})[0];
    else if (all_are(sizes, 1))
        out = a.s.eager.call(
            "aten::mean.dim",
            {seen, Arg::list(dims == 2 ? std::vector<int64_t>{-1, -2} : std::vector<int64_t>{-1, -2, -3}),
             true},
            made, x.dtype);
    else
        out = a.s.eager.call(fmt::format("aten::_adaptive_avg_pool{}d", dims).c_str(), {seen, to_size}, made,
                             x.dtype);
    if (axes == 1) out = a.s.eager.select(out, 2, 0);
    const int result = a.add("pooling", text, {v}, out, a.at(v).bound, "pooled", a.at(v).positive);
    a.s.variables[static_cast<size_t>(result)].averaged = !largest;
    return result;
}

}  // namespace

void add_pooling_families(std::vector<Family>& out) {
    out.push_back({"pooling", 4.5, "icv", pooled});
    out.push_back({"pooling", 1.5, "icv", adaptive});
    out.push_back({"pooling", 0.7, "m", pooled});
}

}  // namespace tritonsmith::data
