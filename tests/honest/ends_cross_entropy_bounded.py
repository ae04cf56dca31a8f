# task: ends_cross_entropy
# Logarithms are -100 at least, as PyTorch has them.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def each(p_ptr, t_ptr, out_ptr, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    p = tl.load(p_ptr + at, mask=inside, other=0.5)
    t = tl.load(t_ptr + at, mask=inside, other=0.5)
    tl.store(out_ptr + at, -(t * tl.maximum(tl.log(p), -100.0) + (1 - t) * tl.maximum(libdevice.log1p(-p), -100.0)), mask=inside)


class ModelNew(nn.Module):
    def forward(self, p, t):
        out = torch.empty_like(p)
        each[(triton.cdiv(p.numel(), 512),)](p, t, out, p.numel(), BLOCK=512)
        return out
