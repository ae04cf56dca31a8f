#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "lint/lint.h"

namespace tritonsmith::lint {
namespace {

std::string form(const std::string& source) {
    return lint(source, {.normal_form = true}).normal_form;
}

const std::string kProgram = R"(
import torch
import triton
import triton.language as tl

@triton.jit
def scale(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(out_ptr + i, x * 2.0, mask=i < n)

class ModelNew(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width

    def go(self, x, out):
        scale[(1,)](x, out, x.numel(), BLOCK=self.width)

    def forward(self, x):
        out = torch.empty_like(x)
        self.go(x, out)
        return out
)";

// The same program: other names, numbers, aliases, layout, comments, docstrings and annotations.
const std::string kRenamed = R"(
"""Another text."""
from triton import jit
from torch.nn import Module as M
from torch import empty_like
import os
import triton.language as lang   # unused imports do not matter either

@jit
def multiply(source, target, count, SIZE: lang.constexpr):
    """Doc."""
    offsets = lang.program_id(
        1
    ) * SIZE + lang.arange(0, SIZE,)
    # a comment
    value = lang.load(source + offsets, mask=offsets < count, other=1.5); lang.store(target + offsets, value * 7, mask=offsets < count)

class Fast(M):

    def __init__(self, size: int):
        super().__init__()
        self.size = size
    def launch(self, source, target) -> None:
        multiply[(8,)](source, target, source.numel(), SIZE=self.size)
    def forward(self, source: "tensor"):
        result = empty_like(source)
        self.launch(source, result)
        return result
)";

TEST(NormalForm, IsTheSameAfterRenamingAndReformatting) {
    EXPECT_EQ(form(kProgram), form(kRenamed));
}

TEST(NormalForm, RenamingOneScopeAloneChangesNothing) {
    std::string renamed = kProgram;
    size_t at = renamed.find("    def forward");
    for (std::string from : {"out"})
        for (size_t i = renamed.find(from, at); i != std::string::npos; i = renamed.find(from, i + 4))
            renamed.replace(i, 3, "i_x");
    EXPECT_NE(renamed, kProgram);
    EXPECT_EQ(form(renamed), form(kProgram));
}

TEST(NormalForm, DiffersWhereTheProgramDiffers) {
    struct Change {
        const char *from, *to;
    };
    for (Change change :
         {Change{"x * 2.0", "x + 2.0"}, Change{"tl.load", "tl.atomic_add"},
          Change{"mask=i < n, other", "mask=n < i, other"}, Change{"tl.store(out_ptr", "tl.store(x_ptr"},
          Change{"other=0.0", "eviction_policy=0.0"}, Change{": tl.constexpr", ""},
          Change{"return out", "return x"}, Change{"self.go(x, out)", "self.go(out, x)"},
          Change{"@triton.jit", "@triton.autotune"}, Change{"x, out, x.numel()", "x, out, out.numel()"},
          Change{"empty_like", "zeros_like"}}) {
        std::string changed = kProgram;
        ASSERT_NE(changed.find(change.from), std::string::npos) << change.from;
        changed.replace(changed.find(change.from), std::string(change.from).size(), change.to);
        EXPECT_NE(form(changed), form(kProgram)) << change.to;
    }
}

TEST(NormalForm, IsReadable) {
    EXPECT_EQ(form("import triton.language as tl\ndef f(a, b=1):\n    'doc'\n    return tl.sum(a.x, axis=0) "
                   "+ b if not a else g('s', [1, 2,])\n"),
              "def g0(v0,v1=#):{return triton.language.sum(v0.x,axis=#)+v1 if not v0 else g($,[#,#]);}");
    EXPECT_EQ(form("t = (1,)\nu = (1)\n"), "g0=(#,);g1=(#);");
    EXPECT_EQ(form("def f(a):\n    def g(b):\n        return a + b\n    return g\n"),
              "def g0(v0):{def v1(v0):{return v^0+v0;}return v1;}");
}

TEST(NormalForm, IsOnlyMadeWhenAskedFor) {
    EXPECT_EQ(lint(kProgram).normal_form, "");
}

TEST(NormalForm, TellsTheExamplesApart) {
    std::map<std::string, std::string> seen;
    for (const char* folder : {"examples/kernels", "examples/wrong", "examples/unjudgeable"})
        for (const auto& entry :
             std::filesystem::directory_iterator(std::filesystem::path(TRITONSMITH_SOURCE_DIR) / folder)) {
            if (!entry.is_regular_file()) continue;
            std::stringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            auto [at, fresh] = seen.emplace(form(text.str()), entry.path().filename());
            EXPECT_TRUE(fresh) << entry.path() << " has the form of " << at->second;
        }
    EXPECT_GT(seen.size(), 40u);
}

}  // namespace
}  // namespace tritonsmith::lint
