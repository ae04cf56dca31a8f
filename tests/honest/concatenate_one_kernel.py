# task: concatenate
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(a, b, y, L, R, W, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    i = c - 1
    left = (i >= 0) & (i < L)
    right = (i >= L) & (i < L + R)
    v = tl.load(a + row * L + i, mask=left, other=0.0) + tl.load(b + row * R + (R - 1 - (i - L)), mask=right, other=0.0)
    tl.store(y + row * W + c, v, mask=c < W)


class ModelNew(nn.Module):
    def forward(self, a, b):
        rows, l, r = a.shape[0], a.shape[1], b.shape[1]
        y = a.new_empty(rows, l + r + 3)
        kernel[(rows,)](a, b, y, l, r, l + r + 3, BLOCK=64)
        return y
