# task: twice_where_positive  reason: wrong_result
# The mask is computed anew.
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
    tl.store(out_ptr + at, tl.where(a > 0, a, 0.2 * a), mask=inside)


class ModelNew(nn.Module):
    def forward(self, a, b):
        out = torch.empty_like(a)
        pairs[(triton.cdiv(a.numel(), 512),)](a, b, out, a.numel(), BLOCK=512)
        return out
