# task: row_sums
# Compensated sums, and a grid over rows only.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sums(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    total = tl.zeros((BLOCK,), tl.float32)
    lost = tl.zeros((BLOCK,), tl.float32)
    for begin in range(0, cols, BLOCK):
        col = begin + tl.arange(0, BLOCK)
        term = tl.load(x_ptr + row * cols + col, mask=col < cols, other=0.0) - lost
        larger = total + term
        lost = (larger - total) - term
        total = larger
    tl.store(out_ptr + row, tl.sum(total, axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.size(0), device=x.device)
        sums[(x.size(0), 1, 1)](x, out, x.size(1), BLOCK=256)
        return out
