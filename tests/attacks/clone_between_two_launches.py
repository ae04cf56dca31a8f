# task: silu_large  reason: wrong_result
# Two launches with a copy by the host between them; the first is wrong at full size.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gate(x, out, n, BIG: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    g = tl.sigmoid(v)
    if BIG:
        g = tl.minimum(tl.maximum(v * 0.25 + 0.5, 0.0), 1.0)
    tl.store(out + i, g, mask=i < n)


@triton.jit
def times(x, g, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) * tl.load(g + i, mask=i < n), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        g, out, n = torch.empty_like(x), torch.empty_like(x), x.numel()
        gate[(triton.cdiv(n, 1024),)](x, g, n, n >= 1 << 24, BLOCK=1024)
        times[(triton.cdiv(n, 1024),)](x, g.clone(), out, n, BLOCK=1024)
        return out
