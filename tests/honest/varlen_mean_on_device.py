# task: varlen_mean
# The boundaries stay on the device.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mean(x, offsets, y, D, BR: tl.constexpr, BD: tl.constexpr):
    s = tl.program_id(0)
    begin, end = tl.load(offsets + s), tl.load(offsets + s + 1)
    d = tl.program_id(1) * BD + tl.arange(0, BD)
    acc = tl.zeros((BD,), tl.float32)
    for r0 in range(begin, end, BR):
        r = r0 + tl.arange(0, BR)
        acc += tl.sum(tl.load(x + r[:, None] * D + d[None, :], mask=(r[:, None] < end) & (d[None, :] < D), other=0.0), 0)
    tl.store(y + s * D + d, acc / (end - begin), mask=d < D)


class ModelNew(nn.Module):
    def forward(self, x, offsets):
        sequences = offsets.shape[0] - 1
        y = x.new_empty(sequences, x.shape[1])
        mean[(sequences, triton.cdiv(x.shape[1], 16))](x, offsets, y, x.shape[1], BR=8, BD=16)
        return y
