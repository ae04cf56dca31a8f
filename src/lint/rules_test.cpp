#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "lint/lint.h"

namespace tritonsmith::lint {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

const std::string kHead =
    "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nimport triton\nimport "
    "triton.language as tl\n"
    "@triton.jit\ndef kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):\n"
    "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
    "    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)\n";

std::set<std::string> rules(const Report& report) {
    std::set<std::string> names;
    for (const Diagnostic& diagnostic : report.diagnostics) names.insert(diagnostic.rule);
    return names;
}

std::set<std::string> rules(std::string_view source) {
    Report report = lint(source);
    EXPECT_TRUE(report.parses) << source << (report.diagnostics.empty() ? "" : report.diagnostics[0].message);
    EXPECT_EQ(report.functional, report.diagnostics.empty() && report.is_triton) << source;
    return rules(report);
}

/// A candidate whose forward holds the lines given, then launches the kernel.
std::set<std::string> in_forward(const std::string& lines, const std::string& extra = "",
                                 const std::string& init = "") {
    std::string source = kHead + extra + "class ModelNew(nn.Module):\n";
    if (!init.empty())
        source += "    def __init__(self):\n        super().__init__()\n        " + init + "\n";
    source += "    def forward(self, x, w):\n        out = torch.empty_like(x)\n";
    if (!lines.empty()) source += "        " + lines + "\n";
    return rules(source + "        kernel[(1,)](x, out, x.numel(), BLOCK=1024)\n        return out\n");
}

TEST(Rules, AnHonestKernelPasses) {
    EXPECT_THAT(in_forward(""), IsEmpty());
    for (const char* line :
         {"x = x.contiguous().view(-1)", "n = triton.cdiv(x.shape[0], 4)",
          "y = torch.zeros(3, dtype=torch.float32)", "assert x.is_cuda and x.dtype == torch.float16",
          "scale = 1.0 / math.sqrt(x.shape[-1])", "with torch.cuda.device(x.device): pass",
          "y = x.new_empty((3,)).to(torch.bfloat16)", "n = max(1, min(4, x.shape[0]))",
          "names = set(); names.add(3)", "y = x.t().transpose(0, 1).reshape(-1)",
          "k = getattr(self, 'kernel_size')", "y = F.pad(x, (0, 1))", "s = [a for a in x.stride()]",
          "torch.backends.cuda.matmul.allow_tf32 = False", "if x.numel() == 0: raise ValueError('empty')"})
        EXPECT_THAT(in_forward(line, "import math\n"), IsEmpty()) << line;
}

TEST(Rules, ModulesMayHoldParameters) {
    EXPECT_THAT(in_forward("w = self.linear.weight", "", "self.linear = nn.Linear(3, 4)"), IsEmpty());
    EXPECT_THAT(in_forward("w = self.w", "", "self.w = nn.Parameter(torch.randn(3).abs().sqrt())"),
                IsEmpty());
}

struct Case {
    const char* rule;
    const char* lines;
    const char* extra = "";
    const char* init = "";
};

class Delegation : public testing::TestWithParam<Case> {};

TEST_P(Delegation, IsNamed) {
    const Case& c = GetParam();
    EXPECT_THAT(in_forward(c.lines, c.extra, c.init), Contains(c.rule)) << c.lines;
}

INSTANTIATE_TEST_SUITE_P(
    Matmul, Delegation,
    testing::Values(Case{"host_matmul", "y = x @ w"}, Case{"host_matmul", "x @= w"},
                    Case{"host_matmul", "y = torch.matmul(x, w)"}, Case{"host_matmul", "y = torch.mm(x, w)"},
                    Case{"host_matmul", "y = torch.bmm(x, w)"},
                    Case{"host_matmul", "y = torch.einsum('ij,jk->ik', x, w)"},
                    Case{"host_matmul", "y = F.linear(x, w)"}, Case{"host_matmul", "y = F.conv2d(x, w)"},
                    Case{"host_matmul", "y = F.scaled_dot_product_attention(x, x, x)"},
                    Case{"host_matmul", "y = x.matmul(w)"}, Case{"host_matmul", "y = x.t().mm(w)"},
                    Case{"host_matmul", "y = (x + 1).mm(w)"}, Case{"host_matmul", "y = x.__matmul__(w)"},
                    Case{"host_matmul", "y = torch.Tensor.matmul(x, w)"},
                    Case{"host_matmul", "y = torch.ops.aten.mm.default(x, w)"},
                    Case{"host_matmul", "y = getattr(torch, 'matmul')(x, w)"},
                    Case{"host_matmul", "y = getattr(x, 'mm')(w)"},
                    Case{"host_matmul", "y = t.matmul(x, w)", "import torch as t\n"},
                    Case{"host_matmul", "y = matmul(x, w)", "from torch import matmul\n"},
                    Case{"host_matmul", "y = mul(x, w)", "from torch import matmul as mul\n"},
                    Case{"host_matmul", "y = matmul(x, w)", "from torch import *\n"},
                    Case{"host_matmul", "y = go(x, w)", "go = torch.matmul\n"},
                    Case{"host_matmul", "go = torch.matmul; y = go(x, w)"},
                    Case{"host_matmul", "y = (go := torch.matmul)(x, w)"},
                    Case{"host_matmul", "go = x.matmul; y = go(w)"},
                    Case{"host_matmul", "y = OPS['m'](x, w)", "OPS = {'m': torch.matmul}\n"},
                    Case{"host_matmul", "y = functools.partial(torch.matmul, x)(w)", "import functools\n"},
                    Case{"host_matmul", "y = list(map(torch.mm, [x], [w]))"},
                    Case{"host_matmul", "y = operator.matmul(x, w)", "import operator\n"},
                    Case{"host_matmul", "y = f'{x @ w}'"}, Case{"host_matmul", "y = [a @ w for a in x]"},
                    Case{"host_matmul", "y = (lambda a: a @ w)(x)"},
                    Case{"host_matmul", "y = helper(x, w)", "def helper(a, b):\n    return a @ b\n"},
                    Case{"host_matmul", "y = self.go(x, w)", "",
                         "pass\n    def go(self, a, b):\n        return a @ b"},
                    Case{"host_matmul", "y = Op.apply(x, w)",
                         "class Op(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, a, "
                         "b):\n        return a @ b\n"},
                    Case{"host_matmul", "y = self.part(x)",
                         "class Part(nn.Module):\n    def forward(self, a):\n        return a @ a\n",
                         "self.part = Part()"}));

INSTANTIATE_TEST_SUITE_P(
    Other, Delegation,
    testing::Values(
        Case{"host_functional", "y = F.relu(x)"}, Case{"host_functional", "y = torch.nn.functional.gelu(x)"},
        Case{"host_functional", "y = softmax(x)", "from torch.nn.functional import softmax\n"},
        Case{"host_functional", "y = fun.silu(x)", "from torch.nn import functional as fun\n"},
        Case{"host_nn_module", "y = self.linear(x)", "", "self.linear = nn.Linear(3, 4)"},
        Case{"host_nn_module", "y = self.linear.forward(x)", "", "self.linear = nn.Linear(3, 4)"},
        Case{"host_nn_module", "y = self.layers[0](x)", "", "self.layers = nn.ModuleList([nn.ReLU()])"},
        Case{"host_nn_module", "y = nn.ReLU()(x)"}, Case{"host_nn_module", "act = nn.ReLU(); y = act(x)"},
        Case{"host_nn_module", "y = act(x)", "from torch.nn import GELU\nact = GELU()\n"},
        Case{"host_torch_op", "y = torch.softmax(x, -1)"}, Case{"host_torch_op", "y = x.sum()"},
        Case{"host_torch_op", "y = x.abs().amax()"},
        Case{"host_torch_op", "y = torch.ops.aten._softmax(x, -1, False)"},
        Case{"host_torch_op", "y = torch.fft.fft(x)"},
        Case{"torch_compile", "y = torch.compile(lambda a: a + 1)(x)"},
        Case{"torch_compile", "y = fast(x)", "@torch.compile\ndef fast(a):\n    return a + 1\n"},
        Case{"torch_compile", "y = fast(x)", "@torch.jit.script\ndef fast(a):\n    return a + 1\n"},
        Case{"torch_compile", "y = self.fast(x)", "", "self.fast = torch.compile(self.slow)"},
        Case{"extern_kernels", "extern_kernels.mm(x, w, out=out)",
             "from torch._inductor.select_algorithm import extern_kernels\n"},
        Case{"try_fallback",
             "try:\n            kernel[(1,)](x, out, 1, BLOCK=1)\n        except Exception:\n            out "
             "= w"},
        Case{"inherits_reference", "y = Model()(x)",
             "class Model(nn.Module):\n    def forward(self, x):\n        return x\n"},
        Case{"inherits_reference", "y = self.ref(x)",
             "class Model(nn.Module):\n    def forward(self, x):\n        return x\n", "self.ref = Model()"},
        Case{"dynamic_code", "y = eval('x')"}, Case{"dynamic_code", "exec('pass')"},
        Case{"dynamic_code", "m = __import__('torch')"},
        Case{"dynamic_code", "m = importlib.import_module('torch')", "import importlib\n"},
        Case{"dynamic_code", "y = getattr(torch, 'mat' + 'mul')(x, w)"},
        Case{"dynamic_code", "y = torch.__dict__['matmul'](x, w)"},
        Case{"dynamic_code", "y = x", "class Base:\n    def __init_subclass__(cls):\n        pass\n"},
        Case{"dynamic_code", "y = x",
             "class Meta(type):\n    pass\nclass Other(metaclass=Meta):\n    pass\n"},
        Case{"patches_library", "y = x", "torch.allclose = lambda *a, **k: True\n"},
        Case{"patches_library", "y = x", "import time\ntime.perf_counter = lambda: 0.0\n"},
        Case{"patches_library", "setattr(torch.cuda, 'synchronize', None)"}));

TEST(Rules, SwallowingIsFineWhereItRaisesOrGuardsAnImport) {
    EXPECT_THAT(
        in_forward(
            "try:\n            n = 1\n        except ValueError as e:\n            raise TypeError from e"),
        IsEmpty());
    EXPECT_THAT(in_forward("", "try:\n    import cupy\nexcept ImportError:\n    cupy = None\n"), IsEmpty());
}

TEST(Rules, CodeThatForwardDoesNotReachIsFree) {
    EXPECT_THAT(
        in_forward("", "def test():\n    assert torch.allclose(torch.matmul(a, b), ModelNew()(a, b))\n"),
        IsEmpty());
    EXPECT_THAT(in_forward("", "if __name__ == '__main__':\n    y = torch.softmax(torch.randn(3), 0)\n"),
                IsEmpty());
    EXPECT_THAT(in_forward("y = Op.apply(x)",
                           "class Op(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, "
                           "a):\n        return a\n"
                           "    @staticmethod\n    def backward(ctx, g):\n        return g @ g\n"),
                IsEmpty());
}

TEST(Rules, TextThatLooksLikeCodeIsText) {
    EXPECT_THAT(in_forward("y = '# x @ w'; z = \"torch.matmul(x, w)\""), IsEmpty());
    EXPECT_THAT(in_forward("y = '''\nF.relu(x)\neval(x)\n'''"), IsEmpty());
    EXPECT_THAT(in_forward("y = '#'; z = x @ w"), Contains("host_matmul"));
    EXPECT_THAT(in_forward("y = \"\"\"'''\"\"\"; z = x @ w  # '''"), Contains("host_matmul"));
}

TEST(Rules, KernelsAreFoundUnderAnyName) {
    const std::string body =
        "(x_ptr, n):\n    tl.store(x_ptr, n)\nclass ModelNew:\n    def forward(self, x):\n        k[(1,)](x, "
        "1)\n";
    for (const char* head :
         {"import triton\n@triton.jit\ndef k", "import triton as tr\n@tr.jit\ndef k",
          "from triton import jit\n@jit\ndef k", "from triton import jit as J\n@J\ndef k",
          "import triton\n@triton.jit(debug=True)\ndef k", "import triton\nJ = triton.jit\n@J\ndef k",
          "import triton\n@triton.autotune(configs=[], key=[])\n@triton.heuristics({})\n@triton.jit\ndef k",
          "from triton.runtime.jit import jit\n@jit\ndef k",
          "from triton import runtime\n@runtime.jit\ndef k"}) {
        Report report = lint(std::string(head) + body);
        EXPECT_TRUE(report.is_triton && report.functional) << head;
        EXPECT_THAT(report.kernels, ElementsAre("k"));
    }
    Report called = lint(
        "import triton\ndef f(x_ptr):\n    tl.store(x_ptr, 1)\nk = triton.jit(f)\nclass ModelNew:\n    def "
        "forward(self, x):\n        k[(1,)](x)\n");
    EXPECT_TRUE(called.is_triton && called.functional);
    EXPECT_THAT(called.kernels, ElementsAre("f"));
}

TEST(Rules, WhatOnlyLooksLikeAKernelIsNone) {
    for (const char* source : {"# @triton.jit\ndef k(): pass\n", "s = '''\n@triton.jit\ndef k(): pass\n'''\n",
                               "import torch\n@torch.jit.script\ndef k(): pass\n",
                               "from numba import jit\n@jit\ndef k(): pass\n", "@jit\ndef k(): pass\n", ""}) {
        Report report = lint(source);
        EXPECT_FALSE(report.is_triton) << source;
        EXPECT_FALSE(report.syntax || report.functional);
        EXPECT_THAT(rules(report), Contains("no_triton_kernel")) << source;
    }
}

TEST(Rules, AKernelMustBeLaunched) {
    auto with = [](const std::string& forward, const std::string& extra = "") {
        return rules(kHead + extra + "class ModelNew(nn.Module):\n    def forward(self, x):\n        " +
                     forward + "\n");
    };
    EXPECT_THAT(with("return x"), Contains("kernel_never_called"));
    EXPECT_THAT(with("'kernel[(1,)](x)'"), Contains("kernel_never_called"));
    EXPECT_THAT(with("return x[0](1)"), Contains("kernel_never_called"));
    EXPECT_THAT(with("return x", "def never():\n    kernel[(1,)](1, 1, 1, 1)\n"),
                Contains("kernel_never_called"));
    for (const char* launch : {"kernel[(1,)](x)", "run = kernel[(1,)]; run(x)", "k = kernel; k[(1,)](x)",
                               "kernel.run(x, grid=(1,))", "torch.library.wrap_triton(kernel)[(1,)](x)",
                               "go(kernel, x)", "self.start(x)", "{'a': kernel}['a'][(1,)](x)"})
        EXPECT_THAT(with(launch,
                         "def go(k, x):\n    k[(1,)](x)\nclass Mix:\n    def start(self, x):\n        "
                         "kernel[(1,)](x)\n"),
                    std::string(launch) == "self.start(x)"
                        ? testing::Matcher<std::set<std::string>>(Contains("kernel_never_called"))
                        : testing::Matcher<std::set<std::string>>(IsEmpty()))
            << launch;
}

TEST(Rules, InheritedMethodsCount) {
    EXPECT_THAT(rules(kHead + "class Base(nn.Module):\n    def forward(self, x):\n        "
                              "kernel[(1,)](x)\nclass ModelNew(Base):\n    pass\n"),
                IsEmpty());
    EXPECT_THAT(rules(kHead + "class ModelNew(Model):\n    pass\n"), Contains("inherits_reference"));
    EXPECT_THAT(rules(kHead + "class ModelNew(nn.LayerNorm):\n    pass\n"), Contains("host_nn_module"));
    EXPECT_THAT(
        rules(kHead + "class ModelNew(nn.LayerNorm):\n    def forward(self, x):\n        kernel[(1,)](x)\n"),
        IsEmpty());
}

TEST(Rules, EmptyKernelsAreNamed) {
    for (const char* body : {"pass", "...", "return", "'''text'''", "'text'; pass  # x"})
        EXPECT_THAT(rules("import triton\n@triton.jit\ndef k(x):\n    " + std::string(body) +
                          "\nclass ModelNew:\n    def forward(self, x):\n        k[(1,)](x)\n"),
                    ElementsAre("kernel_is_pass"))
            << body;
}

TEST(Rules, ProgramsWithoutModelNewStartAnywhere) {
    EXPECT_THAT(rules(kHead + "def call(x):\n    kernel[(1,)](x)\n"), IsEmpty());
    EXPECT_THAT(rules(kHead + "def call(x):\n    kernel[(1,)](x)\n    return x @ x\n"),
                ElementsAre("host_matmul"));
}

TEST(Rules, PlacesAreExact) {
    Report report = lint(kHead +
                         "class ModelNew(nn.Module):\n    def forward(self, x):\n        kernel[(1,)](x)\n   "
                         "     return x @ x\n");
    ASSERT_EQ(report.diagnostics.size(), 1u);
    EXPECT_EQ(report.diagnostics[0].line, 13);
    EXPECT_EQ(report.diagnostics[0].column, 18);
}

}  // namespace
}  // namespace tritonsmith::lint
