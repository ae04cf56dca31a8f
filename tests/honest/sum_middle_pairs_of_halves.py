# task: sum_middle
# Reduces by a custom combine function over a tile of three dimensions, all of a block at once.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def plus(a, b):
    return a + b


@triton.jit
def kernel(x, y, B, C, BA: tl.constexpr, BB: tl.constexpr, BC: tl.constexpr):
    a = tl.program_id(0) * BA + tl.arange(0, BA)[:, None, None]
    c = tl.program_id(1) * BC + tl.arange(0, BC)[None, None, :]
    total = tl.zeros((BA, BC), tl.float32)
    for b0 in range(0, B, BB):
        b = b0 + tl.arange(0, BB)[None, :, None]
        v = tl.load(x + (a * B + b) * C + c, mask=(b < B) & (c < C), other=0.0).to(tl.float32)
        total += tl.reduce(v, axis=1, combine_fn=plus)
    rows, cols = tl.program_id(0) * BA + tl.arange(0, BA), tl.program_id(1) * BC + tl.arange(0, BC)
    tl.store(y + rows[:, None] * C + cols[None, :], total.to(tl.bfloat16), mask=cols[None, :] < C)


class ModelNew(nn.Module):
    def forward(self, x):
        A, B, C = x.shape
        y = torch.empty(A, C, dtype=x.dtype, device=x.device)
        kernel[(A // 2, triton.cdiv(C, 16))](x, y, B, C, BA=2, BB=32, BC=16)
        return y
