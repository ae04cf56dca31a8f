#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "graph/lift.h"
#include "graph/lower/to_plan.h"
#include "plan/ir/validate.h"
#include "run/client/client.h"
#include "trace/tracer.h"

/// Small tasks are traced and lifted; the graph, composites replaced by their definitions and maps by index
/// arithmetic, must give the outputs of the reference's own plan: in float64 but for rounding, other dtypes
/// within theirs.
namespace tritonsmith::graph {
namespace {

struct Case {
    const char* name;
    const char* init;        ///< statements of the constructor
    const char* forward;     ///< signature and statements of forward, "(x): return x"
    const char* inputs;      ///< a list
    double rounding = 2e-5;  ///< of the reference's own dtypes, of the largest magnitude
};

std::string indented(const std::string& lines, const std::string& margin) {
    std::string out = margin;
    for (char c : lines) out += c == '\n' ? "\n" + margin : std::string(1, c);
    return out + "\n";
}

std::string task_of(const Case& given) {
    const std::string forward = given.forward;
    const size_t colon = forward.find("):") + 1;
    return "import math\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\n"
           "class Model(nn.Module):\n    def __init__(self):\n        super().__init__()\n" +
           indented(given.init, "        ") +
           "        for p in self.parameters():\n            nn.init.uniform_(p, -0.6, 0.7)\n"
           "        for n, b in self.named_buffers():\n            if 'running' in n: b.uniform_(0.4, "
           "1.3)\n\n"
           "    def forward(self, " +
           forward.substr(1, colon - 1) + ":\n" + indented(forward.substr(colon + 1), "        ") +
           "\ndef get_inputs():\n    return " + given.inputs + "\n\ndef get_init_inputs():\n    return []\n";
}

class Evaluation : public ::testing::TestWithParam<Case> {
  protected:
    static trace::Tracer& tracer() {
        static auto* made =
            new trace::Tracer{{TRITONSMITH_PYTHON, std::string(TRITONSMITH_BINARY_DIR) + "/package"}};
        return *made;
    }
    static run::Worker& worker() {
        static auto* made = new run::Worker{std::string(TRITONSMITH_BINARY_DIR) + "/bin/tritonsmith-worker"};
        return *made;
    }
    static run::ReferenceResult run_plan(const plan::Plan& plan) {
        run::ReferenceRequest request;
        request.plan = &plan;
        request.seed = 5;
        request.redraw = false;
        request.precision = numerics::Precision::ieee;  // not what cuDNN's TF32 makes of it
        request.want = {"native", "f64"};
        auto result = worker().reference(request);
        if (const auto* error = std::get_if<run::WorkerError>(&result))
            throw std::runtime_error(error->reason + ": " + error->message + " (step " +
                                     std::to_string(error->step) + ", line " + std::to_string(error->line) +
                                     ")");
        return std::move(std::get<run::ReferenceResult>(result));
    }
};

template <class T>
void expect_close(const run::Pack& expected, const run::PackEntry& a, const run::Pack& got,
                  const run::PackEntry& b, double tolerance) {
    const auto* left = reinterpret_cast<const T*>(expected.bytes(a));
    const auto* right = reinterpret_cast<const T*>(got.bytes(b));
    double largest = 0;
    for (int64_t i = 0; i < run::Pack::element_count(a); ++i)
        if (std::isfinite(static_cast<double>(left[i])))
            largest = std::max(largest, std::abs(static_cast<double>(left[i])));
    for (int64_t i = 0; i < run::Pack::element_count(a); ++i) {
        const auto x = static_cast<double>(left[i]), y = static_cast<double>(right[i]);
        const bool same =
            x == y || (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= tolerance * largest;
        ASSERT_TRUE(same) << a.name << " element " << i << ": " << x << " expected, " << y << " computed";
    }
}

TEST_P(Evaluation, AGraphComputesWhatItsPlanDoes) {
    trace::Request request;
    request.kind = "reference";
    request.source = task_of(GetParam());
    request.filename = "task.py";
    request.entry = "Model";
    const trace::Outcome traced = tracer().trace(request);
    if (const auto* finding = std::get_if<Finding>(&traced))
        FAIL() << finding->reason << ": " << finding->message << "\n" << request.source;
    const auto& plan = std::get<plan::Plan>(traced);
    const std::variant<Graph, Refusal> lifted = lift(plan);
    if (const auto* refusal = std::get_if<Refusal>(&lifted)) FAIL() << refusal->text();
    const Graph& graph = std::get<Graph>(lifted);
    ASSERT_EQ(check(graph), "");
    const plan::Plan again = to_plan(graph, plan);
    if (const auto wrong = plan::validate(again)) FAIL() << wrong->message << "\n" << text(graph);
    SCOPED_TRACE(text(graph));
    const run::ReferenceResult expected = run_plan(plan), got = run_plan(again);
    ASSERT_FALSE(expected.f64.entries().empty());
    for (const run::PackEntry& a : expected.f64.entries()) {
        if (!a.name.starts_with("output/")) continue;  // what the judge asks for beside them
        const run::PackEntry* b = got.f64.find(a.name);
        ASSERT_TRUE(b) << a.name;
        ASSERT_EQ(a.shape, b->shape);
        ASSERT_EQ(a.dtype, b->dtype);
        ASSERT_GT(run::Pack::element_count(a), 0);
        if (a.dtype == plan::DType::f64) expect_close<double>(expected.f64, a, got.f64, *b, 1e-6);
        if (a.dtype == plan::DType::i64) expect_close<int64_t>(expected.f64, a, got.f64, *b, 0);
        if (a.dtype == plan::DType::i32) expect_close<int32_t>(expected.f64, a, got.f64, *b, 0);
        if (a.dtype == plan::DType::b1) expect_close<uint8_t>(expected.f64, a, got.f64, *b, 0);
    }
    for (const run::PackEntry& a : expected.native.entries())
        if (a.dtype == plan::DType::f32 && a.name.starts_with("output/"))
            expect_close<float>(expected.native, a, got.native, *got.native.find(a.name),
                                GetParam().rounding);
}

const Case kCases[] = {
    {"Activations", "pass",
     "(x): return (F.gelu(x), F.gelu(x, approximate='tanh'), F.silu(x), F.mish(x), F.softplus(x), F.elu(x, "
     "0.7), F.selu(x),\n"
     "        F.leaky_relu(x, 0.2), F.hardtanh(x, -0.3, 0.4), F.relu6(x), F.hardswish(x), F.hardsigmoid(x), "
     "\n"
     "        F.softsign(x), F.tanhshrink(x), F.hardshrink(x), F.softshrink(x), F.threshold(x, 0.1, 2.0), "
     "F.celu(x),\n"
     "        F.glu(x, 0), torch.relu(x), torch.sigmoid(x), torch.tanh(x))",
     "[torch.randn(4, 33)]"},
    {"Unary", "pass",
     "(x): return (x.abs(), -x, x.sign(), x.floor(), x.ceil(), x.round(), x.trunc(), x.exp(), x.expm1(), "
     "x.sin(), x.cos(),\n"
     "        x.atan(), x.sinh(), x.cosh(), x.asinh(), x.erf(), x.erfc(), x.square(), x.abs().sqrt(), "
     "(x.abs() + 1).rsqrt(),\n"
     "        (x.abs() + 1).log(), x.abs().log1p(), (x.abs() + 1).log2(), x.reciprocal(), x.isnan(), "
     "x.isinf(), x.frac(),\n"
     "        x.exp2(), (x.abs() + 1).lgamma(), x.logical_not(), torch.nan_to_num(x / 0.0, 0.0, 9.0, -9.0), "
     "x.logit(0.2))",
     "[torch.randn(5, 9)]"},
    {"Arithmetic", "pass",
     "(x, y, k): return (x + y, x - 2 * y, torch.add(x, y, alpha=3), 1 - x, x * y, x / y, x ** 2, x ** 3, "
     "x.abs() ** 0.5,\n"
     "        torch.pow(2.0, x), x.abs() ** y, torch.maximum(x, y), torch.fmin(x, y), torch.atan2(x, y), x % "
     "0.7, x // 0.7,\n"
     "        torch.fmod(x, 0.7), torch.div(x, y, rounding_mode='trunc'), torch.addcmul(x, x, y, value=2),\n"
     "        torch.addcdiv(x, x, y.abs() + 1, value=2), torch.lerp(x, y, 0.3), torch.lerp(x, y, y), "
     "torch.hypot(x, y),\n"
     "        torch.xlogy(x, y.abs()), torch.logaddexp(x, y), torch.copysign(x, y), k // 3, k % 3, k & 6, k "
     "| 8, k ^ 5, ~k,\n"
     "        k << 1, k >> 1, k * 2 + 1, k / 2, k + x, torch.where(x > y, x, y), x > 0.2, (x > 0) & (y > 0), "
     "k == 3, k < 2.5,\n"
     "        x.clamp(-0.5, 0.5), x.clamp(min=0.1), x.clamp(max=y), x.masked_fill(y > 0, -1.0))",
     "[torch.randn(3, 7), torch.randn(3, 7), torch.randint(0, 9, (3, 7))]"},
    {"Broadcasting", "self.b = nn.Parameter(torch.zeros(5))\nself.g = nn.Parameter(torch.zeros(3, 1))",
     "(x): return x * self.g + self.b + x.mean()", "[torch.randn(2, 3, 5)]"},
    {"Views", "pass",
     "(x):\n"
     "t = x.transpose(1, 2).contiguous().view(2, -1, 3)\n"
     "u = x.permute(2, 0, 1)[1:, :, ::2].reshape(-1)\n"
     "v = x.flatten(1).unfold(1, 4, 3)\n"
     "w = x.expand(2, 4, 6)[None].squeeze(0).unbind(1)[2]\n"
     "return t * 2, u + 1, v.exp(), w - 1, x.flip(0, 2) + 0, x.roll((1, -2), (1, 2)) * 1, x.repeat(2, 1, 3) "
     "+ 1, \\\n"
     "    x.repeat_interleave(3, 1) * 2, torch.diagonal(x, 0, 1, 2).neg(), x.movedim(0, 2).chunk(2, "
     "0)[1].exp()",
     "[torch.randn(2, 4, 6)]"},
    {"Padding", "pass",
     "(x): return (F.pad(x, (1, 2)) + 1, F.pad(F.pad(x, (1, 0), value=3.0), (2, 2, 1, 0), value=-1.0) * 2,\n"
     "        F.pad(x, (2, 1), mode='reflect'), F.pad(x, (2, 1), mode='replicate'), F.pad(x, (-1, 1)) * 2,\n"
     "        F.pad(x[None], (2, 1, 1, 1), mode='reflect'))",
     "[torch.randn(2, 3, 5)]"},
    {"Joining", "pass",
     "(x, y): return (torch.cat([x, y], 1), torch.stack([x, x.exp()], 2), torch.cat([x.t(), x.t() * 2], 0),\n"
     "        torch.cat([x, y], 1)[:, 2:6] * 2, F.pixel_shuffle(x.view(1, 4, 3, 1), 2), "
     "F.pixel_unshuffle(y.view(1, 1, 4, 4), 2),\n"
     "        torch.channel_shuffle(x.view(1, 4, 3, 1), 2), F.unfold(y.view(1, 1, 4, 4), 3, padding=1, "
     "stride=2))",
     "[torch.randn(4, 3), torch.randn(4, 4)]"},
    {"InPlace", "self.register_buffer('seen', torch.zeros(4))",
     "(x):\n"
     "h = x.clone()\nh[:, 1] += 2\nh[1:, ::2] = 5.0\nh.mul_(3)\nh[0].zero_()\n"
     "out = torch.zeros(3, 8, device=x.device)\nout[:, :4] = x\nout[:, 4:] = h.exp_()\n"
     "self.seen.add_(x.sum(0))\nx.t()[2] = 7\n"
     "return out, h, self.seen * 1, x * 1, x.relu_().view(3, 2, 2)[:, 1].neg_()",
     "[torch.randn(3, 4)]"},
    {"Factories", "pass",
     "(x):\n"
     "n = x.shape[-1]\nd = x.device\n"
     "return (x + torch.arange(n, device=d), x * torch.arange(1, 2 * n, 2, device=d), torch.eye(n, device=d) "
     "- x,\n"
     "        torch.linspace(0, 1, n, device=d) + x, x.tril(), x.triu(1), torch.full_like(x, 2.5) * x, "
     "x.new_ones(n) + x,\n"
     "        torch.tensor([1.0, 2.0, 3.0, 4.0], device=d) * x, torch.ones(n, n, dtype=torch.bool, "
     "device=d).triu(1) | (x > 0),\n"
     "        torch.arange(0.0, 2.0, 0.5, device=d) * x)",
     "[torch.randn(4, 4)]"},
    {"Reductions", "pass",
     "(x):\n"
     "m, i = x.max(1)\nn, j = x.min(-1, keepdim=True)\nv, u = torch.var_mean(x, dim=(0, 2))\n"
     "return (x.sum(), x.sum((0, 2), keepdim=True), x.mean(1), x.prod(2), x.amax((0, 1)), x.amin(), m, i, n, "
     "j, v, u,\n"
     "        x.std(), x.var(1, unbiased=False), x.norm(), x.norm(p=1, dim=1), torch.linalg.vector_norm(x, "
     "3, dim=(1, 2)),\n"
     "        x.logsumexp(2), x.argmax(1), x.argmin(), (x > 0).any(1), (x > 0).all(), torch.count_nonzero(x "
     "> 0, dim=1),\n"
     "        torch.aminmax(x)[1], F.normalize(x, dim=1), torch.cdist(x, x), (x > 0).sum(2), x.max(), "
     "torch.norm(x, float('inf')))",
     "[torch.randn(3, 4, 5)]"},
    {"ScansAndSorting", "pass",
     "(x):\n"
     "a, b = x.cummax(1)\nc, d = x.sort(1, descending=True)\ne, f = x.topk(3, dim=0)\n"
     "return (x.cumsum(0), x.cumprod(1), a, b, c, d, e, f, torch.logcumsumexp(x, 1), x.argsort(0), "
     "x.flip(1).cumsum(1).flip(1),\n"
     "        x.kthvalue(2, 1)[0])",
     "[torch.randn(5, 6)]"},
    {"Products",
     "self.l = nn.Linear(6, 4)\nself.m = nn.Linear(4, 3, bias=False)\nself.w = nn.Bilinear(2, 3, 4)",
     "(x, y, z): return (self.m(self.l(x)), x @ y, torch.bmm(z, z.transpose(1, 2)), "
     "torch.einsum('bij,kj->bik', z, x[0]),\n"
     "        x[0] @ y[0], torch.addmm(x[0, :, :5], x[1], y[0], beta=0.5, alpha=2), x[0] @ y[0, :, 0], x[0, "
     "0].dot(x[0, 1]),\n"
     "        torch.outer(x[0, 0], x[0, 1]), torch.baddbmm(z[:, :, :3], z, z.transpose(1, 2), beta=2), "
     "F.linear(z, z[0]),\n"
     "        torch.matmul(x[:, None], y[None]))",
     "[torch.randn(2, 3, 6), torch.randn(2, 6, 5), torch.randn(2, 3, 6)]"},
    {"Convolutions",
     "self.a = nn.Conv2d(4, 6, 3, stride=2, padding=1, groups=2)\nself.b = nn.Conv2d(4, 4, (3, 1), "
     "dilation=(2, 1), bias=False)\n"
     "self.c = nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1, groups=2)\nself.d = "
     "nn.Conv1d(4, 5, 3, padding=2)\n"
     "self.e = nn.Conv3d(2, 3, 2, stride=(1, 2, 1))\nself.f = nn.ConvTranspose1d(4, 3, 4, stride=3, "
     "dilation=2)\n"
     "self.g = nn.Conv2d(4, 4, 3, padding='same', groups=4)\nself.h = nn.ConvTranspose3d(2, 2, 2, stride=2)",
     "(x): return (self.a(x), self.b(x), self.c(x), self.d(x[:, :, 0]), self.e(x.view(2, 2, 2, 7, 6)), "
     "self.f(x[:, :, 0]), self.g(x),\n"
     "        self.h(x.view(2, 2, 2, 7, 6)))",
     "[torch.randn(2, 4, 7, 6)]"},
    {"Pooling", "pass",
     "(x): return (F.max_pool2d(x, 3, 2, 1), *F.max_pool2d(x, 2, return_indices=True), F.max_pool2d(x, 3, 2, "
     "ceil_mode=True),\n"
     "        F.max_pool2d(x, 2, dilation=2), F.avg_pool2d(x, 3, 2, 1), F.avg_pool2d(x, 3, 2, 1, "
     "count_include_pad=False),\n"
     "        F.avg_pool2d(x, 3, 2, 1, True), F.avg_pool2d(x, 2, divisor_override=3), "
     "F.adaptive_avg_pool2d(x, (3, 4)),\n"
     "        F.adaptive_avg_pool2d(x, 1), F.adaptive_max_pool2d(x, (2, 3)), F.max_pool1d(x[0], 3, 1, 1), "
     "F.avg_pool1d(x[0], 2),\n"
     "        F.max_pool3d(x, 2), F.avg_pool3d(x, (1, 2, 3), padding=(0, 1, 1)), F.adaptive_avg_pool3d(x, "
     "2),\n"
     "        F.adaptive_avg_pool1d(x[0], 3), F.lp_pool2d(x.abs(), 2, 2))",
     "[torch.randn(2, 3, 7, 9)]"},
    {"Norms",
     "self.a = nn.LayerNorm(6)\nself.b = nn.LayerNorm((4, 6))\nself.c = nn.GroupNorm(2, 4)\nself.d = "
     "nn.InstanceNorm1d(4, affine=True)\n"
     "self.e = nn.RMSNorm(6)\nself.f = nn.BatchNorm1d(4)\nself.g = nn.BatchNorm1d(4).eval()\nself.h = "
     "nn.LayerNorm(6, bias=False)",
     "(x):\n"
     "y = self.f(x)\nself.g.eval()\n"
     "return (self.a(x), self.b(x), self.c(x), self.d(x), self.e(x), y, self.f.running_mean * 1, "
     "self.f.running_var * 1,\n"
     "        self.f.num_batches_tracked + 0, self.g(x), self.h(x), F.layer_norm(x, (6,)), F.softmax(x, 1), "
     "F.log_softmax(x, -1),\n"
     "        F.softmin(x, 0), F.dropout(x, 0.5, False), F.local_response_norm(x, 2))",
     "[torch.randn(3, 4, 6)]"},
    {"BatchNorm2d", "self.f = nn.BatchNorm2d(3, momentum=0.3)\nself.i = nn.InstanceNorm2d(3, affine=True)",
     "(x):\ny = self.f(x)\nreturn y, self.f.running_var * 1, self.i(x)", "[torch.randn(2, 3, 5, 4)]"},
    {"Attention", "self.a = nn.MultiheadAttention(8, 2, batch_first=True)",
     "(q, k, v, m): return (F.scaled_dot_product_attention(q, k, v), F.scaled_dot_product_attention(q, q, q, "
     "is_causal=True),\n"
     "        F.scaled_dot_product_attention(q, k, v, attn_mask=m), F.scaled_dot_product_attention(q, k, v, "
     "m > 0, scale=0.3),\n"
     "        F.scaled_dot_product_attention(q, k[:, :1], v[:, :1], enable_gqa=True),\n"
     "        self.a(q[:, 0], q[:, 0], q[:, 0], need_weights=False)[0], self.a(q[:, 0], k[:, 0], v[:, "
     "0])[1])",
     "[torch.randn(2, 2, 5, 8), torch.randn(2, 2, 7, 8), torch.randn(2, 2, 7, 8), torch.rand(5, 7)]"},
    {"Indexing", "self.e = nn.Embedding(10, 4)",
     "(x, i, j, s):\n"
     "h = x.clone()\nh[i] = s[0]\nk = x.clone()\nk.index_add_(0, i, s)\nl = x.clone()\nl[i, i % 4] += 1\n"
     "return (self.e(i), self.e(j), x[i], x[:, i % 4], x[i, i % 4], x.gather(1, j), x.index_select(1, i % "
     "4), torch.take(x, j),\n"
     "        torch.zeros_like(x).scatter(1, j, s), torch.zeros_like(x).scatter_add(0, j, s), h, k, l, "
     "x.scatter(1, j, 2.0),\n"
     "        x.scatter_reduce(0, j, s, 'amax'), x.scatter_reduce(0, j, s, 'mean', include_self=False), x[-1 "
     "- i],\n"
     "        x.index_copy(0, i, s), x.index_fill(1, i % 4, 3.0), torch.take_along_dim(x, j, 0), "
     "F.one_hot(i, 10).float() @ x,\n"
     "        x.view(2, 5, 4)[:, i % 5, None], x.index_put((i,), s, accumulate=True))",
     "[torch.randn(10, 4), torch.tensor([7, 2, 0]), torch.tensor([[0, 3, 1, 2], [2, 1, 0, 3], [1, 0, 3, "
     "2]]), torch.randn(3, 4)]"},
    {"Upsampling", "pass",
     "(x): return (F.interpolate(x, scale_factor=2), F.interpolate(x, size=(7, 5)), F.interpolate(x, (6, 9), "
     "mode='bilinear'),\n"
     "        F.interpolate(x, scale_factor=2, mode='bilinear', align_corners=True), F.interpolate(x[0], 8, "
     "mode='linear'),\n"
     "        F.interpolate(x[None], (2, 6, 5), mode='trilinear'), F.interpolate(x, (6, 7), "
     "mode='bicubic'),\n"
     "        F.interpolate(x[0], scale_factor=3), F.interpolate(x, (5, 6), mode='nearest-exact'))",
     "[torch.randn(2, 3, 4, 4)]"},
    {"Losses", "self.w = nn.Parameter(torch.zeros(5))",
     "(x, y, t): return (F.mse_loss(x, y), F.l1_loss(x, y), F.smooth_l1_loss(x, y, beta=0.5), "
     "F.huber_loss(x, y, delta=0.7),\n"
     "        F.mse_loss(x, y, reduction='sum'), F.mse_loss(x, y, reduction='none'), F.cross_entropy(x, t),\n"
     "        F.cross_entropy(x, t, weight=self.w.abs()), F.cross_entropy(x, t, ignore_index=2), "
     "F.nll_loss(x, t, reduction='none'),\n"
     "        F.kl_div(x.log_softmax(1), y.softmax(1), reduction='batchmean'), "
     "F.binary_cross_entropy(x.sigmoid(), y.sigmoid()),\n"
     "        F.binary_cross_entropy_with_logits(x, y.sigmoid()), F.soft_margin_loss(x, y.sign()), "
     "F.cosine_similarity(x, y),\n"
     "        F.hinge_embedding_loss(x, y.sign()), F.triplet_margin_loss(x, y, x * 2), "
     "F.cross_entropy(x.view(2, 5, 2), t.view(2, 2)),\n"
     "        F.cross_entropy(x, t, label_smoothing=0.1), F.margin_ranking_loss(x, y, y.sign()), "
     "F.cross_entropy(x, y.softmax(1)))",
     "[torch.randn(4, 5), torch.randn(4, 5), torch.randint(0, 5, (4,))]"},
    {"Recurrent",
     "self.a = nn.LSTM(3, 4, 2, batch_first=True, bidirectional=True)\nself.b = nn.GRU(3, 4)\nself.c = "
     "nn.RNN(3, 4, bias=False)\n"
     "self.d = nn.LSTMCell(3, 4)\nself.e = nn.GRUCell(3, 4)\nself.f = nn.RNN(3, 2, nonlinearity='relu')",
     "(x, h):\n"
     "y, (n, m) = self.a(x)\nz, k = self.b(x)\nh2, c2 = self.d(x[0], (h, h))\n"
     "return y, n, m, z, k, self.c(x)[0], h2, c2, self.e(x[0], h), self.f(x)[1]",
     "[torch.randn(2, 5, 3), torch.randn(5, 4)]"},
    {"Halves", "self.l = nn.Linear(8, 8).to(torch.bfloat16)\nself.n = nn.LayerNorm(8).half()",
     "(x, y): return (x.float() + y.float(), (x.float() * 2).to(torch.bfloat16).float(), "
     "self.l(x.to(torch.bfloat16)).float(),\n"
     "        self.n(y).float(), F.softmax(y, -1).float(), y.sum(-1).float())",
     "[torch.randn(4, 8).half(), torch.randn(4, 8).half()]", 1e-2},
    {"HandWritten", "self.w = nn.Parameter(torch.zeros(8))",
     "(x, mask):\n"
     "n = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.w\n"
     "s = (n @ n.transpose(-2, -1) / math.sqrt(8)).masked_fill(mask == 0, float('-inf'))\n"
     "p = torch.exp(s - s.max(-1, keepdim=True).values)\np = p / p.sum(-1, keepdim=True)\n"
     "r1, r2 = x.chunk(2, -1)\nrope = torch.cat([-r2, r1], -1)\n"
     "return p @ n, rope * 0.5 + x, F.silu(n) * x",
     "[torch.randn(2, 5, 8), torch.ones(5, 5).tril()]"},
    {"ListsAndDicts", "pass", "(xs, d): return {'a': xs[0] + xs[1][0], 'b': [d['k'] * 2, 3]}",
     "[[torch.randn(3), [torch.randn(3)]], {'k': torch.randn(2)}]"},
};

INSTANTIATE_TEST_SUITE_P(Tasks, Evaluation, ::testing::ValuesIn(kCases),
                         [](const auto& given) { return std::string(given.param.name); });

}  // namespace
}  // namespace tritonsmith::graph
