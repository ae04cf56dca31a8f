# task: alike_distances
# By differences.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def distances(x_ptr, y_ptr, out_ptr, N: tl.constexpr, D: tl.constexpr):
    m = tl.program_id(0)
    d = tl.arange(0, D)
    n = tl.arange(0, N)
    x = tl.load(x_ptr + m * D + d)
    y = tl.load(y_ptr + n[:, None] * D + d[None, :])
    square = tl.sum((x[None, :] - y) * (x[None, :] - y), 1)
    tl.store(out_ptr + m * N + n, tl.sqrt(square))


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = x.new_empty(x.shape[0], y.shape[0])
        distances[(x.shape[0],)](x, y, out, N=y.shape[0], D=x.shape[1])
        return out
