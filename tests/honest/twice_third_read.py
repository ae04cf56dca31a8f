# task: twice_scaled
# It is read.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def pairs(a_ptr, b_ptr, out_ptr, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    a = tl.load(a_ptr + at, mask=inside, other=0)
    b = tl.load(b_ptr + at, mask=inside, other=0)
    tl.store(out_ptr + at, 1 / (1 + tl.exp(-a)) + b, mask=inside)


class ModelNew(nn.Module):
    def forward(self, a, b):
        out = torch.empty_like(a)
        pairs[(triton.cdiv(a.numel(), 512),)](a, b, out, a.numel(), BLOCK=512)
        return out
