#include <fmt/format.h>

#include <cmath>

#include "data/synth/sampler.h"

/// Convolutions, pooling, the norms of channels, resampling.
namespace tritonsmith::data {
namespace {

int spatial_axes(const Sampler& a, int v) {
    return a.rank(v) - 2;
}

bool image(const Sampler& a, int v) {
    return a.floating(v) && a.rank(v) >= 3 && a.rank(v) <= 5 && a.at(v).tensor.dtype == a.s.dtype &&
           !a.shape(v)[1].text.empty() && a.at(v).bound < 1e3 &&
           (a.s.theme == "i" || a.s.theme == "c" || a.s.theme == "v") &&
           a.rank(v) == (a.s.theme == "i"   ? 4
                         : a.s.theme == "c" ? 3
                                            : 5);
}

int convolved(Sampler& a, int v) {
    if (!image(a, v) || a.half()) return -1;
    const int axes = spatial_axes(a, v);
    const Size in = a.shape(v)[1];
    const bool small = axes == 3;
    const int64_t kernel = small ? a.r.of({1, 3}) : a.r.of({1, 3, 3, 3, 5});
    int64_t stride = a.r.chance(0.25) ? 2 : 1;
    const int64_t dilation = kernel > 1 && a.r.chance(0.12) ? 2 : 1;
    const int64_t padding = a.r.chance(0.7) ? dilation * (kernel - 1) / 2 : 0;
    const bool depthwise = a.r.chance(0.15);
    int64_t groups = 1;
    if (!depthwise && in.divisible(4) && a.r.chance(0.12)) groups = a.r.of({2, 4});
    const Size out = depthwise ? in
                     : a.r.chance(0.3)
                         ? in
                         : a.size({"out_channels", "filters", "hidden_channels", "num_filters", "dim_out"},
                                  {8, 16, 32, 64, 128}, 8);
    Shape spatial;
    for (int i = 0; i < axes; ++i) {
        const Size& extent = a.shape(v)[static_cast<size_t>(i) + 2];
        if (extent.now() < 2 * kernel * dilation) return -1;
        spatial.push_back(extent.map(
            [&](int64_t n) { return (n + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1; }));
    }
    const bool bias = a.r.chance(0.75);
    const std::string name = a.attribute(a.r.of({"conv", "conv1", "conv_in", "proj", "filter"}));
    std::string text = fmt::format("nn.Conv{}d({}, {}, ", axes, in.text, out.text);
    text += a.r.chance(0.5) ? fmt::format("kernel_size={}", kernel) : fmt::format("{}", kernel);
    if (stride != 1) text += fmt::format(", stride={}", stride);
    if (padding != 0) text += fmt::format(", padding={}", padding);
    if (dilation != 1) text += fmt::format(", dilation={}", dilation);
    if (depthwise)
        text += ", groups=" + in.text;
    else if (groups != 1)
        text += fmt::format(", groups={}", groups);
    if (!bias) text += ", bias=False";
    a.s.members.push_back({name, text + ")"});
    Shape weight = {out, depthwise ? Size(1) : divided(in, groups)};
    for (int i = 0; i < axes; ++i) weight.emplace_back(kernel);
    const Tensor w = a.weight(name + ".weight", weight);
    Tensor b;
    if (bias) b = a.weight(name + ".bias", {out});
    a.begin();
    // Each channel alone: as many groups as channels, at both instances.
    Tensor result;
    if (depthwise) {
        Shape shape = {a.shape(v)[0], out};
        shape.insert(shape.end(), spatial.begin(), spatial.end());
        const std::vector<int64_t> ones(static_cast<size_t>(axes), 1);
        auto each = [&](int64_t number) {
            return Arg::list(std::vector<int64_t>(static_cast<size_t>(axes), number));
        };
        result = a.s.eager.call("aten::convolution",
                                {a.at(v).tensor, w, bias ? Arg(b) : Arg(), each(stride), each(padding),
                                 each(dilation), false, each(0), Arg(in)},
                                shape, a.s.dtype);
    } else {
        result = a.s.eager.convolution(a.at(v).tensor, w, bias ? &b : nullptr, stride, padding, dilation,
                                       groups, false, 0, spatial);
    }
    return a.add("convolution", "self." + name + "({0})", {v}, result, a.at(v).bound * 1.5, "features");
}

int transposed(Sampler& a, int v) {
    if (!image(a, v) || a.half() || a.rank(v) == 5 || a.shape(v).back().now() < 4) return -1;
    const int axes = spatial_axes(a, v);
    const Size in = a.shape(v)[1],
               out = a.size({"out_channels", "up_channels", "filters"}, {8, 16, 32, 64}, 4);
    const int64_t kernel = a.r.of({2, 3, 4}), stride = a.r.of({1, 2}), padding = kernel > 2 ? 1 : 0,
                  extra = kernel == 3 && stride == 2 ? 1 : 0;
    Shape spatial;
    for (int i = 0; i < axes; ++i) {
        if (a.shape(v)[static_cast<size_t>(i) + 2].now() > 64 && axes == 2) return -1;
        spatial.push_back(a.shape(v)[static_cast<size_t>(i) + 2].map(
            [&](int64_t n) { return (n - 1) * stride - 2 * padding + kernel + extra; }));
    }
    const std::string name = a.attribute(a.r.of({"deconv", "up", "conv_transpose", "upconv"}));
    const bool bias = a.r.chance(0.8);
    std::string text =
        fmt::format("nn.ConvTranspose{}d({}, {}, {}, stride={}", axes, in.text, out.text, kernel, stride);
    if (padding) text += ", padding=1";
    if (extra) text += ", output_padding=1";
    a.s.members.push_back({name, text + (bias ? ")" : ", bias=False)")});
    Shape weight = {in, out};
    for (int i = 0; i < axes; ++i) weight.emplace_back(kernel);
    const Tensor w = a.weight(name + ".weight", weight);
    Tensor b;
    if (bias) b = a.weight(name + ".bias", {out});
    a.begin();
    return a.add("convolution", "self." + name + "({0})", {v},
                 a.s.eager.convolution(a.at(v).tensor, w, bias ? &b : nullptr, stride, padding, 1, 1, true,
                                       extra, spatial),
                 a.at(v).bound * 1.5, "upsampled");
}

int pooled(Sampler& a, int v) {
    if (!image(a, v)) return -1;
    const int axes = spatial_axes(a, v);
    const bool largest = a.r.chance(0.55) && axes > 1;
    const int64_t kernel = a.r.of({2, 2, 3}), stride = kernel == 2 ? 2 : a.r.of({1, 2, 3}),
                  padding = kernel == 3 && a.r.chance(0.4) ? 1 : 0;
    Shape shape(a.shape(v).begin(), a.shape(v).begin() + 2);
    for (int i = 0; i < axes; ++i) {
        const Size& extent = a.shape(v)[static_cast<size_t>(i) + 2];
        if (extent.now() < 8) return -1;
        shape.push_back(extent.map([&](int64_t n) { return (n + 2 * padding - kernel) / stride + 1; }));
    }
    auto each = [&](int64_t number) {
        return Arg::list(std::vector<int64_t>(static_cast<size_t>(axes), number));
    };
    a.begin();
    const Tensor& x = a.at(v).tensor;
    std::string arguments = fmt::format("kernel_size={}, stride={}", kernel, stride);
    if (kernel == stride && a.r.chance(0.6)) arguments = std::to_string(kernel);
    if (padding) arguments += ", padding=1";
    std::string text = fmt::format("F.{}_pool{}d({{0}}, {})", largest ? "max" : "avg", axes, arguments);
    if (a.r.chance(0.5)) {
        const std::string name = a.attribute(a.r.of({"pool", "downsample", "maxpool", "pooling"}));
        a.s.members.push_back(
            {name, fmt::format("nn.{}Pool{}d({})", largest ? "Max" : "Avg", axes, arguments)});
        text = "self." + name + "({0})";
    }
    Tensor out;
    if (largest) {
        const std::string op = fmt::format("aten::max_pool{}d_with_indices", axes);
        out = a.s.eager.calls(op.c_str(), {x, each(kernel), each(stride), each(padding)},
                              {{shape, x.dtype}, {shape, DType::i64}})[0];
    } else {
        const std::string op = fmt::format("aten::avg_pool{}d", std::max(axes, 2));
        if (axes == 1) {  // as two axes, of which the first is 1
            const Tensor high = a.s.eager.unsqueeze(x, 2);
            const Tensor made = a.s.eager.call(
                op.c_str(), {high, Arg::list({1, kernel}), Arg::list({1, stride}), Arg::list({0, padding})},
                {shape[0], shape[1], Size(1), shape[2]}, x.dtype);
            out = a.s.eager.select(made, 2, 0);
        } else {
            out = a.s.eager.call(op.c_str(), {x, each(kernel), each(stride), each(padding)}, shape, x.dtype);
        }
    }
    return a.add("pooling", text, {v}, out, a.at(v).bound, "pooled", a.at(v).positive);
}

int averaged(Sampler& a, int v) {  // to one number a channel
    if (!image(a, v) || a.at(v).settled || a.at(v).averaged || a.shape(v).back().now() < 4) return -1;
    const int axes = spatial_axes(a, v);
    std::vector<int> dims;
    for (int i = 0; i < axes; ++i) dims.push_back(i + 2);
    if (axes == 2 && !a.half() && a.r.chance(0.4)) {
        Shape shape(a.shape(v).begin(), a.shape(v).begin() + 2);
        shape.insert(shape.end(), {Size(1), Size(1)});
        std::string text = a.r.of({"F.adaptive_avg_pool2d({0}, 1)", "F.adaptive_avg_pool2d({0}, (1, 1))"});
        if (a.r.chance(0.6)) {
            const std::string name = a.attribute(a.r.of({"pool", "gap", "avgpool"}));
            a.s.members.push_back(
                {name, a.r.of({"nn.AdaptiveAvgPool2d(1)", "nn.AdaptiveAvgPool2d((1, 1))"})});
            text = "self." + name + "({0})";
        }
        a.begin();
        const Tensor& x = a.at(v).tensor;
        const int out =
            a.add("pooling", text, {v},
                  a.s.eager.call("aten::mean.dim", {x, Arg::list({-1, -2}), true}, shape, x.dtype),
                  a.at(v).bound, "pooled", a.at(v).positive);
        a.s.variables[static_cast<size_t>(out)].averaged = true;
        return out;
    }
    return a.reduce(v, a.half() ? "amax" : a.r.of({"mean", "mean", "amax"}), dims, a.r.chance(0.6));
}

int group_norm(Sampler& a, int v) {
    if (!image(a, v)) return -1;
    const Size c = a.shape(v)[1];
    if (a.shape(v).back().now() < 4 || a.at(v).averaged) return -1;
    const int64_t groups = a.r.of({2, 4, 8});
    if (!c.divisible(groups) || c.now() < groups) return -1;
    const Size spatial = product({a.shape(v).begin() + 2, a.shape(v).end()});
    const std::string name = a.attribute(a.r.of({"norm", "gn", "group_norm"}));
    const bool affine = a.r.chance(0.85);
    a.s.members.push_back(
        {name, fmt::format("nn.GroupNorm({}, {}{})", groups, c.text, affine ? "" : ", affine=False")});
    Arg w, b;
    if (affine) {
        w = Arg(a.weight(name + ".weight", {c}));
        b = Arg(a.weight(name + ".bias", {c}));
    }
    a.begin();
    const Tensor x = a.s.eager.contiguous(a.at(v).tensor);
    const Shape stats = {x.shape[0], Size(groups)};
    const std::vector<Tensor> out =
        a.s.eager.calls("aten::native_group_norm", {x, w, b, x.shape[0], c, spatial, Arg(groups), 1e-5},
                        {{x.shape, x.dtype}, {stats, x.dtype}, {stats, x.dtype}});
    return a.add("norm", "self." + name + "({0})", {v}, out[0], 10, "normed");
}

int upsampled(Sampler& a, int v) {
    if (!image(a, v) || a.rank(v) != 4 || a.shape(v)[2].now() > 64 || a.shape(v)[2].now() < 4 || a.half())
        return -1;
    Shape shape = a.shape(v);
    shape[2] = shape[2].map([](int64_t n) { return n * 2; });
    shape[3] = shape[3].map([](int64_t n) { return n * 2; });
    a.begin();
    const Tensor& x = a.at(v).tensor;
    std::string text = "F.interpolate({0}, scale_factor=2, mode=\"nearest\")";
    if (a.r.chance(0.5)) {
        const std::string name = a.attribute(a.r.of({"upsample", "up"}));
        a.s.members.push_back({name, "nn.Upsample(scale_factor=2, mode=\"nearest\")"});
        text = "self." + name + "({0})";
    }
    return a.add(
        "resampling", text, {v},
        a.s.eager.call("aten::upsample_nearest2d", {x, Shape{shape[2], shape[3]}, 2.0, 2.0}, shape, x.dtype),
        a.at(v).bound, "upsampled", a.at(v).positive);
}

/// From channels to a row of features: pooled flat, then a head.
int flattened(Sampler& a, int v) {
    if (!image(a, v) || a.rank(v) != 4 || a.half() || a.at(v).averaged || a.at(v).settled ||
        a.shape(v).back().now() < 4)
        return -1;
    const int mean = a.reduce(v, "mean", {2, 3}, false);
    if (a.shape(mean)[1].text.empty()) return -1;
    const Size out = a.size({"num_classes", "out_features", "embedding_dim"}, {10, 100, 64, 256}, 2);
    return a.linear(mean, out, true, a.r.of({"fc", "head", "classifier"}));
}

}  // namespace

void add_image_families(std::vector<Family>& out) {
    out.push_back({"convolution", 11, "icv", convolved});
    out.push_back({"convolution", 2, "ic", transposed});
    out.push_back({"pooling", 5, "icv", pooled});
    out.push_back({"reduction", 3, "icv", averaged});
    out.push_back({"norm", 4, "icv", group_norm});
    out.push_back({"resampling", 1.5, "i", upsampled});
    out.push_back({"product", 2, "i", flattened});
}

}  // namespace tritonsmith::data
