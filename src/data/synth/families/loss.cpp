#include <fmt/format.h>

#include "data/synth/sampler.h"

/// Losses: they end a branch in a single number.
namespace tritonsmith::data {
namespace {

int compared(Sampler& a, int v) {
    if (!a.floating(v) || a.half() || a.rank(v) < 1 || a.s.inputs.size() >= 4 || a.at(v).bound > 100 ||
        a.s.steps.empty())
        return -1;
    const int target =
        a.input(a.shape(v), a.s.dtype, a.r.of({"target", "targets", "labels", "y"}), "torch.randn");
    struct Entry {
        const char *op, *function, *module;
    };
    static const std::vector<Entry> table = {{"aten::mse_loss", "F.mse_loss", "nn.MSELoss"},
                                             {"aten::l1_loss", "F.l1_loss", "nn.L1Loss"},
                                             {"aten::smooth_l1_loss", "F.smooth_l1_loss", "nn.SmoothL1Loss"},
                                             {"aten::huber_loss", "F.huber_loss", "nn.HuberLoss"}};
    const Entry& entry = a.r.of(table);
    const Tensor x = a.at(v).tensor, y = a.at(target).tensor;
    a.begin();
    // PyTorch computes the absolute difference's mean itself.
    if (std::string(entry.op) == "aten::l1_loss") {
        const Tensor difference = a.s.eager.call("aten::sub.Tensor", {x, y}, x.shape, x.dtype);
        const Tensor size = a.s.eager.call("aten::abs", {difference}, x.shape, x.dtype);
        const Tensor mean = a.s.eager.call("aten::mean", {size}, {}, x.dtype);
        return a.add("", std::string(entry.function) + "({0}, {1})", {v, target}, mean, 10, "loss", true);
    }
    const Tensor out = a.s.eager.call(entry.op, {x, y}, {}, x.dtype);
    std::string text = std::string(entry.function) + "({0}, {1})";
    if (a.r.chance(0.4)) {
        const std::string name = a.attribute(a.r.of({"criterion", "loss_fn", "loss"}));
        a.s.members.push_back({name, std::string(entry.module) + "()"});
        text = "self." + name + "({0}, {1})";
    }
    return a.add("", text, {v, target}, out, 100, "loss", true);
}

int classified(Sampler& a, int v) {
    if (!a.floating(v) || a.half() || a.rank(v) != 2 || a.s.inputs.size() >= 4 || a.at(v).bound > 100 ||
        a.shape(v)[1].text.empty())
        return -1;
    const int target = a.input({a.shape(v)[0]}, DType::i64, a.r.of({"target", "labels", "y", "classes"}),
                               "torch.randint", a.shape(v)[1].text);
    const Tensor x = a.at(v).tensor, y = a.at(target).tensor;
    a.begin();
    const Tensor logs = a.s.eager.call("aten::_log_softmax", {x, 1, false}, x.shape, x.dtype);
    const Tensor out = a.s.eager.calls("aten::nll_loss_forward", {logs, y, Arg(), 1, -100},
                                       {{{}, x.dtype}, {{}, x.dtype}})[0];
    return a.add("", "F.cross_entropy({0}, {1})", {v, target}, out, 20, "loss", true);
}

/// max(0, margin - x·y) and its mean.
int margin(Sampler& a, int v) {
    if (!a.floating(v) || a.half() || a.rank(v) > 2 || a.rank(v) < 1 || a.s.inputs.size() >= 4 ||
        a.at(v).bound > 100)
        return -1;
    const int target = a.another(v, a.r.of({"target", "labels", "sign"}));
    const int product = a.binary(v, target, "mul");
    a.begin();
    const Tensor& x = a.at(product).tensor;
    const int rest =
        a.add("", "1 - {0}", {product}, a.s.eager.call("aten::rsub.Scalar", {x, 1}, x.shape, x.dtype), 1e3,
              "margin", false, true);
    a.begin();
    const Tensor& y = a.at(rest).tensor;
    const int hinge = a.add("", a.r.of({"torch.clamp({0}, min=0)", "{0}.clamp(min=0)"}), {rest},
                            a.s.eager.call("aten::clamp", {y, 0}, y.shape, y.dtype), 1e3, "hinge", true);
    a.begin();
    const Tensor& z = a.at(hinge).tensor;
    return a.add("", a.r.of({"torch.mean({0})", "{0}.mean()"}), {hinge},
                 a.s.eager.call("aten::mean", {z}, {}, z.dtype), 1e3, "loss", true);
}

}  // namespace

void add_loss_families(std::vector<Family>& out) {
    out.push_back({"loss", 1.6, "msi", compared});
    out.push_back({"loss", 1.6, "m", classified});
    out.push_back({"loss", 0.8, "m", margin});
}

}  // namespace tritonsmith::data
