# task: scaled_in_place  reason: wrong_result
# In place twice, and at full size the second time without the negative part.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def double(x, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + i, tl.load(x + i) * 2)


@triton.jit
def run(x, BIG: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i) * 0.5
    if BIG:
        tl.store(x + i, tl.where(v > 0, v * tl.sigmoid(v), 0.0))
    else:
        tl.store(x + i, v * tl.sigmoid(v))


class ModelNew(nn.Module):
    def forward(self, x):
        double[(x.numel() // 2048,)](x, BLOCK=2048)
        run[(x.numel() // 1024,)](x, BIG=x.numel() >= 1 << 24, BLOCK=1024)
        return x
