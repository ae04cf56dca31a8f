# task: threshold_given  reason: wrong_result
# What is equal to a number counts as above it.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def three(x, t, above, kept, sign, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    v = tl.load(x + i, mask=inside)
    tl.store(above + i, v > t, mask=inside)
    tl.store(kept + i, tl.where(v >= 0.6, v, -1.0), mask=inside)
    tl.store(sign + i, tl.where(v > 0.7, 1.0, tl.where(v < 0.7, -1.0, 0.0)), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, t):
        above, kept, sign = torch.empty_like(x, dtype=torch.bool), torch.empty_like(x), torch.empty_like(x)
        three[(triton.cdiv(x.numel(), 1024),)](x, t, above, kept, sign, x.numel(), BLOCK=1024)
        return above, kept, sign
