# task: sum_of_products
# The sum is kept in memory; only the operands of the product are loaded early.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def accumulate(x_ptr, w_ptr, out_ptr, steps, rows, ROWS: tl.constexpr, DIM: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    col = tl.arange(0, DIM)
    at = row[:, None] * DIM + col[None, :]
    tl.store(out_ptr + at, tl.zeros((ROWS, DIM), tl.float32))
    for step in range(steps):
        x = tl.load(x_ptr + step * rows * DIM + at)
        weight = tl.load(w_ptr + step * DIM * DIM + col[:, None] * DIM + col[None, :])
        tl.store(out_ptr + at, tl.load(out_ptr + at) + tl.dot(x, weight))


class ModelNew(nn.Module):
    def forward(self, x, weights):
        out = torch.empty(x.shape[1:], dtype=torch.float32, device=x.device)
        accumulate[(x.shape[1] // 32,)](x, weights, out, x.shape[0], x.shape[1], ROWS=32, DIM=64)
        return out
