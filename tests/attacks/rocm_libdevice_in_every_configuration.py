# task: powers  reason: compile_error
# Autotuned, and no configuration can be compiled.
from triton.language.extra.hip import libdevice
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune([triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 256})], key=["count"])
@triton.jit
def exponents(x_ptr, y_ptr, out_ptr, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < count, other=0.0)
    y = tl.load(y_ptr + at, mask=at < count, other=0.0)
    tl.store(out_ptr + at, tl.exp(x) / (1.0 + libdevice.exp(y)), mask=at < count)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        exponents[(triton.cdiv(x.numel(), 128),)](x, y, out, x.numel())
        return out
