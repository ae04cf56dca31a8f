# task: variances_by_hand
# Means and squares of blocks, put together as Chan, Golub and LeVeque do.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def variance(x, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    first = tl.load(x + row * cols)
    count = 0.0
    mean = 0.0
    squares = 0.0
    for start in range(0, cols, BLOCK):
        c = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * cols + c, mask=c < cols, other=0.0) - first
        n = tl.minimum(cols - start, BLOCK).to(tl.float32)
        of_block = tl.sum(tl.where(c < cols, v, 0.0), axis=0) / n
        d = tl.where(c < cols, v - of_block, 0.0)
        apart = of_block - mean
        squares += tl.sum(d * d, axis=0) + apart * apart * count * n / (count + n)
        mean += apart * n / (count + n)
        count += n
    tl.store(out + row, squares / (cols - 1))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        out = torch.empty(rows, device=x.device, dtype=x.dtype)
        variance[(rows,)](x, out, cols, BLOCK=2048)
        return out
