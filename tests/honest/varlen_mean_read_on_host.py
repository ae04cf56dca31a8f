# task: varlen_mean
# The host reads the boundaries, as the reference does, and launches once for each sequence.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mean(x, y, n, D: tl.constexpr, BR: tl.constexpr, BD: tl.constexpr):
    d = tl.arange(0, BD)
    acc = tl.zeros((BD,), tl.float32)
    for r0 in range(0, n, BR):
        r = r0 + tl.arange(0, BR)
        acc += tl.sum(tl.load(x + r[:, None] * D + d[None, :], mask=(r[:, None] < n) & (d[None, :] < D), other=0.0), 0)
    tl.store(y + d, acc / n, mask=d < D)


class ModelNew(nn.Module):
    def forward(self, x, offsets):
        bounds = offsets.cpu().tolist()
        y = torch.empty(len(bounds) - 1, x.shape[1], device=x.device)
        for row, begin, end in zip(y, bounds[:-1], bounds[1:]):
            mean[(1,)](x[begin:end], row, end - begin, D=x.shape[1], BR=16, BD=64)
        return y
