# task: log_sigmoid
# Numbers below the least normal one are set to zero, as hardware may.
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
    p = tl.minimum(t, 0.0) - libdevice.log1p(tl.exp(-tl.abs(t)))
    p = tl.where(tl.abs(p) < 1.1754943508222875e-38, 0.0, p)
    q = tl.exp(-8.0 * v * v)
    q = tl.where(q < 1.1754943508222875e-38, 0.0, q)
    r = tl.sigmoid(20.0 * v)
    r = tl.where(r < 1.1754943508222875e-38, 0.0, r)
    tl.store(a + i, p, mask=i < N)
    tl.store(b + i, q, mask=i < N)
    tl.store(c + i, r, mask=i < N)


class ModelNew(nn.Module):
    def forward(self, x):
        a, b, c = torch.empty_like(x), torch.empty_like(x), torch.empty_like(x)
        three[(triton.cdiv(x.numel(), 1024),)](x, a, b, c, x.numel(), 1024)
        return a, b, c
