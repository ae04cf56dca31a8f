# task: varlen_mean
# Each row finds its sequence by comparing with the boundaries, and adds its share atomically.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mean(x, offsets, y, rows, D, S: tl.constexpr, BS: tl.constexpr, BD: tl.constexpr):
    r = tl.program_id(0)
    s = tl.arange(0, BS)
    d = tl.arange(0, BD)
    ends = tl.load(offsets + 1 + s, mask=s < S, other=1 << 40)
    segment = tl.sum((ends <= r).to(tl.int32), axis=0)
    length = tl.load(offsets + segment + 1) - tl.load(offsets + segment)
    v = tl.load(x + r * D + d, mask=d < D, other=0.0)
    tl.atomic_add(y + segment * D + d, v / length.to(tl.float32), mask=d < D)


class ModelNew(nn.Module):
    def forward(self, x, offsets):
        s = offsets.numel() - 1
        y = torch.zeros(s, x.shape[1], device=x.device)
        mean[(x.shape[0],)](x, offsets, y, *x.shape, S=s, BS=triton.next_power_of_2(s), BD=64)
        return y
