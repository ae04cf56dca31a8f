# task: row_stats
# A list instead of a tuple, one kernel for the moments and another for the index, tl.max with indices.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def moments(x_ptr, out_ptr, rows, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], tl.float64)
    square = tl.zeros([BLOCK], tl.float64)
    for k in range(tl.cdiv(n, BLOCK)):
        col = k * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n + col, mask=col < n, other=0.0).to(tl.float64)
        total += x
        square += x * x
    mean = tl.sum(total) / n
    tl.store(out_ptr + row, mean.to(tl.float32))
    tl.store(out_ptr + rows + row, ((tl.sum(square) - mean * mean * n) / (n - 1)).to(tl.float32))


@triton.jit
def largest(x_ptr, arg_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + col, mask=col < n, other=float("-inf"))
    _, index = tl.max(x, axis=0, return_indices=True)
    tl.store(arg_ptr + row, index)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        both = torch.empty((2, rows), device=x.device)
        arg = x.new_empty(rows, dtype=torch.int64)
        moments[(rows,)](x, both, rows, cols, BLOCK=256)
        largest[(rows,)](x, arg, cols, BLOCK=1024)
        return [both[0], both[1], arg]
