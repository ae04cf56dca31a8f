# task: momentum_copy  reason: wrong_result
# The copy is taken to be the original.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra.cuda import libdevice


@triton.jit
def k(x_ptr, v_ptr, o_ptr, n, K, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    v = tl.load(v_ptr + i % K, mask=m)
    tl.store(o_ptr + i, libdevice.tanh(x * v) - tl.sigmoid(x * v), mask=m)


I = 256


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Parameter(torch.randn(I))
        self.k = nn.Parameter(torch.empty(I))
        self.k.data.copy_(self.q.data)

    def forward(self, x):
        out = torch.empty_like(x)
        k[(triton.cdiv(x.numel(), 1024),)](x, self.q, out, x.numel(), x.shape[1], BLOCK=1024)
        return out
