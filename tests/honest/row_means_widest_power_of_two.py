# task: row_means_1000
# Blocks chosen by the width, masked; many rows are done two by two.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def means(x_ptr, out_ptr, rows, cols, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row[:, None] * cols + col[None, :], mask=(row[:, None] < rows) & (col[None, :] < cols), other=0.0)
    tl.store(out_ptr + row, tl.sum(x, axis=1) / cols, mask=row < rows)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        out = torch.empty(rows, device=x.device)
        each = 1 if rows < 4096 else 2
        means[(triton.cdiv(rows, each),)](x, out, rows, cols, ROWS=each, BLOCK=triton.next_power_of_2(cols))
        return out
