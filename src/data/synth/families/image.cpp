#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "data/synth/families/layer.h"

/// Averages and norms of channels, resampling.
namespace tritonsmith::data {
namespace {

int averaged(Sampler& a, int v) {  // to one number a channel
    if (!is_image(a, v) || a.at(v).settled || a.at(v).averaged || a.shape(v).back().now() < 4) return -1;
    std::vector<int> dims;
    for (int i = 2; i < a.rank(v); ++i) dims.push_back(i);
    return a.reduce(v, a.half() ? "amax" : a.r.of({"mean", "mean", "amax"}), dims, a.r.chance(0.6));
}

/// Over the channels of each place, or over all of each image.
int over_channels(Sampler& a, int v) {
    if (!is_image(a, v) || a.half() || a.at(v).settled || a.at(v).averaged || a.shape(v)[1].now() < 4)
        return -1;
    std::vector<int> dims = {1};
    const bool all = a.r.chance(0.2);
    for (int i = 2; all && i < a.rank(v); ++i) dims.push_back(i);
    const char* kind = a.r.of({"sum", "mean", "mean", "amax", "amin", "logsumexp"});
    if (std::string(kind) == "amin" && a.at(v).positive) kind = "amax";
    return a.reduce(v, kind, dims, a.r.chance(0.7));
}

/// Of channels at each place, or along the last axis.
int soft_channels(Sampler& a, int v) {
    if (!is_image(a, v) || a.at(v).bound > 60 || (a.at(v).settled && a.at(v).positive)) return -1;
    const int axis = a.r.chance(0.8) ? 1 : a.rank(v) - 1;
    if (a.shape(v)[static_cast<size_t>(axis)].now() < 4) return -1;
    return a.softmax(v, axis, a.r.chance(0.15));
}

int group_norm(Sampler& a, int v) {
    const bool row = a.s.theme == "m" && a.floating(v) && a.rank(v) == 2 && !a.half() && !a.long_rows(v) &&
                     !a.at(v).permuted && !a.at(v).settled && !a.shape(v)[1].text.empty() &&
                     a.at(v).bound < 1e3;
    if (!row && !is_image(a, v)) return -1;
    const Size c = a.shape(v)[1];
    if (a.shape(v).back().now() < 4 || a.at(v).averaged) return -1;
    const int64_t groups = a.r.of({2, 4, 8, 16});
    if (!c.divisible(groups) || c.now() < (row ? 4 * groups : groups)) return -1;
    const Size spatial = product({a.shape(v).begin() + 2, a.shape(v).end()});
    const std::string name = a.attribute(a.r.of({"norm", "gn", "group_norm"}));
    const bool affine = a.r.chance(0.85);
    const double eps = a.r.of(std::vector<double>{1e-5, 1e-5, 1e-5, 1e-6, 1e-3});
    LayerCall call(a, "nn.GroupNorm(");
    const bool keywords = a.r.chance(0.2);
    const std::string count = a.option("num_groups", groups);
    call.position(keywords ? "num_groups=" + count : count);
    call.position(keywords ? "num_channels=" + c.text : c.text);
    const std::string small = a.option("eps", eps);
    if (small != number_text(1e-5)) call.position("eps=" + small);
    if (!affine) call.position("affine=False");
    a.s.members.push_back({name, call.text()});
    Arg w, b;
    if (affine) {
        w = Arg(a.weight(name + ".weight", {c}));
        b = Arg(a.weight(name + ".bias", {c}));
    }
    a.begin();
    const Tensor x = a.s.eager.contiguous(a.at(v).tensor);
    const Shape stats = {x.shape[0], Size(groups)};
    const std::vector<Tensor> out =
        a.s.eager.calls("aten::native_group_norm", {x, w, b, x.shape[0], c, spatial, Arg(groups), eps},
                        {{x.shape, x.dtype}, {stats, x.dtype}, {stats, x.dtype}});
    return a.add("norm", "self." + name + "({0})", {v}, out[0], 10, "normed");
}

/// Twice or three times as large, by the nearest element or in between.
int upsampled(Sampler& a, int v) {
    if (!is_image(a, v) || a.half() || a.at(v).permuted) return -1;
    const size_t axes = spatial_axes(a, v);
    const int64_t factor = a.r.of({2, 2, 2, 3, 4});
    const int64_t largest = axes == 1 ? 4096 : axes == 2 ? 128 : 32;
    Shape shape = a.shape(v), sizes;
    for (size_t i = 2; i < shape.size(); ++i) {
        if (shape[i].now() > largest || shape[i].now() < 4) return -1;
        shape[i] = shape[i].map([&](int64_t n) { return n * factor; });
        sizes.push_back(shape[i]);
    }
    const bool linear = a.r.chance(0.4);
    const char* modes[] = {"linear", "bilinear", "trilinear"};
    const std::string mode = linear ? modes[axes - 1] : "nearest";
    const bool member = a.r.chance(0.6);
    const std::string by = member ? a.option("scale_factor", factor)
                                  : a.kept("scale_factor", std::to_string(factor), Arg(factor));
    const std::string given = fmt::format("scale_factor={}, mode=\"{}\"{}", by, mode,
                                          linear && a.r.chance(0.6) ? ", align_corners=False" : "");
    std::string text = "F.interpolate({0}, " + given + ")";
    if (member) {
        const std::string name = a.attribute(a.r.of({"upsample", "up", "resize"}));
        a.s.members.push_back({name, "nn.Upsample(" + given + ")"});
        text = "self." + name + "({0})";
    }
    a.begin();
    const Tensor& x = a.at(v).tensor;
    std::vector<Arg> args = {x, Arg(sizes)};
    if (linear) args.emplace_back(false);
    for (size_t i = 0; i < axes; ++i) args.emplace_back(static_cast<double>(factor));
    const std::string op = fmt::format("aten::upsample_{}{}d", mode, axes);
    return a.add("resampling", text, {v}, a.s.eager.call(op.c_str(), args, shape, x.dtype), a.at(v).bound,
                 "upsampled", a.at(v).positive);
}

/// From channels to a row of features: pooled flat, then a head.
int flattened(Sampler& a, int v) {
    if (!is_image(a, v) || a.rank(v) != 4 || a.half() || a.at(v).averaged || a.at(v).settled ||
        a.shape(v).back().now() < 4)
        return -1;
    const int mean = a.reduce(v, "mean", {2, 3}, false);
    if (a.shape(mean)[1].text.empty()) return -1;
    const Size out = a.size({"num_classes", "out_features", "embedding_dim"}, {10, 100, 64, 256}, 2);
    return a.linear(mean, out, true, a.r.of({"fc", "head", "classifier"}));
}

}  // namespace

void add_image_families(std::vector<Family>& out) {
    out.push_back({"reduction", 3, "icv", averaged});
    out.push_back({"reduction", 2.5, "icv", over_channels});
    out.push_back({"softmax", 1.5, "icv", soft_channels});
    out.push_back({"norm", 4, "icv", group_norm});
    out.push_back({"norm", 1, "m", group_norm});
    out.push_back({"resampling", 1.5, "icv", upsampled});
    out.push_back({"product", 2, "i", flattened});
}

}  // namespace tritonsmith::data
