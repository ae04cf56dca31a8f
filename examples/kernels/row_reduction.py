# task: row_reduction
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_row_parts(x_ptr, out_ptr, rows, cols, ROWS_PER_PROGRAM: tl.constexpr, BLOCK: tl.constexpr):
    # Long rows are cut into parts, so that few rows still fill the device; parts meet in an atomic addition.
    row = tl.program_id(0) * ROWS_PER_PROGRAM + tl.arange(0, ROWS_PER_PROGRAM)
    col = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = (row < rows)[:, None] & (col < cols)[None, :]
    x = tl.load(x_ptr + row.to(tl.int64)[:, None] * cols + col[None, :], mask=inside, other=0.0)
    tl.atomic_add(out_ptr + row, tl.sum(x, axis=1), mask=row < rows)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        x = x.contiguous()
        rows, cols = x.shape
        out = torch.zeros(rows, device=x.device, dtype=x.dtype)
        add_row_parts[(triton.cdiv(rows, 4), triton.cdiv(cols, 1024))](x, out, rows, cols, 4, 1024)
        return out
