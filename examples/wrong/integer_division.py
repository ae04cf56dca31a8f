# task: row_reduction  reason: integer_division
# Deals rows out to groups, of which there are none where a block covers the row.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_sum(x_ptr, out_ptr, rows, cols, groups, BLOCK: tl.constexpr):
    program = tl.program_id(0)
    row = program // groups * groups + program % groups
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row.to(tl.int64) * cols + col, mask=col < cols, other=0.0)
    tl.store(out_ptr + row, tl.sum(x, axis=0), mask=row < rows)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        out = torch.empty(rows, device=x.device, dtype=x.dtype)
        block = triton.next_power_of_2(cols)
        row_sum[(rows,)](x, out, rows, cols, cols // (block + 1), BLOCK=block)
        return out
