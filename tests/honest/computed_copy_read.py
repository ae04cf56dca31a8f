# task: momentum_copy
# Both parameters are read.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra.cuda import libdevice


@triton.jit
def flat(x_ptr, q_ptr, k_ptr, o_ptr, n, C, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    y = libdevice.tanh(x * tl.load(q_ptr + i % C, mask=m)) - tl.sigmoid(x * tl.load(k_ptr + i % C, mask=m))
    tl.store(o_ptr + i, y, mask=m)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Parameter(torch.randn(256))
        self.k = nn.Parameter(self.q.detach().clone())

    def forward(self, x):
        out = torch.empty_like(x)
        flat[(triton.cdiv(x.numel(), 1024),)](x, self.q, self.k, out, x.numel(), x.shape[1], BLOCK=1024)
        return out
