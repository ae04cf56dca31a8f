#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "data/synth/families/layer.h"

/// Convolutions of one, two and three axes.
namespace tritonsmith::data {
namespace {

/// A convolution's numbers along each axis of its images.
struct Windows {
    std::vector<int64_t> kernels, strides, paddings, dilations, extras;
    int64_t groups = 1;
    bool depthwise = false, transposed = false;
    std::vector<const char*> names = {};

    int64_t reach(size_t axis) const { return dilations[axis] * (kernels[axis] - 1) + 1; }
    Size length(const Size& extent, size_t i) const {
        return extent.map([&](int64_t n) {
            return transposed ? (n - 1) * strides[i] - 2 * paddings[i] + reach(i) + extras[i]
                              : (n + 2 * paddings[i] - reach(i)) / strides[i] + 1;
        });
    }
    /// As large as what goes in.
    bool same_size() const {
        bool out = all_are(strides, 1) && !transposed;
        for (size_t i = 0; i < kernels.size(); ++i) out = out && 2 * paddings[i] == reach(i) - 1;
        return out;
    }
};

/// Windows at rest: stride and dilation 1, no padding.
Windows plain_windows(size_t axes, int64_t kernel) {
    Windows out;
    out.kernels.assign(axes, kernel);
    out.strides.assign(axes, 1);
    out.paddings.assign(axes, 0);
    out.dilations.assign(axes, 1);
    out.extras.assign(axes, 0);
    return out;
}

Size out_channels(Sampler& a) {
    return a.size({"out_channels", "out_channels", "out_channels", "filters", "hidden_channels",
                   "num_filters", "dim_out", "C_out", "out_planes"},
                  {8, 16, 24, 32, 48, 64, 128, 256}, 8, {512, 96, 40, 320});
}

std::vector<Size> lengths(const Sampler& a, int v, const Windows& w) {
    std::vector<Size> out;
    for (size_t i = 0; i < w.kernels.size(); ++i) out.push_back(w.length(a.shape(v)[i + 2], i));
    return out;
}

/// The shape of its weight, and what the constructor says for it.
Shape weight_shape(const Windows& w, const Size& in, const Size& out) {
    Shape shape = w.transposed ? Shape{in, divided(out, w.groups)}
                               : Shape{out, w.depthwise ? Size(1) : divided(in, w.groups)};
    if (w.groups == 1 && !w.depthwise) shape[1] = w.transposed ? out : in;
    shape.insert(shape.end(), w.kernels.begin(), w.kernels.end());
    return shape;
}

struct Weights {
    Tensor weight;
    Arg bias;
    std::string text;  ///< of the call in forward
};

/// nn.ConvNd or nn.ConvTransposeNd.
Weights as_module(Sampler& a, const Windows& w, const Size& in, const Size& out, bool bias) {
    const size_t axes = w.kernels.size();
    const std::string name = a.attribute(a.r.of(w.names));
    const double optional = a.s.optional;
    const bool whole = optional > 0 && a.r.chance(0.35);  // a constructor with all that the layer has
    if (whole) a.s.optional = 1;
    LayerCall call(a, fmt::format("nn.Conv{}{}d(", w.transposed ? "Transpose" : "", axes), whole ? 1 : 0.35);
    call.position(in.text);
    call.position(w.depthwise && out.same(in) ? in.text : out.text);
    PerAxis numbers(a, axes, false);
    const std::string kernel = numbers.text("kernel_size", w.kernels),
                      stride = numbers.text("stride", w.strides);
    const bool same = w.same_size() && w.kernels[0] > 1 && a.r.chance(0.12);
    const std::string padding =
        same ? a.option("padding", "\"same\"", Arg("same")) : numbers.text("padding", w.paddings);
    std::string extra, dilation;
    if (w.transposed) extra = numbers.text("output_padding", w.extras);
    dilation = numbers.text("dilation", w.dilations);
    const std::string groups = w.depthwise ? in.text : a.option("groups", w.groups),
                      with_bias = a.option("bias", bias);
    call.named("kernel_size", kernel, false);
    call.named("stride", stride, stride == "1");
    call.named("padding", padding, padding == "0");
    if (w.transposed)
        call.named("output_padding", extra, extra == "0");
    else
        call.named("dilation", dilation, dilation == "1");
    call.named("groups", groups, groups == "1");
    call.named("bias", with_bias, with_bias == "True");
    if (w.transposed) call.named("dilation", dilation, dilation == "1");
    a.s.optional = optional;
    a.s.members.push_back({name, call.text()});
    Weights made{a.weight(name + ".weight", weight_shape(w, in, out)), {}, "self." + name + "({0})"};
    if (bias) made.bias = Arg(a.weight(name + ".bias", {out}));
    return made;
}

/// F.convNd with parameters of its own.
Weights as_function(Sampler& a, const Windows& w, const Size& in, const Size& out, bool bias) {
    const size_t axes = w.kernels.size();
    const std::string name = a.attribute(a.r.of({"weight", "kernel", "conv_weight", "filters", "w"}));
    PerAxis numbers(a, axes, true), of_weight(a, axes, false);
    const Shape shape = weight_shape(w, in, out);
    const std::string sizes = fmt::format("{}, {}, {}", shape[0].text, shape[1].text,
                                          fmt::join(of_weight.each("kernel_size", w.kernels), ", "));
    a.s.members.push_back(
        {name, fmt::format(fmt::runtime(a.r.of({"nn.Parameter(torch.randn({}) * 0.05)",
                                                "nn.Parameter(torch.empty({}).normal_(std=0.02))",
                                                "nn.Parameter(torch.randn({}) / 16)"})),
                           sizes)});
    Weights made{a.weight(name, shape), {}, ""};
    LayerCall call(a, fmt::format("F.conv{}{}d({{0}}", w.transposed ? "_transpose" : "", axes));
    call.position("self." + name);
    if (bias) {
        const std::string of = a.attribute(a.r.of({"bias", "b", "conv_bias", "shift"}));
        a.s.members.push_back(
            {of, fmt::format("nn.Parameter(torch.{}({}))", a.r.of({"zeros", "randn"}), out.text)});
        made.bias = Arg(a.weight(of, {out}));
        call.named("bias", "self." + of, false);
    }
    auto given = [&](const char* argument, const std::vector<int64_t>& values, int64_t usual) {
        if (all_are(values, usual) && !a.r.chance(0.15)) return;
        call.position(std::string(argument) + "=" + numbers.text(argument, values));
    };
    given("stride", w.strides, 1);
    given("padding", w.paddings, 0);
    if (w.transposed) given("output_padding", w.extras, 0);
    given("dilation", w.dilations, 1);
    if (w.depthwise)
        call.position("groups={0}.shape[1]");
    else if (w.groups > 1)
        call.position("groups=" + a.kept("groups", std::to_string(w.groups), Arg(w.groups)));
    made.text = call.text();
    return made;
}

/// The layer, its weights and the operator.
int add_convolution(Sampler& a, int v, const Windows& w, const Size& out) {
    const Size in = a.shape(v)[1];
    const bool bias = a.r.chance(0.65);
    const bool function = !(w.depthwise && !out.same(in)) && a.r.chance(0.12);
    const Weights made = function ? as_function(a, w, in, out, bias) : as_module(a, w, in, out, bias);
    Shape shape = {a.shape(v)[0], out};
    const std::vector<Size> spatial = lengths(a, v, w);
    shape.insert(shape.end(), spatial.begin(), spatial.end());
    a.begin();
    const Tensor result = a.s.eager.call(
        "aten::convolution",
        {a.at(v).tensor, made.weight, made.bias, Arg::list(w.strides), Arg::list(w.paddings),
         Arg::list(w.dilations), w.transposed, Arg::list(w.extras), w.depthwise ? Arg(in) : Arg(w.groups)},
        shape, a.s.dtype);
    return a.add("convolution", made.text, {v}, result, a.at(v).bound * 1.5,
                 w.transposed ? "upsampled" : "features");
}

/// Whether the judge can run it on a CPU where it scales every size down as far as it goes.
bool judgeable(const Sampler& a, int v, const Windows& w) {
    constexpr int64_t kBatch = 16, kSize = 24;
    double work = 2 * static_cast<double>(std::min(a.shape(v)[0].now(), kBatch) * kSize) *
                  static_cast<double>(w.depthwise ? 1 : std::min(a.shape(v)[1].now(), kSize) / w.groups);
    for (size_t i = 0; i < w.kernels.size(); ++i) {
        const int64_t extent = std::min(a.shape(v)[i + 2].now(), kSize);
        work *= static_cast<double>(w.kernels[i] * std::max<int64_t>(1, w.length(Size(extent), i).now()));
    }
    return work < 6e9;
}

/// Whether windows find enough to see.
bool windows_fit(const Sampler& a, int v, const Windows& w) {
    for (size_t i = 0; i < w.kernels.size(); ++i) {
        const Size& extent = a.shape(v)[i + 2];
        if (std::min(extent.at[0], extent.at[1]) < 2 * w.reach(i)) return false;
    }
    return judgeable(a, v, w);
}

bool usable(const Sampler& a, int v) {
    return is_image(a, v) && !a.half();
}

/// Kernels, strides, paddings and dilations, alike along all axes or not.
Windows draw_windows(Sampler& a, size_t axes) {
    const std::vector<int64_t> kernels = axes == 1 ? std::vector<int64_t>{1, 2, 3, 3, 3, 4, 5, 7, 9, 11}
                                         : axes == 2
                                             ? std::vector<int64_t>{1, 2, 3, 3, 3, 3, 4, 5, 7, 3, 5, 11}
                                             : std::vector<int64_t>{1, 2, 3, 3, 3, 5};
    Windows w = plain_windows(axes, a.r.of(kernels));
    w.strides.assign(axes, a.r.chance(0.35) ? a.r.of({2, 2, 2, 3, 4}) : 1);
    w.dilations.assign(axes, a.r.chance(0.22) ? a.r.of({2, 2, 3, 4}) : 1);
    if (axes > 1 && a.r.chance(0.3)) {
        for (int64_t& kernel : w.kernels) kernel = axes == 3 ? a.r.of({1, 2, 3, 5}) : a.r.of({1, 3, 5, 7});
        if (a.r.chance(0.4))
            for (int64_t& stride : w.strides) stride = a.r.of({1, 2, 3});
        if (a.r.chance(0.3))
            for (int64_t& dilation : w.dilations) dilation = a.r.of({1, 2, 3});
    }
    const int64_t padded = a.r.below(4);
    for (size_t i = 0; i < axes; ++i) {
        const int64_t same = (w.reach(i) - 1) / 2;
        const int64_t some = w.kernels[i] > 1 ? a.r.of({1, 1, 2, 3}) : 0;
        w.paddings[i] = padded == 0   ? 0
                        : padded == 1 ? same
                        : padded == 2 ? std::min<int64_t>(1, same)
                                      : some;
    }
    if (padded == 3 && a.r.chance(0.5)) w.paddings.assign(axes, w.paddings[0]);
    return w;
}

int dense(Sampler& a, int v) {
    if (!usable(a, v)) return -1;
    Windows w = draw_windows(a, spatial_axes(a, v));
    w.names = {"conv", "conv", "conv1", "conv_in", "proj", "filter", "conv_layer"};
    if (!windows_fit(a, v, w)) return -1;
    return add_convolution(a, v, w, a.r.chance(0.2) ? a.shape(v)[1] : out_channels(a));
}

int grouped(Sampler& a, int v) {
    if (!usable(a, v)) return -1;
    Windows w = draw_windows(a, spatial_axes(a, v));
    w.groups = a.r.of({2, 4, 4, 8});
    w.names = {"conv", "grouped_conv", "group_conv", "conv1", "gconv"};
    if (!a.shape(v)[1].divisible(w.groups) || a.shape(v)[1].now() <= w.groups || !windows_fit(a, v, w))
        return -1;
    return add_convolution(a, v, w, a.r.chance(0.3) ? a.shape(v)[1] : out_channels(a));
}

int depthwise(Sampler& a, int v) {
    if (!usable(a, v) || a.shape(v)[1].now() < 2) return -1;
    const size_t axes = spatial_axes(a, v);
    Windows w = draw_windows(a, axes);
    if (axes == 2 && a.r.chance(0.2)) w.kernels[static_cast<size_t>(a.r.below(2))] = 1;
    for (size_t i = 0; i < axes; ++i) w.paddings[i] = std::min(w.paddings[i], (w.reach(i) - 1) / 2);
    w.depthwise = true;
    w.names = {"depthwise", "conv", "dwconv", "depthwise_conv", "dw", "conv_dw", "spatial"};
    if (all_are(w.kernels, 1) || !windows_fit(a, v, w)) return -1;
    const Size in = a.shape(v)[1];
    return add_convolution(a, v, w, a.r.chance(0.15) ? in * Size(a.r.of({2, 4})) : in);
}

/// Each channel alone, then all channels at each place; something between them or not.
int separable(Sampler& a, int v) {
    const int first = depthwise(a, v);
    if (first < 0) return -1;
    Windows point = plain_windows(spatial_axes(a, v), 1);
    point.names = {"pointwise", "pw", "pointwise_conv", "mix", "conv_pw", "project"};
    if (a.shape(first)[1].text.empty()) return first;
    int middle = a.r.chance(0.2) ? a.activation(first) : first;
    if (middle < 0) middle = first;
    return add_convolution(a, middle, point, out_channels(a));
}

/// Convolutions with an activation between them.
int convolved_twice(Sampler& a, int v) {
    const int first = dense(a, v);
    if (first < 0) return -1;
    const int active = a.activation(first);
    if (active < 0 || !usable(a, active)) return first;
    const size_t axes = spatial_axes(a, v);
    Windows w = plain_windows(axes, a.r.of({1, 3, 3}));
    w.paddings.assign(axes, w.kernels[0] / 2);
    w.names = {"conv2", "conv_out", "conv", "refine", "out_conv"};
    if (!windows_fit(a, active, w)) return active;
    return add_convolution(a, active, w, a.r.chance(0.4) ? a.shape(active)[1] : out_channels(a));
}

int transposed(Sampler& a, int v) {
    if (!usable(a, v)) return -1;
    const size_t axes = spatial_axes(a, v);
    const int64_t largest = axes == 1 ? 20000 : axes == 2 ? 128 : 32;
    for (size_t i = 0; i < axes; ++i)
        if (a.shape(v)[i + 2].now() > largest || a.shape(v)[i + 2].now() < 4) return -1;
    Windows w = plain_windows(axes, axes == 3 ? a.r.of({2, 3, 3, 4, 5}) : a.r.of({2, 3, 3, 4, 4, 5, 7}));
    w.transposed = true;
    w.names = {"deconv",
               "up",
               "conv_transpose",
               "conv_transpose",
               "upconv",
               "up_conv",
               "tconv",
               axes == 1 ? "conv1d_transpose" : axes == 2 ? "conv2d_transpose" : "conv3d_transpose"};
    w.strides.assign(axes, a.r.of({1, 1, 2, 2, 2, 3, 4}));
    w.dilations.assign(axes, a.r.chance(0.2) ? a.r.of({2, 3}) : 1);
    if (axes > 1 && a.r.chance(0.3)) {
        for (int64_t& kernel : w.kernels) kernel = a.r.of({2, 3, 5, 7});
        if (a.r.chance(0.5))
            for (int64_t& stride : w.strides) stride = a.r.of({1, 2, 3});
        if (a.r.chance(0.25))
            for (int64_t& dilation : w.dilations) dilation = a.r.of({1, 2});
    }
    const bool extra = a.r.chance(0.4), uneven = axes > 1 && a.r.chance(0.2);
    const int64_t padding = a.r.of({0, 0, 1, 1, 2});
    for (size_t i = 0; i < axes; ++i) {
        w.paddings[i] = std::min(uneven ? a.r.of({0, 1, 2}) : padding, (w.reach(i) - 1) / 2);
        if (extra && std::max(w.strides[i], w.dilations[i]) > 1) w.extras[i] = 1;
    }
    const Size in = a.shape(v)[1];
    if (in.divisible(4) && in.now() > 4 && a.r.chance(0.2)) w.groups = a.r.of({2, 4});
    if (!judgeable(a, v, w)) return -1;
    const Size out =
        a.size({"out_channels", "out_channels", "out_channels", "up_channels", "filters", "C_out"},
               {8, 16, 24, 32, 48, 64, 128}, 4, {3, 96, 256});
    return add_convolution(a, v, w, out);
}

}  // namespace

void add_convolution_families(std::vector<Family>& out) {
    out.push_back({"convolution", 4.5, "icv", dense});
    out.push_back({"convolution", 2, "icv", grouped});
    out.push_back({"convolution", 2, "icv", depthwise});
    out.push_back({"convolution", 1, "icv", separable});
    out.push_back({"convolution", 0.7, "icv", convolved_twice});
    out.push_back({"convolution", 4.5, "icv", transposed});
}

}  // namespace tritonsmith::data
