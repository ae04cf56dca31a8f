# task: scaled_in_place
# One program a row, in place, in blocks of columns that do not divide it.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(x, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    for k in range(0, n, BLOCK):
        i = k + tl.arange(0, BLOCK)
        v = tl.load(x + row * n + i, mask=i < n, other=0.0)
        tl.store(x + row * n + i, v * tl.sigmoid(v), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        rows[(x.shape[0],)](x, x.shape[1], BLOCK=512)
        return x
