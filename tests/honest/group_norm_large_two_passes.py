# task: group_norm_large
# The mean first, then the differences from it.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def groups_of(x, w, b, y, per_group, area, groups, eps, BLOCK: tl.constexpr):
    group, i = tl.program_id(0), tl.arange(0, BLOCK)
    size = per_group * area
    base = group.to(tl.int64) * size
    total = tl.zeros((BLOCK,), tl.float32)
    for at in range(0, size, BLOCK):
        total += tl.load(x + base + at + i, mask=at + i < size, other=0.0)
    mean = tl.sum(total, axis=0) / size
    squares = tl.zeros((BLOCK,), tl.float32)
    for at in range(0, size, BLOCK):
        d = tl.where(at + i < size, tl.load(x + base + at + i, mask=at + i < size, other=0.0) - mean, 0.0)
        squares += d * d
    rstd = tl.rsqrt(tl.sum(squares, axis=0) / size + eps)
    for at in range(0, size, BLOCK):
        n = at + i
        channel = group % groups * per_group + n // area
        v = (tl.load(x + base + n, mask=n < size, other=0.0) - mean) * rstd
        v = v * tl.load(w + channel, mask=n < size, other=0.0) + tl.load(b + channel, mask=n < size, other=0.0)
        tl.store(y + base + n, v, mask=n < size)


class ModelNew(nn.Module):
    def __init__(self, groups, channels):
        super().__init__()
        self.norm = nn.GroupNorm(groups, channels)

    def forward(self, x):
        n, y = self.norm, torch.empty_like(x)
        batch, channels, height, width = x.shape
        groups_of[(batch * n.num_groups,)](x, n.weight, n.bias, y, channels // n.num_groups, height * width, n.num_groups, n.eps, BLOCK=1024)
        return y
