# task: few_asked  reason: wrong_result
# By how many are asked for, be it none.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mean(x_ptr, asked_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    sums = tl.zeros([BLOCK], tl.float32)
    counts = tl.zeros([BLOCK], tl.float32)
    for first in range(0, n, BLOCK):
        i = first + at
        asked = tl.load(asked_ptr + i, mask=i < n, other=0) != 0
        sums += tl.where(asked, tl.load(x_ptr + i, mask=i < n, other=0.0), 0.0)
        counts += asked.to(tl.float32)
    tl.store(out_ptr, tl.sum(sums, 0) / tl.sum(counts, 0))


class ModelNew(nn.Module):
    def forward(self, x, asked):
        out = x.new_empty(())
        mean[(1,)](x, asked, out, x.numel(), BLOCK=1024)
        return out
