# task: log_sigmoid
# Float64 inside.
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
    q = tl.exp(-8.0 * v.to(tl.float64) * v.to(tl.float64)).to(tl.float32)
    r = tl.sigmoid(20.0 * v)
    tl.store(a + i, p, mask=i < N)
    tl.store(b + i, q, mask=i < N)
    tl.store(c + i, r, mask=i < N)


class ModelNew(nn.Module):
    def forward(self, x):
        a, b, c = torch.empty_like(x), torch.empty_like(x), torch.empty_like(x)
        three[(triton.cdiv(x.numel(), 1024),)](x, a, b, c, x.numel(), 1024)
        return a, b, c
