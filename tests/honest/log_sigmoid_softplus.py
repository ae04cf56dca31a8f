# task: log_sigmoid
# Minus the softplus of minus x, by branches.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def three(x, a, b, c, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < N, other=0.0)
    t = 8.0 * v
    p = tl.where(t > 20.0, -tl.exp(-t), tl.where(t < -20.0, t, -libdevice.log1p(tl.exp(-t))))
    q = tl.exp(-8.0 * v * v)
    r = tl.sigmoid(20.0 * v)
    tl.store(a + i, p, mask=i < N)
    tl.store(b + i, q, mask=i < N)
    tl.store(c + i, r, mask=i < N)


class ModelNew(nn.Module):
    def forward(self, x):
        a, b, c = torch.empty_like(x), torch.empty_like(x), torch.empty_like(x)
        three[(triton.cdiv(x.numel(), 1024),)](x, a, b, c, x.numel(), 1024)
        return a, b, c
