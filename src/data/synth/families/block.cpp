#include <fmt/format.h>

#include "data/synth/sampler.h"

/// What is repeated: a list of layers and a loop over it, or a small module of its own.
namespace tritonsmith::data {
namespace {

bool wide_enough(const Sampler& a, int v) {
    return a.floating(v) && !a.at(v).permuted && a.at(v).tensor.dtype == a.s.dtype && a.rank(v) >= 2 &&
           a.rank(v) <= 3 && !a.shape(v).back().text.empty() && a.at(v).bound <= 30 && !a.half() &&
           a.shape(v).back().now() <= 1024;
}

struct Activation {
    const char *op, *functional, *module;
};
const std::vector<Activation>& activations() {
    static const std::vector<Activation> table = {{"aten::relu", "F.relu", "nn.ReLU()"},
                                                  {"aten::tanh", "torch.tanh", "nn.Tanh()"},
                                                  {"aten::silu", "F.silu", "nn.SiLU()"},
                                                  {"aten::gelu", "F.gelu", "nn.GELU()"},
                                                  {"aten::sigmoid", "torch.sigmoid", "nn.Sigmoid()"}};
    return table;
}

int add_block(Sampler& a, int v, std::vector<std::string> lines, Tensor result, double bound,
              const char* preferred) {
    const int out = a.add("repeated", "", {v}, std::move(result), bound, preferred);
    a.s.steps.back().lines = std::move(lines);
    a.s.steps.back().block = true;
    return out;
}

/// for layer in self.layers: x = act(layer(x)), perhaps added to x.
int layers(Sampler& a, int v) {
    if (!wide_enough(a, v)) return -1;
    const Size width = a.shape(v).back();
    const int64_t count = a.r.between(2, 4);
    const bool bias = a.r.chance(0.8), residual = a.r.chance(0.45);
    const Activation& act = a.r.of(activations());
    const std::string name = a.attribute(a.r.of({"layers", "blocks", "fcs", "linears"}));
    const std::string each =
        fmt::format("nn.Linear({}, {}{})", width.text, width.text, bias ? "" : ", bias=False");
    const std::string range = a.option(a.r.of({"num_layers", "depth", "n_layers"}), count);
    a.s.members.push_back({name, fmt::format("nn.ModuleList([{} for _ in range({})])", each, range)});
    Tensor x = a.at(v).tensor;
    const size_t first = a.r.chance(0.7) ? 0 : 1;
    const std::string item = a.r.of({"layer", "fc", "block", "linear"});
    std::vector<std::string> lines;
    lines.push_back("{r} = {0}");
    if (first == 0)
        lines.push_back(fmt::format("for {} in self.{}:", item, name));
    else
        lines.push_back(fmt::format("for i in range(len(self.{})):", name));
    const std::string call = first == 0 ? item + "({r})" : "self." + name + "[i]({r})";
    lines.push_back(fmt::format("    {{r}} = {}{}({})", residual ? "{r} + " : "", act.functional, call));
    for (int64_t i = 0; i < count; ++i) {
        const std::string prefix = fmt::format("{}.{}.", name, i);
        const Tensor w = a.weight(prefix + "weight", {width, width});
        Tensor b;
        if (bias) b = a.weight(prefix + "bias", {width});
        a.begin(2);
        const Tensor linear = a.s.eager.linear(x, w, bias ? &b : nullptr);
        Tensor out = a.s.eager.call(act.op, {linear}, linear.shape, linear.dtype);
        if (residual) out = a.s.eager.call("aten::add.Tensor", {x, out}, x.shape, x.dtype);
        x = out;
    }
    return add_block(a, v, lines, x, residual ? a.at(v).bound * 2 : a.at(v).bound, "h");
}

/// A helper module with a norm and two projections around an activation.
int helper(Sampler& a, int v) {
    if (!wide_enough(a, v)) return -1;
    const Size width = a.shape(v).back();
    const int64_t factor = a.r.of({1, 2, 4});
    const int64_t count = a.r.between(1, 3);
    const Activation& act = a.r.of(activations());
    const bool norm = a.r.chance(0.7), bias = a.r.chance(0.8), residual = a.r.chance(0.8);
    const std::string kind = a.r.of({"Block", "FeedForward", "MLP", "ResidualBlock", "Layer", "Mixer"});
    if (!a.s.classes.empty()) return -1;
    const std::string argument = a.r.of({"dim", "width", "features", "d"});
    const std::string inner = factor == 1 ? argument : fmt::format("{} * {}", factor, argument);
    const std::string no_bias = bias ? "" : ", bias=False";
    const std::string n1 = a.r.of({"fc1", "up", "linear1", "w1"}), n2 = n1 == "fc1"       ? "fc2"
                                                                        : n1 == "up"      ? "down"
                                                                        : n1 == "linear1" ? "linear2"
                                                                                          : "w2";
    std::string text = fmt::format("class {}(nn.Module):\n", kind);
    if (a.r.chance(0.4))
        text += fmt::format("    \"\"\"{}\"\"\"\n\n",
                            a.r.of({"Two projections around an activation.",
                                    "Position-wise feed-forward part.", "A small residual MLP."}));
    text += fmt::format("    def __init__(self, {}):\n        super().__init__()\n", argument);
    if (norm) text += fmt::format("        self.norm = nn.LayerNorm({})\n", argument);
    text += fmt::format("        self.{} = nn.Linear({}, {}{})\n        self.{} = nn.Linear({}, {}{})\n\n",
                        n1, argument, inner, no_bias, n2, inner, argument, no_bias);
    const std::string source = norm ? "self.norm(x)" : "x";
    const std::string body = fmt::format("self.{}({}(self.{}({})))", n2, act.functional, n1, source);
    text += fmt::format("    def forward(self, x):\n        return {}{}\n", residual ? "x + " : "", body);
    a.s.classes.push_back(text);
    const bool list = count > 1;
    const std::string name =
        a.attribute(list ? a.r.of({"blocks", "layers", "stack"}) : a.r.of({"block", "mlp", "ffn"}));
    const std::string made = fmt::format("{}({})", kind, width.text);
    const bool sequential = list && a.r.chance(0.4);
    a.s.members.push_back({name, !list ? made
                                       : fmt::format("nn.{}({}{} for _ in range({}){})",
                                                     sequential ? "Sequential" : "ModuleList",
                                                     sequential ? "*[" : "[", made, count, "]")});
    Tensor x = a.at(v).tensor;
    const Size hidden = Size(factor) * width;
    for (int64_t i = 0; i < count; ++i) {
        const std::string prefix = list ? fmt::format("{}.{}.", name, i) : name + ".";
        Tensor h = x;
        a.begin(62);  // lines of the helper class: its own text, no name of forward's
        if (norm) {
            const Tensor w = a.weight(prefix + "norm.weight", {width}),
                         b = a.weight(prefix + "norm.bias", {width});
            Shape stats = x.shape;
            stats.back() = Size(1);
            h = a.s.eager.calls("aten::native_layer_norm",
                                {a.s.eager.contiguous(x), Shape{width}, w, b, 1e-5},
                                {{x.shape, x.dtype}, {stats, x.dtype}, {stats, x.dtype}})[0];
        }
        const Tensor w1 = a.weight(prefix + n1 + ".weight", {hidden, width});
        Tensor b1, b2;
        if (bias) b1 = a.weight(prefix + n1 + ".bias", {hidden});
        const Tensor w2 = a.weight(prefix + n2 + ".weight", {width, hidden});
        if (bias) b2 = a.weight(prefix + n2 + ".bias", {width});
        h = a.s.eager.linear(h, w1, bias ? &b1 : nullptr);
        h = a.s.eager.call(act.op, {h}, h.shape, h.dtype);
        h = a.s.eager.linear(h, w2, bias ? &b2 : nullptr);
        x = residual ? a.s.eager.call("aten::add.Tensor", {x, h}, x.shape, x.dtype) : h;
    }
    if (list && !sequential) {
        const std::string item = a.r.of({"block", "layer"});
        return add_block(a, v,
                         {"{r} = {0}", fmt::format("for {} in self.{}:", item, name),
                          fmt::format("    {{r}} = {}({{r}})", item)},
                         x, a.at(v).bound * 3, "h");
    }
    return a.add("repeated", "self." + name + "({0})", {v}, x, a.at(v).bound * 3, "h");
}

/// nn.Sequential of projections and activations.
int sequence(Sampler& a, int v) {
    if (!wide_enough(a, v)) return -1;
    const int64_t count = a.r.between(1, 3);
    const std::string name = a.attribute(a.r.of({"net", "mlp", "model", "encoder", "layers"}));
    Size in = a.shape(v).back();
    std::vector<std::string> parts;
    Tensor x = a.at(v).tensor;
    a.begin();
    for (int64_t i = 0; i < count; ++i) {
        const Size out = a.size({"hidden_dim", "hidden", "h1", "h2", "out_dim", "mid_features"},
                                {32, 64, 128, 256, 512}, 4);
        const Activation& act = a.r.of(activations());
        parts.push_back(fmt::format("nn.Linear({}, {})", in.text, out.text));
        const std::string prefix = fmt::format("{}.{}.", name, parts.size() - 1);
        const Tensor w = a.weight(prefix + "weight", {out, in}), b = a.weight(prefix + "bias", {out});
        x = a.s.eager.linear(x, w, &b);
        if (i + 1 < count || a.r.chance(0.6)) {
            parts.push_back(act.module);
            x = a.s.eager.call(act.op, {x}, x.shape, x.dtype);
        }
        in = out;
    }
    std::string text = "nn.Sequential(\n";
    for (const std::string& part : parts) text += "            " + part + ",\n";
    a.s.members.push_back({name, text + "        )"});
    return a.add("repeated", "self." + name + "({0})", {v}, x, a.at(v).bound * 2, "h");
}

}  // namespace

void add_block_families(std::vector<Family>& out) {
    out.push_back({"repeated", 2, "ms", layers});
    out.push_back({"repeated", 2, "ms", helper});
    out.push_back({"repeated", 2, "ms", sequence});
}

}  // namespace tritonsmith::data
