# task: row_sums  reason: race
# The first program of a row zeroes the cell, the others add atomically; nothing makes them wait.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def partial(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    col = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    if tl.program_id(1) == 0:
        tl.store(out_ptr + row, 0.0)
    tl.atomic_add(out_ptr + row, tl.sum(tl.load(x_ptr + row * cols + col, mask=col < cols, other=0.0), axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        out = torch.zeros(rows, device=x.device)
        partial[(rows, triton.cdiv(cols, 64))](x, out, cols, BLOCK=64)
        return out
