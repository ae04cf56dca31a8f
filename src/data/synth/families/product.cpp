#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "data/synth/sampler.h"

/// Products of matrices, and attention.
namespace tritonsmith::data {
namespace {

bool plain_operand(const Sampler& a, int v) {
    return a.floating(v) && (!a.long_rows(v) || a.s.theme == "p") && !a.at(v).permuted &&
           a.at(v).tensor.dtype == a.s.dtype && a.at(v).bound <= (a.half() ? 50 : 1e3);
}

Size out_features(Sampler& a) {
    return a.size({"out_features", "hidden_size", "hidden_dim", "output_dim", "inner_dim", "d_ff", "out_dim",
                   "num_classes", "proj_dim", "embed_dim"},
                  {16, 32, 64, 128, 256, 512, 768, 1024, 2048, 10, 100}, a.r.chance(0.7) ? 4 : 2);
}

int projected(Sampler& a, int v) {
    if (!plain_operand(a, v) || a.rank(v) < 2 || a.rank(v) > 4 || a.shape(v).back().text.empty()) return -1;
    const Size out = a.r.chance(0.3)    ? a.shape(v).back()
                     : a.r.chance(0.15) ? a.shape(v).back() * Size(a.r.of({2, 4}))
                                        : out_features(a);
    return a.linear(v, out, a.r.chance(0.8),
                    a.r.of({"fc", "linear", "proj", "fc1", "dense", "lin", "projection", "w", "out_proj"}));
}

/// x @ w with a parameter of its own.
int multiplied(Sampler& a, int v) {
    if (!plain_operand(a, v) || a.rank(v) < 2 || a.rank(v) > 4 || a.shape(v).back().text.empty()) return -1;
    const Size in = a.shape(v).back(), out = a.r.chance(0.4) ? in : out_features(a);
    const bool turned = a.r.chance(0.35);
    std::string text;
    const Tensor w =
        a.parameter(a.r.of({"weight", "w", "kernel", "matrix"}), turned ? Shape{out, in} : Shape{in, out},
                    a.r.of({"nn.Parameter(torch.randn({0}) * 0.05)", "nn.Parameter(torch.randn({0}) / 16)",
                            "nn.Parameter(torch.empty({0}).normal_(std=0.02))"}),
                    text);
    a.begin();
    const Tensor product = a.s.eager.matmul(a.at(v).tensor, turned ? a.s.eager.transpose(w, 0, 1) : w);
    const std::string right = text + (turned ? a.r.of({".t()", ".T", ".transpose(0, 1)"}) : "");
    const bool sign = a.r.chance(0.5);
    return a.add("", sign ? "{0} @ " + right : "torch.matmul({0}, " + right + ")", {v}, product,
                 a.at(v).bound * 2, "projected", false, sign);
}

/// With another input.
int with_matrix(Sampler& a, int v) {
    if (!plain_operand(a, v) || a.s.inputs.size() >= 4 || a.rank(v) > 4 || a.rank(v) < 2 || a.half() ||
        a.at(v).bound > 50)
        return -1;
    Shape shape = a.shape(v);
    const size_t n = shape.size();
    const Size inner = shape[n - 1];
    const bool square = inner.same(shape[n - 2]) && a.r.chance(0.7);
    const Size cols = square
                          ? inner
                          : a.size({"N", "out", "cols", "n", "K2", "width_b"}, {32, 64, 128, 256, 512, 100},
                                   1, {1024, 2048, 4096, 8192, 16384, 20, 16, 999});
    const bool left = n == 2 && a.r.chance(0.2);  // the transposed left factor: over its rows
    const bool turned = !left && a.r.chance(0.35);
    shape[n - 2] = turned ? cols : left ? shape[0] : inner;
    shape[n - 1] = turned ? inner : cols;
    const int other =
        a.input(shape, a.s.dtype, a.r.of({"b", "y", "other", "weight", "keys", "B", "mat"}), "torch.randn");
    const auto last = static_cast<int>(n);
    a.begin();
    const Tensor right =
        turned ? a.s.eager.transpose(a.at(other).tensor, last - 2, last - 1) : a.at(other).tensor;
    const Tensor out =
        a.s.eager.matmul(left ? a.s.eager.transpose(a.at(v).tensor, 0, 1) : a.at(v).tensor, right);
    const std::string t = turned ? (n == 2 ? a.r.of({".t()", ".T"}) : ".transpose(-2, -1)") : "";
    const double bound = a.at(v).bound * a.at(other).bound * std::sqrt(static_cast<double>(inner.now()));
    const int64_t form = a.r.below(3);
    const std::string first = left ? a.r.of({"{0}.t()", "{0}.T"}) : "{0}";
    std::string text = form == 0 ? first + " @ {1}" + t : "torch.matmul(" + first + ", {1}" + t + ")";
    if (form == 2 && n == 3) text = "torch.bmm({0}, {1}" + t + ")";
    if (form == 2 && n == 2) text = "torch.mm(" + first + ", {1}" + t + ")";
    return a.add("", text, {v, other}, out, bound, "product", false, form == 0);
}

/// Of three or four axes with one matrix.
int with_shared_matrix(Sampler& a, int v) {
    if (!plain_operand(a, v) || a.rank(v) < 3 || a.rank(v) > 4 || a.s.inputs.size() >= 3 || a.half() ||
        a.at(v).bound > 50 || !a.at(v).input)
        return -1;
    const Size inner = a.shape(v).back(), cols = a.size({"K", "out", "cols", "k", "L", "out_features"},
                                                        {32, 64, 96, 128, 256, 512}, 1, {768, 1024, 100});
    const int other = a.input({inner, cols}, a.s.dtype, a.r.of({"B", "b", "weight", "w", "y", "mat", "proj"}),
                              "torch.randn");
    a.begin();
    const Tensor out = a.s.eager.matmul(a.at(v).tensor, a.at(other).tensor);
    const char* text = a.r.of({"torch.matmul({0}, {1})", "torch.matmul({0}, {1})", "{0} @ {1}",
                               "torch.tensordot({0}, {1}, dims=1)",
                               "({0}.reshape(-1, {0}.shape[-1]) @ {1}).view(*{0}.shape[:-1], -1)",
                               "torch.tensordot({0}, {1}, dims=([-1], [0]))"});
    return a.add("", text, {v, other}, out, a.at(v).bound * 4 * std::sqrt(static_cast<double>(inner.now())),
                 "product", false, text[0] == '{');
}

/// F.scaled_dot_product_attention, whose kernel for float32 writes the heads next to each other.
int fused_attention(Sampler& a, int q, int k, int v) {
    const bool causal = a.r.chance(0.4);
    const Shape& shape = a.shape(q);
    a.begin();
    const std::vector<Tensor> made =
        a.s.eager.calls("aten::_scaled_dot_product_efficient_attention",
                        {a.at(q).tensor, a.at(k).tensor, a.at(v).tensor, Arg(), false, 0.0, causal},
                        {{{shape[0], shape[2], shape[1], shape[3]}, a.s.dtype},
                         {{shape[0], shape[1], Size(0)}, DType::f32},
                         {{}, DType::i64},
                         {{}, DType::i64}});
    return a.add("attention",
                 causal ? "F.scaled_dot_product_attention({0}, {1}, {2}, is_causal=True)"
                        : "F.scaled_dot_product_attention({0}, {1}, {2})",
                 {q, k, v}, a.s.eager.in_order(made[0], {0, 2, 1, 3}), 4, "context");
}

/// Scores of keys behind their query are left out.
int causal(Sampler& a, int q, int scores) {
    const Size length = a.shape(q)[2];
    a.begin();
    const Tensor ones = a.s.eager.call("aten::ones", {Shape{length, length}}, {length, length}, DType::f32);
    const Tensor lower = a.s.eager.call("aten::tril", {ones}, ones.shape, DType::f32);
    const char* made = a.r.of({"torch.tril(torch.ones({0}.shape[-2], {0}.shape[-2], device={0}.device))",
                               "torch.tril(torch.ones({0}.size(2), {0}.size(2), device={0}.device))"});
    const int mask = a.add("attention", made, {q}, lower, 1, "mask", true);
    a.begin();
    const Tensor hidden = a.s.eager.call("aten::eq.Scalar", {lower, 0}, lower.shape, DType::b1);
    const Tensor& x = a.at(scores).tensor;
    return a.add("attention", "{0}.masked_fill({1} == 0, float(\"-inf\"))", {scores, mask},
                 a.s.eager.call("aten::masked_fill.Scalar",
                                {x, hidden, -std::numeric_limits<double>::infinity()}, x.shape, x.dtype),
                 10, "scores");
}

/// q, k and v from inputs or projections; softmax(q kᵀ / √d) v written out or fused.
int attended(Sampler& a, int v) {
    if (!plain_operand(a, v) || a.rank(v) != 4 || a.s.inputs.size() >= 3 || a.at(v).bound > 10 || a.half())
        return -1;
    if (!a.at(v).input) return -1;
    const int k = a.another(v, a.r.of({"k", "key", "keys"})),
              w = a.another(v, a.r.of({"v", "value", "values"}));
    a.s.variables[static_cast<size_t>(v)].preferred = a.r.of({"q", "query", "queries"});
    const double d = static_cast<double>(a.shape(v)[3].now());
    const Tensor q = a.at(v).tensor, key = a.at(k).tensor, value = a.at(w).tensor;
    if (a.r.chance(0.4)) return fused_attention(a, v, k, w);
    Shape scores(a.shape(v).begin(), a.shape(v).end() - 1);
    scores.push_back(a.shape(k)[2]);
    a.begin();
    const Tensor product = a.s.eager.matmul(q, a.s.eager.transpose(key, 2, 3));
    const int raw = a.add("attention",
                          a.r.of({"{0} @ {1}.transpose(-2, -1)", "torch.matmul({0}, {1}.transpose(-2, -1))",
                                  "torch.matmul({0}, {1}.transpose(2, 3))"}),
                          {v, k}, product, 100, "scores", false, true);
    const double scale = a.r.chance(0.8) ? 1 / std::sqrt(d) : 0.125;
    a.begin();
    const int scaled = a.add("attention", fmt::format("{{0}} * {}", number_text(scale)), {raw},
                             a.s.eager.call("aten::mul.Tensor", {product, scale}, scores, q.dtype), 10,
                             "scores", false, true);
    const int weights = a.softmax(a.r.chance(0.35) ? causal(a, v, scaled) : scaled, 3, false);
    a.begin();
    const Tensor out = a.s.eager.matmul(a.at(weights).tensor, value);
    return a.add("attention", a.r.of({"{0} @ {1}", "torch.matmul({0}, {1})"}), {weights, w}, out, 4,
                 "context", false, true);
}

/// q, k, v projections of one sequence and a single head.
int self_attended(Sampler& a, int v) {
    if (!plain_operand(a, v) || a.rank(v) != 3 || a.at(v).bound > 12 || a.half() ||
        a.shape(v).back().text.empty() || a.s.theme != "s")
        return -1;
    if (a.shape(v)[1].now() > 2048 || a.shape(v)[2].now() > 1024) return -1;
    const Size width = a.shape(v).back();
    const int q = a.linear(v, width, a.r.chance(0.7), a.r.of({"q_proj", "query", "to_q", "wq"}));
    const int k = a.linear(v, width, a.r.chance(0.7), a.r.of({"k_proj", "key", "to_k", "wk"}));
    const int w = a.linear(v, width, a.r.chance(0.7), a.r.of({"v_proj", "value", "to_v", "wv"}));
    a.s.variables[static_cast<size_t>(q)].preferred = "q";
    a.s.variables[static_cast<size_t>(k)].preferred = "k";
    a.s.variables[static_cast<size_t>(w)].preferred = "v";
    a.begin();
    const Tensor product = a.s.eager.matmul(a.at(q).tensor, a.s.eager.transpose(a.at(k).tensor, 1, 2));
    const int raw = a.add("attention",
                          a.r.of({"{0} @ {1}.transpose(-2, -1)", "torch.bmm({0}, {1}.transpose(1, 2))",
                                  "torch.matmul({0}, {1}.transpose(-2, -1))"}),
                          {q, k}, product, 60, "scores", false, true);
    const int weights = a.softmax(a.scaled(raw, a.r.of(std::vector<double>{0.05, 0.1, 0.125})), 2, false);
    a.begin();
    const Tensor out = a.s.eager.matmul(a.at(weights).tensor, a.at(w).tensor);
    return a.add("attention", a.r.of({"{0} @ {1}", "torch.bmm({0}, {1})", "torch.matmul({0}, {1})"}),
                 {weights, w}, out, 6, "context", false, true);
}

/// Two projections, one gating the other.
int gated_projection(Sampler& a, int v) {
    if (!plain_operand(a, v) || a.rank(v) < 2 || a.rank(v) > 3 || a.shape(v).back().text.empty() ||
        a.at(v).bound > 30)
        return -1;
    const Size out = out_features(a);
    const bool bias = a.r.chance(0.4);
    const int gate = a.linear(v, out, bias, a.r.of({"gate_proj", "w1", "gate", "fc_gate"}));
    const int up = a.linear(v, out, bias, a.r.of({"up_proj", "w3", "up", "fc_up"}));
    const int active = a.unary(gate, a.r.of({"silu", "gelu", "sigmoid", "relu", "gelu_tanh"}));
    const int product = a.binary(active, up, "mul");
    if (a.r.chance(0.4)) return product;
    return a.linear(product, a.shape(v).back(), bias, a.r.of({"down_proj", "w2", "down"}));
}

}  // namespace

int Sampler::linear(int v, const Size& out, bool bias, const std::string& preferred) {
    const Size in = shape(v).back();
    const std::string name = attribute(preferred);
    begin();
    std::string text;
    Tensor w, b;
    if (r.chance(0.8)) {
        const std::string with_bias = option("bias", bias);
        s.members.push_back({name, fmt::format("nn.Linear({}, {}{})", in.text, out.text,
                                               with_bias == "True" ? "" : ", bias=" + with_bias)});
        w = weight(name + ".weight", {out, in});
        if (bias) b = weight(name + ".bias", {out});
        text = "self." + name + "({0})";
    } else {
        const bool underscore = r.chance(0.5);
        const std::string of_weight = attribute(underscore ? "weight_" + name : name + "_weight"),
                          of_bias = attribute(underscore ? "bias_" + name : name + "_bias");
        s.members.push_back(
            {of_weight, fmt::format("nn.Parameter(torch.randn({}, {}) * 0.05)", out.text, in.text)});
        w = weight(of_weight, {out, in});
        if (bias) {
            s.members.push_back({of_bias, fmt::format("nn.Parameter(torch.zeros({}))", out.text)});
            b = weight(of_bias, {out});
        }
        text = fmt::format("F.linear({{0}}, self.{}{})", of_weight, bias ? ", self." + of_bias : "");
    }
    const Tensor result = s.eager.linear(at(v).tensor, w, bias ? &b : nullptr);
    return add("product", text, {v}, result, at(v).bound * 1.5, "projected");
}

void add_product_families(std::vector<Family>& out) {
    out.push_back({"product", 10, "mse", projected});
    out.push_back({"product", 3.5, "mse", multiplied});
    out.push_back({"product", 30, "p", with_matrix});
    out.push_back({"product", 1.5, "msh", with_matrix});
    out.push_back({"product", 2.5, "sh", with_shared_matrix});
    out.push_back({"product", 1.5, "h", multiplied});
    out.push_back({"attention", 14, "h", attended});
    out.push_back({"attention", 2, "s", self_attended});
    out.push_back({"product", 3, "ms", gated_projection});
}

}  // namespace tritonsmith::data
