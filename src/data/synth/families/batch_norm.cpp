#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/synth/families/layer.h"

/// Norms whose statistics are those of the batch, kept ones, or of each image.
namespace tritonsmith::data {
namespace {

bool normed_by_channel(const Sampler& a, int v) {
    const std::string& theme = a.s.theme;
    return a.floating(v) && !a.half() && !a.at(v).permuted && !a.at(v).settled && !a.at(v).averaged &&
           a.rank(v) >= 2 && a.rank(v) <= 5 && !a.shape(v)[1].text.empty() &&
           (a.rank(v) == 2) == (theme == "m") && theme != "s" && theme != "h" && theme != "p" &&
           a.shape(v)[0].now() >= 4 && a.shape(v).back().now() >= 4 && !(theme == "m" && a.long_rows(v));
}

/// PyTorch computes it in cuDNN where there are weights and places.
Tensor batch_norm_of(Sampler& a, const Tensor& x, const std::vector<Arg>& args) {
    const Shape stats = {x.shape[1]};
    const bool weights = !std::holds_alternative<std::monostate>(args[1].at[0].v);
    if (x.rank() == 2 || !weights)
        return a.s.eager.calls("aten::native_batch_norm", args,
                               {{x.shape, x.dtype}, {stats, x.dtype}, {stats, x.dtype}})[0];
    return a.s.eager.calls(
        "aten::cudnn_batch_norm", args,
        {{x.shape, x.dtype}, {stats, x.dtype}, {stats, x.dtype}, {{Size(0)}, DType::u8}})[0];
}

/// Statistics of the batch, which move the running ones where there are any.
int batch_norm(Sampler& a, int v) {
    if (!normed_by_channel(a, v)) return -1;
    const Size c = a.shape(v)[1];
    const Tensor x = a.at(v).tensor;
    const std::string name = a.attribute(a.r.of({"bn", "batch_norm", "norm", "bn1"}));
    const double eps = a.r.of(std::vector<double>{1e-5, 1e-5, 1e-3}),
                 momentum = a.r.chance(0.7) ? 0.1 : a.r.of(std::vector<double>{0.01, 0.05, 0.2});
    const bool affine = a.r.chance(0.9), tracked = a.r.chance(0.85);
    LayerCall call(a, fmt::format("nn.BatchNorm{}d(", std::max(1, a.rank(v) - 2)));
    call.position(c.text);
    const std::string small = a.option("eps", eps);
    if (small != number_text(1e-5)) call.position("eps=" + small);
    if (tracked) {
        const std::string part = a.option("momentum", momentum);
        if (part != number_text(0.1)) call.position("momentum=" + part);
    }
    if (!affine) call.position("affine=" + a.option("affine", false));
    if (!tracked) call.position("track_running_stats=" + a.option("track_running_stats", false));
    a.s.members.push_back({name, call.text()});
    std::vector<Arg> args = {x, {}, {}, {}, {}, true, tracked ? momentum : 0.1, eps};
    if (affine) {
        args[1] = Arg(a.weight(name + ".weight", {c}));
        args[2] = Arg(a.weight(name + ".bias", {c}));
    }
    if (tracked) {
        args[3] = Arg(a.weight(name + ".running_mean", {c}, false));
        args[4] = Arg(a.weight(name + ".running_var", {c}, false));
        const Tensor count = a.s.eager.weight(name + ".num_batches_tracked", {}, DType::i64, false);
        a.begin(a.rank(v) == 2 || !affine ? 62 : 0);  // where tracing names the counter
        a.s.eager.in_place("aten::add_.Tensor", {count, 1}, count);
    }
    a.begin();
    return a.settle(a.add("norm", "self." + name + "({0})", {v}, batch_norm_of(a, x, args), 10, "normed"));
}

/// With statistics that were kept: buffers of the module, or inputs.
int kept_batch_norm(Sampler& a, int v) {
    if (!normed_by_channel(a, v) || a.s.inputs.size() > 2) return -1;
    const Size c = a.shape(v)[1];
    const Tensor x = a.at(v).tensor;
    const double eps = a.r.of(std::vector<double>{1e-5, 1e-5, 1e-3});
    std::vector<std::string> names;
    std::vector<Arg> args = {x};
    auto parameter = [&](const char* preferred, const char* made) {
        std::string text;
        const Tensor made_of = a.parameter(preferred, {c}, made, text);
        names.push_back(text);
        return Arg(made_of);
    };
    const Arg weight = parameter(a.r.of({"weight", "gamma", "scale"}), "nn.Parameter(torch.ones({0}))"),
              bias = parameter(a.r.of({"bias", "beta", "shift"}), "nn.Parameter(torch.zeros({0}))");
    const int mean = a.input({c}, a.s.dtype, a.r.of({"running_mean", "mean", "mu"}), "torch.randn"),
              var = a.input({c}, a.s.dtype, a.r.of({"running_var", "var", "variance"}), "torch.rand");
    const std::string small = a.kept("eps", number_text(eps), Arg(eps));
    a.begin();
    const Tensor out =
        batch_norm_of(a, x, {x, weight, bias, a.at(mean).tensor, a.at(var).tensor, false, 0.1, eps});
    return a.add("norm",
                 fmt::format("F.batch_norm({{0}}, {{1}}, {{2}}, {}, {}, training=False{})", names[0],
                             names[1], small == number_text(1e-5) ? "" : ", eps=" + small),
                 {v, mean, var}, out, 30, "normed");
}

int instance_norm(Sampler& a, int v) {
    if (!normed_by_channel(a, v) || a.rank(v) < 3) return -1;
    const Tensor x = a.at(v).tensor;
    const std::string name = a.attribute(a.r.of({"norm", "inorm", "instance_norm", "in_norm"}));
    const double eps = a.r.of(std::vector<double>{1e-5, 1e-5, 1e-3});
    const bool affine = a.r.chance(0.3);
    LayerCall call(a, fmt::format("nn.InstanceNorm{}d(", a.rank(v) - 2));
    call.position(x.shape[1].text);
    const std::string small = a.option("eps", eps);
    if (small != number_text(1e-5)) call.position("eps=" + small);
    if (affine) call.position("affine=" + a.option("affine", true));
    a.s.members.push_back({name, call.text()});
    const Size planes = x.shape[0] * x.shape[1];
    Shape flat = {Size(1), planes};
    flat.insert(flat.end(), x.shape.begin() + 2, x.shape.end());
    std::vector<Arg> args = {Arg(), {}, {}, {}, {}, true, 0.1, eps};
    if (affine) {
        const Tensor w = a.weight(name + ".weight", {x.shape[1]}), b = a.weight(name + ".bias", {x.shape[1]});
        a.begin();
        const Arg times(Shape{x.shape[0]});
        args[1] = Arg(a.s.eager.call("aten::repeat", {w, times}, {planes}, x.dtype));
        args[2] = Arg(a.s.eager.call("aten::repeat", {b, times}, {planes}, x.dtype));
    }
    a.begin();
    const Tensor seen = a.s.eager.reshape(x, flat);
    args[0] = Arg(seen);
    const Tensor out = batch_norm_of(a, seen, args);
    return a.settle(
        a.add("norm", "self." + name + "({0})", {v}, a.s.eager.reshape(out, x.shape), 6, "normed"));
}

/// nn.LayerNorm over all but the first axis: rows as long as an image.
int whole_layer_norm(Sampler& a, int v) {
    if (!is_image(a, v) || a.half() || a.at(v).permuted || a.at(v).settled || a.at(v).averaged) return -1;
    const Shape of(a.shape(v).begin() + 1, a.shape(v).end());
    for (const Size& size : of)
        if (size.text.empty()) return -1;
    if (a.shape(v).back().now() < 4) return -1;
    const Tensor x = a.at(v).tensor;
    const std::string name = a.attribute(a.r.of({"norm", "ln", "layer_norm"})), sizes = a.shape_option(of);
    const double eps = a.r.of(std::vector<double>{1e-5, 1e-5, 1e-6});
    const std::string small = a.option("eps", eps);
    std::string shape = sizes;
    if (sizes.find(", ") != std::string::npos) shape = a.r.of({"(", "["}) + sizes;
    if (shape != sizes) shape += shape[0] == '(' ? ")" : "]";
    a.s.members.push_back(
        {name, fmt::format("nn.LayerNorm({}{})", shape, small == number_text(1e-5) ? "" : ", eps=" + small)});
    const Tensor w = a.weight(name + ".weight", of), b = a.weight(name + ".bias", of);
    Shape stats = {x.shape[0]};
    stats.resize(x.rank(), Size(1));
    a.begin();
    return a.settle(a.add("norm", "self." + name + "({0})", {v},
                          a.s.eager.calls("aten::native_layer_norm", {x, Arg(of), w, b, eps},
                                          {{x.shape, x.dtype}, {stats, x.dtype}, {stats, x.dtype}})[0],
                          10, "normed"));
}

}  // namespace

void add_batch_norm_families(std::vector<Family>& out) {
    out.push_back({"norm", 2.5, "micv", batch_norm});
    out.push_back({"norm", 0.7, "micv", kept_batch_norm});
    out.push_back({"norm", 1.6, "icv", instance_norm});
    out.push_back({"norm", 1, "icv", whole_layer_norm});
}

}  // namespace tritonsmith::data
