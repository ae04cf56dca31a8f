# task: quantise
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def quantise(x, q, s, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + c, mask=c < n, other=0.0)
    scale = tl.div_rn(tl.max(tl.abs(v), 0), 127.0)
    code = libdevice.rint(tl.div_rn(v, scale))
    tl.store(q + row * n + c, tl.clamp(code, -127.0, 127.0).to(tl.int8), mask=c < n)
    tl.store(s + row, scale)


class ModelNew(nn.Module):
    def forward(self, x):
        q = torch.empty(x.shape, dtype=torch.int8, device=x.device)
        s = x.new_empty(x.shape[0], 1)
        quantise[(x.shape[0],)](x, q, s, x.shape[1], BLOCK=512)
        return q, s
